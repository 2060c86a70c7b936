/** A request as it is sent. */
export interface FuzzRequest {
  /** Of the operation that it is for. */
  readonly operationId: string;
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
  /** By parameter; put into the path percent-encoded, save where `isEncoded`. */
  readonly pathValues: Readonly<Record<string, string>>;
  readonly isEncoded: boolean;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: Readonly<Record<string, string>>;
  /** OWN is the key under which the fuzzer runs. */
  readonly authorization: 'OWN' | { readonly text: string } | null;
  readonly body: Buffer | null;
  /** What was done to a valid request, in words; null of a valid one. */
  readonly broken: string | null;
  /** The document or the contract forbids it: anything but a refusal is a finding. */
  readonly isForbidden: boolean;
}

export const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

/** The path and query as they stand in the request line. */
export function targetOf(request: FuzzRequest): string {
  const path = request.path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = request.pathValues[name] ?? name;
    return request.isEncoded ? value : encode(value);
  });
  const query = request.query.map(([name, value]) => `${encode(name)}=${encode(value)}`);
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

/** Every header of a request but the key's. */
export function headersOf(request: FuzzRequest, apiKey: string): Record<string, string> {
  const { authorization } = request;
  if (authorization === null) return { ...request.headers };
  const text = authorization === 'OWN' ? `Bearer ${apiKey}` : authorization.text;
  return { ...request.headers, authorization: text };
}

const CURL_BODY_BYTES_MAX = 4_000;

/** The request as a command for bash; the key stays a variable. */
export function asCurl(apiUrl: string, request: FuzzRequest): string {
  const lines = [`curl -sS -i -X ${request.method} ${quote(`${apiUrl}${targetOf(request)}`)}`];
  const { authorization } = request;
  if (authorization === 'OWN') lines.push('-H "authorization: Bearer $KEY"');
  else if (authorization !== null)
    lines.push(`-H ${quote(`authorization: ${authorization.text}`)}`);
  for (const [name, value] of Object.entries(request.headers)) {
    lines.push(`-H ${quote(`${name}: ${value}`)}`);
  }
  if (request.body !== null) lines.push(`--data-binary ${quoteBytes(request.body)}`);
  return lines.join(' \\\n  ');
}

const quote = (text: string): string =>
  /^[\x20-\x7e]*$/.test(text)
    ? `'${text.replaceAll("'", String.raw`'\''`)}'`
    : quoteBytes(Buffer.from(text));

function quoteBytes(bytes: Buffer): string {
  const shown = bytes.subarray(0, CURL_BODY_BYTES_MAX);
  const text = shown.toString('latin1').replace(/[^\x20-\x7e]|['\\]/g, (character) => {
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
  const cut = bytes.length - shown.length;
  return `$'${text}'${cut > 0 ? ` # and ${String(cut)} bytes more` : ''}`;
}
