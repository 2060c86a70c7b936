import { planRetry } from './retry-schedule.ts';

/**
 * Why no answer came, or not the whole of a success. A closed set: what a foreign host says never
 * reaches our tables.
 */
export const ATTEMPT_FAILURES = [
  'TIMEOUT',
  'DNS',
  'CONNECT',
  'TLS',
  'ADDRESS_REFUSED',
  'URL_REFUSED',
  'RESET',
  'BAD_ANSWER',
  'ANSWER_TOO_LONG',
] as const;

export type AttemptFailure = (typeof ATTEMPT_FAILURES)[number];

/** What came of one send. */
export type AttemptResult =
  | {
      readonly kind: 'ANSWERED';
      readonly status: number;
      readonly retryAfterSeconds?: number;
      /** The first 4 kB of the body as UTF-8; empty where it had none. */
      readonly answer?: string;
      readonly durationMs: number;
    }
  | {
      readonly kind: 'FAILED';
      readonly code: AttemptFailure;
      /** Of an answer that did not come to its end, and the beginning of that. */
      readonly status?: number;
      readonly answer?: string;
      readonly durationMs: number;
    };

/** What the delivery's row says afterwards. */
export interface AttemptVerdict {
  readonly status: 'DELIVERED' | 'PENDING' | 'EXHAUSTED';
  readonly attempts: number;
  /** Null where nothing follows. */
  readonly nextAttemptAt: Date | null;
  readonly statusCode: number | null;
  readonly error: AttemptFailure | 'REDIRECT' | 'STATUS' | null;
}

const GONE = 410;

export function isSuccess(result: AttemptResult): boolean {
  return result.kind === 'ANSWERED' && result.status >= 200 && result.status < 300;
}

/** 410 is the receiver's wish never to be called again. */
export function saysGone(result: AttemptResult): boolean {
  return result.kind === 'ANSWERED' && result.status === GONE;
}

/** Judges one attempt: 2xx delivers, everything else (a redirect too) is tried again on schedule. */
export function judgeAttempt(
  attemptsBefore: number,
  result: AttemptResult,
  at: Date,
  random: number,
): AttemptVerdict {
  const attempts = attemptsBefore + 1;
  const statusCode = result.status ?? null;
  if (isSuccess(result)) {
    return { status: 'DELIVERED', attempts, nextAttemptAt: null, statusCode, error: null };
  }
  const error = failureOf(result);
  const retryAfterSeconds = result.kind === 'ANSWERED' ? result.retryAfterSeconds : undefined;
  const plan = planRetry(attempts, random, retryAfterSeconds);
  if (plan.kind === 'EXHAUSTED') {
    return { status: 'EXHAUSTED', attempts, nextAttemptAt: null, statusCode, error };
  }
  const nextAttemptAt = new Date(at.getTime() + plan.delayMs);
  return { status: 'PENDING', attempts, nextAttemptAt, statusCode, error };
}

/** Why an attempt that did not deliver failed. */
export function failureOf(result: AttemptResult): AttemptFailure | 'REDIRECT' | 'STATUS' {
  if (result.kind === 'FAILED') return result.code;
  return result.status >= 300 && result.status < 400 ? 'REDIRECT' : 'STATUS';
}
