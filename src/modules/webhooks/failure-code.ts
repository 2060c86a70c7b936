import type { AttemptFailure } from '../../domain/webhooks/attempt.ts';

const CODES: Readonly<Record<string, AttemptFailure>> = {
  ADDRESS_REFUSED: 'ADDRESS_REFUSED',
  ANSWER_TOO_LONG: 'ANSWER_TOO_LONG',
  ENOTFOUND: 'DNS',
  EAI_AGAIN: 'DNS',
  ECONNREFUSED: 'CONNECT',
  EHOSTUNREACH: 'CONNECT',
  EHOSTDOWN: 'CONNECT',
  ENETUNREACH: 'CONNECT',
  ENETDOWN: 'CONNECT',
  // A firewall of this machine, an address that the kernel does not take, and no socket left.
  EACCES: 'CONNECT',
  EPERM: 'CONNECT',
  EINVAL: 'CONNECT',
  EMFILE: 'CONNECT',
  EADDRNOTAVAIL: 'CONNECT',
  ETIMEDOUT: 'TIMEOUT',
  UND_ERR_CONNECT_TIMEOUT: 'TIMEOUT',
  UND_ERR_HEADERS_TIMEOUT: 'TIMEOUT',
  UND_ERR_BODY_TIMEOUT: 'TIMEOUT',
  UND_ERR_ABORTED: 'TIMEOUT',
  ECONNRESET: 'RESET',
  ECONNABORTED: 'RESET',
  ENETRESET: 'RESET',
  EPIPE: 'RESET',
  UND_ERR_SOCKET: 'RESET',
  UND_ERR_DESTROYED: 'RESET',
  UND_ERR_CLOSED: 'RESET',
};
const TLS_CODE =
  /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|INVALID_CA|HOSTNAME_|EPROTO)/;

/** By which undici says that an answer had a status that was not asked for: 100, 101. */
const UNASKED = new Set(['bad response', 'bad upgrade']);

/** Boils an error of undici, the socket or TLS down to one of our own codes. */
export function failureCode(error: unknown): AttemptFailure {
  if (error instanceof Error && UNASKED.has(error.message)) return 'BAD_ANSWER';
  for (const code of codesOf(error)) {
    const known = CODES[code];
    if (known !== undefined) return known;
    if (TLS_CODE.test(code)) return 'TLS';
  }
  return 'BAD_ANSWER';
}

/** The codes of an error, of those it gathers (one per address tried) and of its cause. */
function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const own = 'code' in error && typeof error.code === 'string' ? [error.code] : [];
  const gathered = error instanceof AggregateError ? error.errors.flatMap(codesOf) : [];
  return [...own, ...gathered, ...(error.cause === error ? [] : codesOf(error.cause))];
}
