import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { ID_PREFIXES, isId } from '../../src/domain/ids.ts';
import { inlineParts } from './api/inline-parts.ts';

interface DocumentedAnswer {
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Readonly<Record<string, object>>;
}

interface Document {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly responses: Record<string, DocumentedAnswer> }>>
    >
  >;
  readonly components: {
    readonly headers: Readonly<Record<string, { readonly required: boolean }>>;
  };
}

/** An answer as it came, whichever way it was asked for. */
export interface SeenAnswer {
  readonly method: string;
  /** With its query, and without an origin. */
  readonly url: string;
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

interface Route {
  readonly path: string;
  readonly pattern: RegExp;
}

const DOCUMENT = join(import.meta.dirname, '../../docs/openapi.json');
const JSON_TYPE = 'application/json';
const ROOT = 'openapi';
const EVENTS = '/api/v1/events';
const PREFIXES = Object.values(ID_PREFIXES);
/** Of what is said of a body: a choice of many names every one of them. */
const PROBLEM_CHARS_MAX = 1_000;

/** Days and moments as the API writes them; digits of numbers are no matter of a format. */
const FORMATS = {
  date: /^\d{4}-\d{2}-\d{2}$/,
  'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/,
  double: true,
} as const;

/**
 * The document with objects that have no more than they name. It lets answers have more, for versions to come; what
 * this version adds must be documented. The parts of an intersection each name only some.
 */
function closeObjects(value: unknown, isPart = false): unknown {
  if (Array.isArray(value)) return value.map((one) => closeObjects(one, isPart));
  if (typeof value !== 'object' || value === null) return value;
  const closed = Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, closeObjects(item, name === 'allOf')]),
  );
  const isNamed = closed['type'] === 'object' && 'properties' in closed;
  return isNamed && !isPart ? { additionalProperties: false, ...closed } : closed;
}

/** Reads the document when the first answer is looked at, and each schema when it is first needed. */
class DocumentReader {
  readonly document = closeObjects(
    inlineParts(JSON.parse(readFileSync(DOCUMENT, 'utf8')) as Document),
  ) as Document;
  // To optimize what is compiled takes longer than it saves: most schemas judge a few answers.
  private readonly ajv = new Ajv2020({
    ...{ strict: false, formats: FORMATS },
    code: { optimize: false },
  });
  private readonly validators = new Map<string, ValidateFunction>();
  private readonly routes: readonly Route[];

  constructor() {
    this.ajv.addSchema(this.document, ROOT);
    const holes = (path: string) => path.split('{').length;
    this.routes = Object.keys(this.document.paths)
      .sort((a, b) => holes(a) - holes(b))
      .map((path) => ({
        path,
        pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
      }));
  }

  /** The documented paths that a URL is of; the more literal one first. */
  pathsOf(url: string): readonly string[] {
    const path = url.split(/[?#]/, 1)[0] ?? '';
    return this.routes.filter(({ pattern }) => pattern.test(path)).map((route) => route.path);
  }

  /** What is wrong with a body by the schema at a place of the document; null where nothing is. */
  problemsAt(steps: readonly string[], value: unknown): string | null {
    const place = steps.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
    const validate =
      this.validators.get(place) ?? this.ajv.compile({ $ref: `${ROOT}#/${encodeURI(place)}` });
    this.validators.set(place, validate);
    if (validate(value)) return null;
    const text = this.ajv.errorsText(validate.errors, { dataVar: 'body' });
    return text.slice(0, PROBLEM_CHARS_MAX);
  }
}

let reader: DocumentReader | undefined;

/**
 * Throws where an answer under /api/v1 is not what docs/openapi.json says of its operation: its status, its
 * content type, the headers that it must bear, its body.
 */
export function expectDocumented(answer: SeenAnswer): void {
  const problem = documentationProblem(answer);
  if (problem === null) return;
  const { method, url, status, body } = answer;
  throw new Error(
    `${method} ${url} answered ${status}, and docs/openapi.json has it otherwise: ${problem}\n` +
      `Where a route was changed on purpose: npm run openapi.\n${body.slice(0, 2_000)}`,
  );
}

/** What of an answer is not as documented, in a sentence; null where all is, or it is no matter of the API. */
export function documentationProblem(answer: SeenAnswer): string | null {
  if (!answer.url.startsWith('/api/v1/')) return null;
  reader ??= new DocumentReader();
  const { document } = reader;
  const method = answer.method === 'HEAD' ? 'get' : answer.method.toLowerCase();
  const path = reader.pathsOf(answer.url).find((one) => method in (document.paths[one] ?? {}));
  if (path === undefined) return undocumentedProblem(reader, answer);
  const status = String(answer.status);
  const documented = document.paths[path]?.[method]?.responses[status];
  if (documented === undefined) return `the operation has no answer ${status}`;
  const { headers = {}, content } = documented;
  for (const [name, { $ref }] of Object.entries(headers)) {
    const { required } = document.components.headers[$ref.split('/').at(-1) ?? ''] ?? {};
    if (required === true && answer.headers[name.toLowerCase()] === undefined) {
      return `the header ${name} is missing`;
    }
  }
  if (answer.method === 'HEAD') return null;
  if (content === undefined) return answer.body === '' ? null : 'it has no body';
  const type = typeOf(answer);
  if (!(type in content)) return `its content type is ${Object.keys(content).join(' or ')}`;
  if (type !== JSON_TYPE) return null;
  const place = ['paths', path, method, 'responses', status, 'content', JSON_TYPE, 'schema'];
  const body = JSON.parse(answer.body) as unknown;
  const isEvents = method === 'get' && path.startsWith(EVENTS) && answer.status === 200;
  const shown = isEvents ? recordedOf(body) : body;
  return shown === null ? null : reader.problemsAt(place, shown);
}

/**
 * Events without those of resources that a test made up (`pay_a`): no code recorded them. Null where an event
 * that is shown alone is one of them.
 */
function recordedOf(body: unknown): unknown {
  const isRecorded = (event: unknown) => {
    const { id = '' } = (event as { resource?: { id?: string } }).resource ?? {};
    return PREFIXES.some((prefix) => isId(prefix, id));
  };
  const { data } = body as { data?: unknown };
  if (!Array.isArray(data)) return isRecorded(body) ? body : null;
  return { ...(body as object), data: data.filter(isRecorded) };
}

/** A path or a method that no operation has: refused, with the body of every error. */
function undocumentedProblem(known: DocumentReader, answer: SeenAnswer): string | null {
  if (answer.status < 400) return 'there is no such operation';
  if (answer.method === 'HEAD') return null;
  if (typeOf(answer) !== JSON_TYPE) return `its content type is ${JSON_TYPE}`;
  return known.problemsAt(['components', 'schemas', 'Error'], JSON.parse(answer.body));
}

function typeOf({ headers }: SeenAnswer): string {
  const type = headers['content-type'];
  return typeof type === 'string' ? (type.split(';', 1)[0] ?? '') : '';
}
