import pg from 'pg';
import { Compile } from 'typebox/compile';
import { isId, ID_PREFIXES } from '../../src/domain/ids.ts';
import { EVENT_TYPES, type EventType } from '../../src/domain/webhooks/event-types.ts';
import { EVENT_SCHEMAS } from '../../src/api/schemas/events/event-schemas.ts';

/** Made when they are needed: most tests record few types. */
const VALIDATORS = new Map<EventType, ReturnType<typeof Compile>>();

function validatorOf(type: EventType): ReturnType<typeof Compile> {
  const known = VALIDATORS.get(type) ?? Compile(EVENT_SCHEMAS[type]);
  VALIDATORS.set(type, known);
  return known;
}

/** Events that are looked at: enough for every kind that a suite writes. */
const ROWS_MAX = 5_000;

/** What is wrong with an event by the schema of its type; empty where nothing is. */
export function eventProblems(event: unknown): object[] {
  const { type } = event as { type: EventType };
  if (!EVENT_TYPES.includes(type)) return [{ message: `${type} is no type of events` }];
  return validatorOf(type).Errors(event);
}

const PREFIXES = Object.values(ID_PREFIXES);

/**
 * Throws unless the newest events of a database fit the schemas of their types. Answers the types that
 * were looked at. Events of resources that a test made up (`pay_a`) are left out: no code recorded them.
 */
export async function expectEventsFit(url: string): Promise<ReadonlySet<string>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ body: string; resource_id: string }>(
      'SELECT body, resource_id FROM events ORDER BY seq DESC LIMIT $1',
      [ROWS_MAX],
    );
    const recorded = rows.filter(({ resource_id: id }) => PREFIXES.some((one) => isId(one, id)));
    const seen = new Set<string>();
    for (const { body } of recorded) {
      const event = JSON.parse(body) as { type: string };
      const problems = eventProblems(event);
      if (problems.length > 0) {
        throw new Error(
          `${event.type} does not fit its schema: ${JSON.stringify(problems)} ${body}`,
        );
      }
      seen.add(event.type);
    }
    return seen;
  } finally {
    await client.end();
  }
}
