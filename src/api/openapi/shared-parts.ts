import { STATUS_CODES } from 'node:http';
import { FRAME_CODES } from '../schemas/error.ts';

/** As much of an OpenAPI document as is read here. */
interface Document {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: object;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly responses?: Readonly<Record<string, ErrorAnswer>>;
}

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly schema?: { readonly title?: string };
}

interface ErrorAnswer {
  readonly content?: Readonly<
    Record<string, { readonly schema?: { readonly allOf?: readonly ErrorPart[] } }>
  >;
}

interface ErrorPart {
  readonly properties?: { readonly error?: { readonly enum?: readonly string[] } };
}

interface Reference {
  readonly $ref: string;
}

/**
 * The document with every error response and every parameter that occurs more than once written once, under
 * `components`, and referred to. The given document stays as it is. Throws where two parts have one name.
 */
export function shareParts<Doc extends object>(document: Doc): Doc {
  const { paths = {}, components = {} } = document as Document;
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const responses = new SharedParts<ErrorAnswer>(
    'responses',
    operations.flatMap((one) => errorsOf(one).map(([, answer]) => answer)),
  );
  const parameters = new SharedParts<Parameter>(
    'parameters',
    operations.flatMap((one) => one.parameters ?? []),
  );

  const share = (operation: Operation) => ({
    ...operation,
    ...(operation.parameters && {
      parameters: operation.parameters.map((one) => parameters.take(one, parameterName)),
    }),
    responses: {
      ...operation.responses,
      ...Object.fromEntries(
        errorsOf(operation).map(([status, answer]) => {
          return [status, responses.take(answer, () => responseName(status, codesOf(answer)))];
        }),
      ),
    },
  });
  const shared = mapValues(paths, (path) => mapValues(path, share));
  return {
    ...document,
    components: {
      ...components,
      parameters: parameters.addTo(components),
      responses: responses.addTo(components),
    },
    paths: shared,
  };
}

/** Parts of one kind: those that occur more than once get a name. */
class SharedParts<Part extends object> {
  private readonly counts = new Map<string, number>();
  private readonly named = new Map<string, { readonly text: string; readonly part: Part }>();
  private readonly kind: string;

  constructor(kind: string, parts: readonly Part[]) {
    this.kind = kind;
    for (const part of parts) {
      const text = JSON.stringify(part);
      this.counts.set(text, (this.counts.get(text) ?? 0) + 1);
    }
  }

  /** The part itself where it occurs once, else a reference to it. */
  take(part: Part, nameOf: (part: Part) => string): Part | Reference {
    const text = JSON.stringify(part);
    if ((this.counts.get(text) ?? 0) < 2) return part;
    const name = nameOf(part);
    const known = this.named.get(name);
    if (known !== undefined && known.text !== text) {
      throw new Error(`two of components.${this.kind} are named ${name}`);
    }
    this.named.set(name, { text, part });
    return { $ref: `#/components/${this.kind}/${name}` };
  }

  /** The components of this kind: the given ones, then the shared ones by name. */
  addTo(components: object): object {
    const given = (components as Readonly<Record<string, object>>)[this.kind] ?? {};
    const names = [...this.named.keys()].sort();
    const taken = names.find((name) => name in given);
    if (taken !== undefined) throw new Error(`two of components.${this.kind} are named ${taken}`);
    return {
      ...given,
      ...Object.fromEntries(names.map((name) => [name, this.named.get(name)?.part])),
    };
  }
}

/** The error answers that name their codes, by status. */
const errorsOf = ({ responses = {} }: Operation): [string, ErrorAnswer][] =>
  Object.entries(responses).filter(
    ([status, answer]) => /^[45]/.test(status) && codesOf(answer).length > 0,
  );

const codesOf = ({ content }: ErrorAnswer): readonly string[] =>
  content?.['application/json']?.schema?.allOf?.[1]?.properties?.error?.enum ?? [];

/**
 * The name of an error answer: its code where it has one (`RateLimited`), else the status for the codes that every
 * operation may answer with (`Unauthorized`), and each further code (`BadRequestOrInvalidCursor`).
 */
function responseName(status: string, codes: readonly string[]): string {
  const frame = codes.filter((code) => (FRAME_CODES as readonly string[]).includes(code));
  const own = codes.filter((code) => !frame.includes(code)).map(pascal);
  const [first = ''] = frame;
  const common = frame.length > 1 ? pascal(STATUS_CODES[status] ?? status) : pascal(first);
  return [common, ...own].filter((part) => part !== '').join('Or');
}

/**
 * The name of a parameter: the title of its schema, else its own name; a filter of a list says so, because a
 * parameter of a path may have the same name.
 */
const parameterName = ({ name, in: place, schema }: Parameter): string =>
  schema?.title ?? `${pascal(name)}${place === 'query' ? 'Filter' : ''}`;

/** `idempotency-key`, `rate_limited` and `Bad Request` as `IdempotencyKey`, `RateLimited` and `BadRequest`. */
const pascal = (text: string): string =>
  text.replaceAll(/(?:^|[^A-Za-z0-9]+)([a-z0-9]?)/gi, (_match, letter: string) =>
    letter.toUpperCase(),
  );

const mapValues = <From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Record<string, To> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
