/** As much of an OpenAPI document as is read and changed here. */
interface Document {
  paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  webhooks?: unknown;
  readonly components?: { schemas?: Readonly<Record<string, unknown>> };
}

interface Operation {
  readonly parameters?: unknown;
  readonly requestBody?: unknown;
  readonly responses?: unknown;
}

const SCHEMA = '#/components/schemas/';

/**
 * Lets the schemas of answers and webhooks have more properties than they name: the next version may add some, and a
 * strict client must take them. Bodies of requests stay closed, and so does a schema that they share with answers.
 */
export function openAnswers<Doc extends object>(document: Doc): Doc {
  const root = document as Document;
  const { paths = {}, components } = root;
  const schemas = components?.schemas ?? {};
  const asked = new Set<string>();
  for (const { parameters, requestBody } of Object.values(paths).flatMap(
    Object.values<Operation>,
  )) {
    follow(schemas, [parameters, requestBody], asked);
  }
  root.paths = mapValues(paths, (path) =>
    mapValues(path, (one) => ({ ...one, responses: open(one.responses) })),
  );
  if (root.webhooks !== undefined) root.webhooks = open(root.webhooks);
  if (components !== undefined) {
    components.schemas = mapValues(schemas, (schema, name) =>
      asked.has(name) ? schema : open(schema),
    );
  }
  return document;
}

/** Adds the names of all schemas that a value refers to, over any number of references. */
function follow(
  schemas: Readonly<Record<string, unknown>>,
  value: unknown,
  found: Set<string>,
): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [member, item] of Object.entries(value)) {
    if (member !== '$ref' || typeof item !== 'string') follow(schemas, item, found);
    else {
      const name = item.replace(SCHEMA, '');
      if (found.has(name)) continue;
      found.add(name);
      follow(schemas, schemas[name], found);
    }
  }
}

function open(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(open);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([name, item]) => name !== 'additionalProperties' || item !== false,
  );
  return Object.fromEntries(kept.map(([name, item]) => [name, open(item)]));
}

const mapValues = <From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From, name: string) => To,
): Record<string, To> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]));
