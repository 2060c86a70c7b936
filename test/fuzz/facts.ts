import type { Choice } from './choice.ts';
import {
  collectionOf,
  nameOf,
  operationsOf,
  type ApiDocument,
  type Operation,
  type Schema,
} from './api-document.ts';

/** What one answer said of one thing: its texts by their names, its id under the name paths give it. */
export type Fact = Readonly<Record<string, string>>;

/** Enough of each operation's answers to have old and new things, few enough to meet each again. */
const FACTS_A_KIND_MAX = 40;
const FACTS_AN_ANSWER_MAX = 10;

/** Remembers what answers said, so that requests can be about things that are there. */
export interface Facts {
  /** Takes in a successful answer to an operation that was called with these values in its path. */
  learn(
    operation: Operation,
    pathValues: Fact,
    body: unknown,
    enrich: (fact: Fact) => Promise<Fact>,
  ): Promise<void>;
  /** Values for names, of things that belong together, as far as there are any. */
  bind(names: readonly string[], given: Fact, choice: Choice): Fact;
  /** A value that some answer had under a name; null where none had. */
  seen(name: string, choice: Choice): string | null;
  /** Every id by the name of its parameter. */
  ids(): Readonly<Record<string, readonly string[]>>;
  /** The parameter that takes the id of what an operation answers; null where none does. */
  parameterOf(operation: Operation): string | null;
}

export function createFacts(document: ApiDocument): Facts {
  const kinds = new Map<string, Fact[]>();
  const parameters = readParameters(document);
  const all = (): Fact[] => [...kinds.values()].flat();
  const isId = (name: string) => parameters.names.has(name);

  function candidates(name: string, bound: Fact): Fact[] {
    const having = all().filter((fact) => fact[name] !== undefined);
    const shared = (fact: Fact) => Object.keys(bound).filter((one) => isId(one) && fact[one]);
    const agreeing = having.filter((fact) => shared(fact).every((one) => fact[one] === bound[one]));
    const joined = agreeing.filter((fact) => shared(fact).length > 0);
    if (joined.length > 0) return joined;
    return agreeing.length > 0 ? agreeing : having;
  }

  return {
    async learn(operation, pathValues, body, enrich) {
      const parameter = parameters.answeredBy(operation);
      const things = Array.isArray((body as { data?: unknown } | null)?.data)
        ? (body as { data: unknown[] }).data
        : [body];
      const kind = operation.id;
      for (const thing of things.slice(0, FACTS_AN_ANSWER_MAX)) {
        if (typeof thing !== 'object' || thing === null) continue;
        const { id, ...rest } = textsOf(thing);
        const named = parameter !== null && id !== undefined ? { [parameter]: id } : {};
        const fact = await enrich({ ...rest, ...pathValues, ...named });
        const known = kinds.get(kind) ?? [];
        const others = known.filter(
          (one) => parameter === null || id === undefined || one[parameter] !== id,
        );
        kinds.set(kind, [...others, fact].slice(-FACTS_A_KIND_MAX));
      }
    },
    bind(names, given, choice) {
      let bound: Fact = { ...given };
      for (const name of names) {
        if (bound[name] !== undefined) continue;
        const having = candidates(name, bound);
        if (having.length === 0) continue;
        const missing = names.filter((one) => bound[one] === undefined);
        const held = (fact: Fact) => missing.filter((one) => fact[one] !== undefined);
        // What one answer said together belongs together: an account and its end-user.
        const most = Math.max(...having.map((fact) => held(fact).length));
        const found = choice.chance(0.7)
          ? having.filter((fact) => held(fact).length === most)
          : having;
        // What is new is rarely closed, disabled or used up.
        const newest = found.at(-1);
        const fact = newest !== undefined && choice.chance(0.4) ? newest : choice.pick(found);
        bound = {
          ...bound,
          ...Object.fromEntries(held(fact).map((one) => [one, fact[one] ?? ''])),
        };
      }
      return bound;
    },
    seen(name, choice) {
      const values = all().flatMap((fact) => fact[name] ?? []);
      return values.length === 0 ? null : choice.pick(values);
    },
    ids() {
      const found = [...parameters.names].map((name) => {
        return [name, [...new Set(all().flatMap((fact) => fact[name] ?? []))]] as const;
      });
      return Object.fromEntries(found.filter(([, values]) => values.length > 0));
    },
    parameterOf: parameters.answeredBy,
  };
}

/** Which parameter takes the ids that an operation answers: by the path, else by the schema of what it answers. */
function readParameters(document: ApiDocument) {
  const operations = operationsOf(document);
  const byCollection = new Map<string, string>();
  const bySchema = new Map<string, string>();
  for (const operation of operations) {
    const found = operation.method === 'GET' ? collectionOf(operation.path) : null;
    if (found === null) continue;
    byCollection.set(found.collection, found.parameter);
    const name = answeredSchema(operation);
    if (name !== null) bySchema.set(name, found.parameter);
  }
  return {
    names: new Set(byCollection.values()),
    answeredBy(operation: Operation): string | null {
      const own = collectionOf(operation.path)?.parameter;
      const name = answeredSchema(operation);
      return (
        byCollection.get(operation.path) ??
        own ??
        (name === null ? null : (bySchema.get(name) ?? null))
      );
    },
  };
}

/** The name of the schema of what is answered, of one thing or of each of a list. */
function answeredSchema({ answers }: Operation): string | null {
  const good = Object.entries(answers).filter(([status]) => status.startsWith('2'));
  for (const [, { content = {} }] of good) {
    const schema: Schema = content['application/json']?.schema ?? {};
    const name = nameOf(schema) ?? nameOf(schema.properties?.['data']?.items ?? {});
    if (name !== null) return name;
  }
  return null;
}

/** The texts of an object by their names; those of objects in it where it has none of that name. */
function textsOf(thing: object): Record<string, string> {
  const texts: Record<string, string> = {};
  const inner: object[] = [];
  for (const [name, value] of Object.entries(thing)) {
    if (typeof value === 'string') texts[name] = value;
    else if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      inner.push(value as object);
    }
  }
  for (const one of inner) {
    for (const [name, value] of Object.entries(one)) {
      // An id of something else is not this thing's.
      if (typeof value === 'string' && name !== 'id') texts[name] ??= value;
    }
  }
  return texts;
}
