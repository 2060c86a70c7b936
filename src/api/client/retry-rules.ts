import type { ErrorCode } from './errors.ts';
import type { OPERATIONS } from './generated/operations.ts';
import type { OperationId } from './operation-types.ts';

/** The longest that a Retry-After is waited for: what asks for more is the program's to plan. */
export const RETRY_AFTER_MS_MAX = 60_000;

const FIRST_WAIT_MS = 500;
const WAIT_MS_MAX = 8_000;
/** The same key is at work at this moment, in a request whose answer is not known here. */
const IN_PROGRESS: ErrorCode = 'idempotency_key_in_progress';
const DELAY_SECONDS = /^[0-9]{1,9}$/;

/** How an operation is sent, as far as retries depend on it. */
export interface Sending {
  readonly operation: OperationId;
  readonly method: (typeof OPERATIONS)[OperationId]['method'];
  readonly hasIdempotencyKey: boolean;
  readonly hasIfMatch: boolean;
}

/** What became of one attempt: `status` is null where there is no answer that can be read. */
export interface AttemptEnd {
  readonly status: number | null;
  readonly error: string | null;
}

/** Whether the order may have taken effect although the attempt failed: by it, or by one beside it. */
export const isUnclear = ({ status, error }: AttemptEnd): boolean =>
  status === null || status >= 500 || error === IN_PROGRESS;

/** POSTs that do nothing. */
const HARMLESS: readonly OperationId[] = ['validatePayment'];

/** POSTs whose second time changes nothing and answers the same. */
const REPEATABLE: readonly OperationId[] = ['closeIdempotencyKey'];

/** Whether the operation only reads. */
export const isHarmless = ({ method, operation }: Sending): boolean =>
  method === 'GET' || HARMLESS.includes(operation);

/**
 * Whether to send the same again. What was surely not done by it (408, 429, 409
 * `idempotency_key_in_progress`) is; what may have been done (no answer, 500, 502, 503, 504) only where a second time can do no harm:
 * what reads, what is repeatable by itself, what has an Idempotency-Key, DELETE, and what names the version that it changes. A PATCH
 * without a version is not, as it might write over what another has changed meanwhile.
 */
export function maySendAgain(sending: Sending, end: AttemptEnd): boolean {
  const { status } = end;
  if (status === 408 || status === 429) return true;
  if (status === 409) return end.error === IN_PROGRESS;
  if (status !== null && ![500, 502, 503, 504].includes(status)) return false;
  return (
    isHarmless(sending) ||
    REPEATABLE.includes(sending.operation) ||
    sending.hasIdempotencyKey ||
    sending.hasIfMatch ||
    sending.method === 'DELETE'
  );
}

/**
 * How long to wait before the next attempt, in ms: anything up to 500 ms doubled for each attempt, to
 * 8 s; where the API says how long, that and as much as 500 ms more, so that not all come back at once.
 * Null where that is longer than RETRY_AFTER_MS_MAX. `random` is in [0, 1).
 */
export function waitBefore(
  attempt: number,
  retryAfterSeconds: number | null,
  random: number,
): number | null {
  if (retryAfterSeconds === null) {
    return Math.floor(random * Math.min(WAIT_MS_MAX, FIRST_WAIT_MS * 2 ** (attempt - 1)));
  }
  const askedMs = retryAfterSeconds * 1_000;
  return askedMs > RETRY_AFTER_MS_MAX ? null : askedMs + Math.floor(random * FIRST_WAIT_MS);
}

/**
 * The seconds that a Retry-After header asks for, from `now` (ms since 1970) on; null where it is
 * neither seconds nor a date. RFC 9110, section 10.2.3.
 */
export function readRetryAfter(header: string | null, now: number): number | null {
  const text = header?.trim() ?? '';
  if (DELAY_SECONDS.test(text)) return Number(text);
  const at = text.endsWith(' GMT') ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1_000));
}
