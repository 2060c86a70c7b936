import type { AttemptRow } from '../src/db/settlement-attempt-store.ts';
import { assertNever } from '../src/domain/assert-never.ts';
import type { Clock } from '../src/domain/clock.ts';
import type { SettlementTiming } from '../src/domain/payments/settlement-timing.ts';
import { attemptRow } from '../src/payments/open-attempt.ts';
import type { BankAnswer } from '../src/payments/record-answer.ts';
import type { Rail } from '../src/connectors/connector.ts';
import type { Vault } from '../src/vault/vault.ts';

interface BankCall {
  readonly rail: Rail;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly timing: SettlementTiming;
}

/**
 * Sends the committed bytes of an attempt, once, unless so much time has passed since the commit that
 * the answer could come after the deadline: then nothing is sent, and that is known.
 */
export async function sendToBank(call: BankCall, attempt: AttemptRow): Promise<BankAnswer> {
  const body = call.vault.open(attempt.request, attemptRow(attempt.reference));
  const left = attempt.deadlineAt.getTime() - call.clock.now().getTime();
  if (left < call.timing.bankTimeoutMs) return { kind: 'NOT_SENT', why: 'TOO_LATE' };
  const answer = await call.rail.submit(
    { reference: attempt.reference, body },
    { timeoutMs: call.timing.bankTimeoutMs },
  );
  switch (answer.kind) {
    case 'NOT_SENT':
      return { kind: 'NOT_SENT', why: answer.why };
    case 'ANSWERED':
      return word(answer);
    case 'REFUSED':
      return { kind: 'REFUSED', why: `HTTP_${String(answer.httpStatus)}` };
    case 'UNAVAILABLE':
      return { kind: 'ANSWERED_UNCLEARLY', why: 'HTTP_503' };
    case 'UNKNOWN':
      return isAnswer(answer.why)
        ? { kind: 'ANSWERED_UNCLEARLY', why: answer.why }
        : { kind: 'SILENCE', why: answer.why };
    default:
      return assertNever(answer);
  }
}

/** Asks where an attempt stands. Safe at any time and as often as wanted. */
export async function askBank(call: BankCall, attempt: AttemptRow): Promise<BankAnswer> {
  const answer = await call.rail.ask(attempt.reference, { timeoutMs: call.timing.bankTimeoutMs });
  switch (answer.kind) {
    case 'FOUND':
      return word(answer);
    case 'MISSING':
      return { kind: 'MISSING' };
    case 'UNKNOWN':
      return { kind: 'SILENCE', why: answer.why };
    default:
      return assertNever(answer);
  }
}

function word(answer: {
  readonly status: 'ACCEPTED' | 'SETTLED' | 'REJECTED' | 'RETURNED';
  readonly bankReference?: string;
  readonly reason?: string;
}): BankAnswer {
  return {
    kind: 'WORD',
    word: {
      status: answer.status,
      bankReference: answer.bankReference ?? null,
      reason: answer.reason ?? null,
    },
  };
}

/**
 * Whether the bank itself spoke, so that its clock for "never seen" starts with the answer. 408, 502 and
 * 504 are how a proxy says that it did not: behind it the request may still be worked on (RFC 9110).
 */
const isAnswer = (why: string): boolean => why.startsWith('HTTP_') && !BY_PROXY.has(why);

const BY_PROXY: ReadonlySet<string> = new Set(['HTTP_408', 'HTTP_502', 'HTTP_504']);
