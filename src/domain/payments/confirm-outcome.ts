import { openAttemptOf, readyAttemptOf, type Attempt } from './attempt.ts';
import type { PaymentState } from './payment.ts';
import { isForOperators } from './next-bank-step.ts';
import { TRANSFER_STATUSES } from './transfer-report.ts';

/** What two operators may say became of a payment, where the bank does not say it to the engine. */
export type ConfirmedOutcome = 'SETTLED' | 'FAILED';

/** Why operators cannot say what became of it. */
export type ConfirmationObstacle =
  /** It has ended, or the engine still finds out by itself. */
  | 'NOT_WAITING'
  /** Nothing of it left: it is retried or canceled. */
  | 'NEVER_SENT'
  /** Its bytes may be on their way at this moment. */
  | 'SENDING'
  /** Another attempt of it is not ended. */
  | 'OTHER_ATTEMPT'
  /** The bank was not asked since it was sent. */
  | 'NOT_ASKED'
  /** The bank's own word is the contrary, or has become it since the proposal. */
  | 'BANK_SAID_OTHERWISE'
  /** The bank has said that it paid, or what it booked does not fit: its funds are not given back. */
  | 'CONTRADICTED'
  | 'STATEMENT_SAYS_OTHERWISE';

/** What booked statement lines say of references of ours; TAKEN_BACK: they cancel out. Null: nothing. */
export type StatementWord = 'PAID' | 'CAME_BACK' | 'TAKEN_BACK' | null;

/** The bank's last own word about an attempt. Silence and errors are no word. */
export function bankWordOf({ lastAnswer }: Pick<Attempt, 'lastAnswer'>): string {
  const isWord = [...TRANSFER_STATUSES, 'NEVER_SEEN'].some((word) => word === lastAnswer);
  return isWord && lastAnswer !== null ? lastAnswer : 'NOTHING';
}

const CONTRARY: Readonly<Record<ConfirmedOutcome, ReadonlySet<string>>> = {
  SETTLED: new Set(['REJECTED', 'RETURNED', 'NEVER_SEEN']),
  FAILED: new Set(['ACCEPTED', 'SETTLED', 'RETURNED']),
};

/** Whether the bank has said the contrary since the operators looked. */
export const hasSaidOtherwise = (outcome: ConfirmedOutcome, before: string, word: string) =>
  word !== before && CONTRARY[outcome].has(word);

/** A payment under its lock, with all that banks have said of it applied. */
interface ConfirmationInput {
  readonly payment: Pick<
    PaymentState,
    'status' | 'statusDetail' | 'reconciliationStatus' | 'reconciliationEvidence'
  > & { readonly updatedAt: Date };
  readonly attempts: readonly Attempt[];
  /** Of which attempt it is said. */
  readonly reference: string;
  readonly statement: StatementWord;
  /** What the bank has taken on is waited for until then: changed later, it is not asked about yet. */
  readonly quietSince: Date;
  readonly now: Date;
}

/**
 * What keeps operators from saying what became of an attempt. SETTLED: they know that the bank paid it. FAILED:
 * they know that it did not and will not, for the funds go back at once. Null: nothing does.
 */
export function findConfirmationObstacle(
  outcome: ConfirmedOutcome,
  input: ConfirmationInput,
): ConfirmationObstacle | null {
  const { attempts, reference, now } = input;
  const attempt = attempts.find((one) => one.reference === reference);
  if (attempt === undefined || !isWaiting(input)) return 'NOT_WAITING';
  const open = openAttemptOf(attempts);
  if (open === null && readyAttemptOf(attempts) === attempt) return 'NEVER_SENT';
  if (readyAttemptOf(attempts) !== null || (open !== null && open !== attempt)) {
    return 'OTHER_ATTEMPT';
  }
  // After the deadline no process sends these bytes.
  const isOut = attempt.phase === 'SENDING' || attempt.deadlineAt > now;
  if (open !== null && isOut) return 'SENDING';
  return outcome === 'SETTLED'
    ? findSettledObstacle(input, attempt)
    : findFailedObstacle(input, attempt);
}

function isWaiting({ payment, quietSince }: ConfirmationInput): boolean {
  const { status, statusDetail, updatedAt } = payment;
  if (status === 'ON_HOLD') return isForOperators(statusDetail);
  return status === 'SENT' && updatedAt < quietSince;
}

function findSettledObstacle(
  { payment, statement }: ConfirmationInput,
  attempt: Attempt,
): ConfirmationObstacle | null {
  if (attempt.phase === 'NOT_SENT') return 'NEVER_SENT';
  if (statement !== null && statement !== 'PAID') return 'STATEMENT_SAYS_OTHERWISE';
  const said = payment.reconciliationEvidence ?? {};
  // The bank rejected it and then said that it settled: which is true only people can find out.
  const isDisputed = said['said'] === 'SETTLED' && said['reference'] === attempt.reference;
  if (attempt.phase === 'REJECTED') return isDisputed ? null : 'BANK_SAID_OTHERWISE';
  const word = bankWordOf(attempt);
  return word === 'REJECTED' || word === 'RETURNED' ? 'BANK_SAID_OTHERWISE' : null;
}

function findFailedObstacle(
  { payment, statement, attempts }: ConfirmationInput,
  attempt: Attempt,
): ConfirmationObstacle | null {
  if (attempt !== attempts.at(-1)) return 'OTHER_ATTEMPT';
  if (payment.reconciliationStatus === 'EXCEPTION') return 'CONTRADICTED';
  if (statement !== null && statement !== 'TAKEN_BACK') return 'STATEMENT_SAYS_OTHERWISE';
  const isUnasked = attempt.phase === 'UNKNOWN' && attempt.lastAnswer === null;
  return isUnasked ? 'NOT_ASKED' : null;
}
