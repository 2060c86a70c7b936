/** As much of an OpenAPI document as is changed here. */
interface Document {
  paths?: Record<string, Record<string, Operation>>;
  components?: { headers?: object };
}

interface Operation {
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  readonly responses?: Record<string, Answer>;
}

interface Answer {
  headers?: object;
  readonly content?: Record<string, { readonly schema?: { readonly properties?: Properties } }>;
}

interface Properties {
  readonly error?: { readonly enum?: readonly string[] };
}

const text = (description: string, example: string, pattern?: string) => ({
  description,
  required: true,
  schema: { type: 'string', examples: [example], ...(pattern === undefined ? {} : { pattern }) },
});

const RETRY_AFTER = text('The number of seconds to wait before the next request.', '1', '^[0-9]+$');

const HEADERS = {
  ETag: text('The version of the resource, for use in the If-Match header.', '"3"', '^"[0-9]+"$'),
  'X-Request-Id': text(
    'The id of the request. Write it to your logs.',
    'req_01k6b7q0e8f1htx9n3r5p7v2ab',
  ),
  'Idempotent-Replayed': {
    ...text(
      '`true` if the answer is the stored answer to an earlier request. Otherwise absent.',
      'true',
      '^true$',
    ),
    required: false,
  },
  RateLimit: text(
    'The remaining quota of each policy, and the number of seconds until the full quota is available again. The remaining quota is an estimate of the process that answers.',
    '"default";r=99;t=1',
  ),
  'RateLimit-Policy': text(
    'The rate limit policies, each with its quota and its window in seconds.',
    '"default";q=100;w=2',
  ),
  'Retry-After': RETRY_AFTER,
};

/** A component of another name: among the refusals of one status, only this one has the header. */
const IN_PROGRESS = {
  name: 'Retry-After-In-Progress',
  header: {
    ...RETRY_AFTER,
    description:
      'For `idempotency_key_in_progress`: the number of seconds to wait before the next request. Otherwise absent.',
    required: false,
  },
};

/**
 * Says which headers the good answers carry, and a 429, a 503 and a key in progress their wait. Errors have
 * the request's id in their body too, and the same headers; saying so on each of them would double the document.
 */
export function describeAnswerHeaders<Doc extends object>(document: Doc): Doc {
  const root = document as Document;
  for (const operation of Object.values(root.paths ?? {}).flatMap((path) => Object.values(path))) {
    for (const [status, answer] of Object.entries(operation.responses ?? {})) {
      if (status === '409' && isInProgressTold(answer)) {
        answer.headers = { 'Retry-After': { $ref: `#/components/headers/${IN_PROGRESS.name}` } };
      }
      const names = headersOf(operation, status, answer);
      if (names.length === 0) continue;
      answer.headers = Object.fromEntries(
        names.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
      );
    }
  }
  const headers = { ...HEADERS, [IN_PROGRESS.name]: IN_PROGRESS.header };
  root.components = { ...root.components, headers };
  return document;
}

const isInProgressTold = ({ content }: Answer): boolean =>
  content?.['application/json']?.schema?.properties?.error?.enum?.includes(
    'idempotency_key_in_progress',
  ) === true;

function headersOf(
  { parameters }: Operation,
  status: string,
  { content }: Answer,
): readonly (keyof typeof HEADERS)[] {
  if (status === '429' || status === '503') return ['Retry-After'];
  if (!status.startsWith('2')) return [];
  const isIdempotent = parameters?.some(({ name }) => name === 'idempotency-key') === true;
  const shown = content?.['application/json']?.schema?.properties ?? {};
  const isVersioned = 'id' in shown && 'version' in shown;
  return [
    'X-Request-Id',
    'RateLimit',
    'RateLimit-Policy',
    ...(isVersioned ? (['ETag'] as const) : []),
    ...(isIdempotent ? (['Idempotent-Replayed'] as const) : []),
  ];
}
