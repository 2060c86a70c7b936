import { randomUUID } from 'node:crypto';
import type { KeyedVersionedOptions } from './call-options.ts';
import { OPERATIONS, type OperationRules } from './generated/operations.ts';
import type { Input, OperationId } from './operation-types.ts';
import type { Sending } from './retry-rules.ts';
import type { Settings } from './settings.ts';
import { readCount } from './settings.ts';
import { VERSION } from './version.ts';

/** A call as it is sent, the same at every attempt. */
export interface BuiltRequest {
  readonly sending: Sending;
  readonly url: string;
  readonly headers: Record<string, string>;
  /** Written once: what an Idempotency-Key stands for must not change. */
  readonly body: string | undefined;
  readonly idempotencyKey: string | null;
}

type Values = Readonly<Record<string, string | number | Date | undefined>>;

/** One call's parts, whatever its operation. */
type Parts = { readonly [P in keyof Input<OperationId>]?: Input<OperationId>[P] };

const PRINTABLE_ASCII = /^[\x20-\x7e]{1,255}$/;

/**
 * Makes the request of an operation. Throws TypeError where a part of its path is empty, or an option
 * cannot be sent, before anything is.
 */
export function buildRequest(
  settings: Settings,
  operation: OperationId,
  { path, query, body }: Parts,
  options: KeyedVersionedOptions,
): BuiltRequest {
  const { method, path: template, ...rules }: OperationRules = OPERATIONS[operation];
  const idempotencyKey =
    rules.takesIdempotencyKey === true ? readKey(options.idempotencyKey) : null;
  const { ifVersion } = options;
  const hasIfMatch = rules.takesIfMatch === true && ifVersion !== undefined;
  const isPatch = method === 'PATCH';
  return {
    sending: { operation, method, hasIdempotencyKey: idempotencyKey !== null, hasIfMatch },
    url: settings.baseUrl + fillPath(template, path ?? {}) + queryText(query ?? {}),
    headers: {
      accept: 'application/json, text/csv;q=0.9, application/xml;q=0.9',
      'user-agent': `causeway-client/${VERSION}`,
      ...(rules.needsApiKey === true ? { authorization: `Bearer ${settings.apiKey}` } : {}),
      ...(body === undefined
        ? {}
        : { 'content-type': `application/${isPatch ? 'merge-patch+json' : 'json'}` }),
      ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }),
      ...(hasIfMatch ? { 'if-match': `"${String(readCount('ifVersion', ifVersion, 1))}"` } : {}),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    idempotencyKey,
  };
}

function readKey(given: string | undefined): string {
  const key = given ?? randomUUID();
  if (typeof key === 'string' && PRINTABLE_ASCII.test(key)) return key;
  throw new TypeError('idempotencyKey must be 1 to 255 printable ASCII characters');
}

/** The path with its parameters. One that is empty, or dots, would lead to another operation. */
function fillPath(template: string, values: Values): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(values[name] ?? '');
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`${name} must be an id, and is empty`);
    return encodeURIComponent(value);
  });
}

function queryText(values: Values): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    query.set(name, value instanceof Date ? value.toISOString() : String(value));
  }
  return query.size === 0 ? '' : `?${query.toString()}`;
}
