import { ID_PREFIXES } from '../../domain/ids.ts';

/** As much of an OpenAPI document as is read and changed here. */
interface Document {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  readonly operationId?: string;
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  readonly responses?: Readonly<Record<string, Answer>>;
}

interface Answer {
  readonly content?: Readonly<
    Record<string, { readonly examples?: Readonly<Record<string, Example>> }>
  >;
  links?: Record<string, object>;
}

interface Example {
  readonly value?: unknown;
}

type Members = Readonly<Record<string, unknown>>;

/** What an answer tells of a resource: the names of parameters that it fills, and from where. */
interface Told {
  readonly expressions: Readonly<Record<string, string>>;
  /** The parameters that name the resource itself, and not only what it belongs to. */
  readonly own: readonly string[];
}

const PARAMETER_OF_PREFIX = new Map<string, string>(
  Object.entries(ID_PREFIXES).map(([name, prefix]) => [prefix, `${name}Id`]),
);

/**
 * Leads from every answer that shows a resource newly made, changed or first in its list to each operation
 * whose path takes the resource's id. One rule for all: the example of the answer shows an id, its prefix says which
 * parameter it fills, and what else the path needs is in the same resource or in the path of the request.
 */
export function linkOperations<Doc extends object>(document: Doc): Doc {
  const { paths = {} } = document as Document;
  const operations = Object.values(paths).flatMap((methods) => Object.entries(methods));
  const targets = operations
    .map(([, operation]) => ({ id: operation.operationId ?? '', needs: pathOf(operation) }))
    .filter(({ needs }) => needs.length > 0);
  const known = new Set(targets.flatMap(({ needs }) => needs));
  for (const [method, operation] of operations) {
    for (const answer of Object.values(operation.responses ?? {})) {
      const told = tellOf(method, operation, answer, known);
      const links = targets
        .filter(({ id, needs }) => id !== operation.operationId && reaches(told, needs))
        .map(({ id, needs }) => [id, linkTo(id, needs, told)] as const);
      if (links.length > 0) answer.links = Object.fromEntries(links);
    }
  }
  return document;
}

const pathOf = ({ parameters = [] }: Operation): string[] =>
  parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);

const reaches = ({ expressions, own }: Told, needs: readonly string[]): boolean =>
  needs.every((name) => name in expressions) && needs.some((name) => own.includes(name));

const linkTo = (operationId: string, needs: readonly string[], { expressions }: Told) => ({
  operationId,
  parameters: Object.fromEntries(needs.map((name) => [name, expressions[name]])),
});

function tellOf(
  method: string,
  operation: Operation,
  { content }: Answer,
  known: ReadonlySet<string>,
): Told {
  const [example] = Object.values(content?.['application/json']?.examples ?? {});
  const body = (example?.value ?? {}) as Members;
  const first = Array.isArray(body['data']) ? (body['data'][0] as Members | undefined) : undefined;
  // What is read by its id was found by it: its links would lead back.
  if (first === undefined && method === 'get') return { expressions: {}, own: [] };
  const [shown, pointer] = first === undefined ? [body, '#'] : [first, '#/data/0'];
  const names = Object.keys(shown).filter((name) => known.has(name) && shown[name] !== null);
  const idName = parameterOf(shown['id']);
  const isNamed = idName !== undefined && known.has(idName);
  // An answer without an id is about something else; an item of a list without one names what it is about.
  const isTold = isNamed || first !== undefined || shown['id'] !== undefined;
  return {
    expressions: {
      ...Object.fromEntries(pathOf(operation).map((name) => [name, `$request.path.${name}`])),
      ...Object.fromEntries(names.map((name) => [name, `$response.body${pointer}/${name}`])),
      ...(isNamed && { [idName]: `$response.body${pointer}/id` }),
    },
    own: isNamed ? [idName] : isTold ? names : [],
  };
}

function parameterOf(id: unknown): string | undefined {
  return typeof id === 'string' ? PARAMETER_OF_PREFIX.get(id.split('_', 1)[0] ?? '') : undefined;
}
