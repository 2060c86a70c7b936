import type { ShownOperation } from '../reference/reference.ts';

/** A request that a reader could send as it stands, but for the key. */
export interface SampleRequest {
  readonly operation: ShownOperation;
  /** The path with the parameters of the document's examples in it, and the query that it needs. */
  readonly path: string;
  readonly pathValues: readonly string[];
  readonly query: Readonly<Record<string, string>>;
  readonly idempotencyKey: string | null;
  /** Null where nothing is sent. */
  readonly body: unknown;
}

/** The sample request of an operation. Of its query only what must be there is in it. */
export function sampleRequest(operation: ShownOperation): SampleRequest {
  const inPath = operation.parameters.filter(({ place }) => place === 'path');
  const inQuery = operation.parameters.filter(
    ({ place, field }) => place === 'query' && field.presence === 'required',
  );
  const query = Object.fromEntries(inQuery.map(({ field, sample }) => [field.name, sample]));
  const path = inPath.reduce(
    (text, { field, sample }) => text.replace(`{${field.name}}`, encodeURIComponent(sample)),
    operation.path,
  );
  const names = inPath.map(({ field }) => field.name);
  const ordered = [...operation.path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
  const key = operation.parameters.find(isIdempotencyKey);
  return {
    operation,
    path,
    pathValues: ordered.map((name) => inPath[names.indexOf(name)]?.sample ?? ''),
    query,
    idempotencyKey: key?.field.presence === 'required' ? key.sample : null,
    body: operation.body?.sample ?? null,
  };
}

/** Whether a parameter is the header that makes a request safe to send again. */
export const isIdempotencyKey = ({ place, field }: ShownOperation['parameters'][number]): boolean =>
  place === 'header' && field.name.toLowerCase() === 'idempotency-key';

/** A path with its query, as it stands in a request line. */
export function withQuery({ path, query }: SampleRequest): string {
  const text = new URLSearchParams(query).toString();
  return text === '' ? path : `${path}?${text}`;
}
