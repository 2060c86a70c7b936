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

const RETRY_AFTER = text('In how many seconds to come back.', '1', '^[0-9]+$');

const HEADERS = {
  ETag: text('The version that is shown, as If-Match takes it.', '"3"', '^"[0-9]+"$'),
  'X-Request-Id': text("The request's id, for your log.", 'req_01k6b7q0e8f1htx9n3r5p7v2ab'),
  'Idempotent-Replayed': {
    ...text(
      '`true` where this is the stored answer to an earlier request; else left out.',
      'true',
      '^true$',
    ),
    required: false,
  },
  RateLimit: text(
    'What is left of each policy, as far as the answering process knows, and in how many seconds it is whole again.',
    '"default";r=99;t=1',
  ),
  'RateLimit-Policy': text('The policies: quota and window in seconds.', '"default";q=100;w=2'),
  'Retry-After': RETRY_AFTER,
};

/** A component of another name: among the refusals of one status, only this one has the header. */
const IN_PROGRESS = {
  name: 'Retry-After-In-Progress',
  header: {
    ...RETRY_AFTER,
    description:
      'Of `idempotency_key_in_progress`: in how many seconds to come back; else left out.',
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
