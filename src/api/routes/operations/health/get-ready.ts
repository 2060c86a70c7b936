import { Type } from 'typebox';
import { Refusal } from '../../../../domain/errors/refusal.ts';
import type { HttpDeps, TemporalState } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { errorResponses } from '../../../schemas/error.ts';
import { shareAnswers } from '../../../../domain/share-answers.ts';

const CHECK_TIMEOUT_MS = 2_000;
/** The route is public: more requests than one a second cost PostgreSQL and Temporal nothing. */
const SHARED_MS = 1_000;

/**
 * GET /ready: requests can be served. PostgreSQL must answer. An outage of Temporal and a reconciler that is
 * paused or missing are only reported, because payments are accepted without them; one that was never migrated is no outage, and fails.
 */
export function getReady(app: App, deps: HttpDeps, isDocumented: boolean): void {
  app.get(
    '/ready',
    {
      config: { public: true },
      schema: {
        operationId: 'getReady',
        summary: 'Check that the service can serve requests',
        tags: ['Reference'],
        security: [],
        hide: !isDocumented,
        response: {
          200: Type.Object(
            {
              status: Type.Literal('ok'),
              checks: Type.Object(
                {
                  postgres: Type.Literal('ok'),
                  temporal: Type.String({ enum: ['ok', 'unreachable'] }),
                  sweep: Type.String({
                    enum: ['ok', 'paused', 'missing', 'unknown'],
                    description:
                      'The schedules that repeat lost workflow starts. Any value except `ok` needs an operator.',
                  }),
                },
                { additionalProperties: false },
              ),
            },
            { additionalProperties: false, description: 'The API process can accept requests.' },
          ),
          ...errorResponses([], { public: true }),
        },
      },
    },
    shareAnswers(deps.clock, SHARED_MS, () => checkServices(deps)),
  );
}

async function checkServices(deps: HttpDeps) {
  const [serverTime, temporal] = await Promise.all([
    inTime<Date | null>(() => deps.db.serverTime(), null),
    inTime<TemporalState>(deps.temporalState, { kind: 'unreachable' }),
  ]);
  if (serverTime === null) throw notReady('postgres', 'PostgreSQL does not answer.');
  if (temporal.kind === 'search_attributes_missing') {
    throw notReady('temporal', 'Temporal lacks the search attributes that migrate registers.');
  }
  const sweep = temporal.kind === 'ok' ? temporal.sweep : ('unknown' as const);
  return {
    status: 'ok' as const,
    checks: { postgres: 'ok' as const, temporal: temporal.kind, sweep },
  };
}

const notReady = (check: string, message: string) =>
  new Refusal('service_unavailable', message, [
    { path: '', code: 'service_unavailable', message, meta: { check } },
  ]);

/** What a check says; where it is late or throws, `otherwise`. */
async function inTime<Answer>(check: () => Promise<Answer>, otherwise: Answer): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Answer>((resolve) => {
    timer = setTimeout(() => {
      resolve(otherwise);
    }, CHECK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([check(), late]);
  } catch {
    return otherwise;
  } finally {
    clearTimeout(timer);
  }
}
