import type { Attempt, AttemptPhase } from './attempt.ts';
import { isSettledOrFinal } from './payment-states.ts';
import type { PaymentChange, PaymentState } from './payment.ts';

/**
 * Why a payment is not canceled. ALREADY_ENDED: it is COMPLETED or final. SENT_TO_BANK: it was claimed for
 * a send, or the bank has spoken of it. BANK_MUST_BE_ASKED: a lost life of the database may have sent it.
 */
export type CancelObstacle = 'ALREADY_ENDED' | 'SENT_TO_BANK' | 'BANK_MUST_BE_ASKED';

/** The phases of an attempt of which no byte has left. */
export const UNSENT_PHASES = ['READY', 'NOT_SENT'] as const satisfies readonly AttemptPhase[];

const UNSENT: ReadonlySet<AttemptPhase> = new Set(UNSENT_PHASES);

/** Whether the bank may know of a payment by its attempts: any of them may have left, or has ended. */
export const mayBankKnow = (attempts: readonly Attempt[]): boolean =>
  attempts.some(({ phase }) => !UNSENT.has(phase));

/**
 * What keeps a locked payment, whose reports of the bank are applied, from being canceled. `mayHaveLostLife`:
 * a lost life of the database may have sent it. Null: nothing of it has left, and under its lock nothing can.
 */
export function findCancelObstacle(
  payment: Pick<PaymentState, 'status' | 'reconciliationStatus'>,
  attempts: readonly Attempt[],
  mayHaveLostLife: boolean,
): CancelObstacle | null {
  if (isSettledOrFinal(payment.status)) return 'ALREADY_ENDED';
  const isContradicted = payment.reconciliationStatus === 'EXCEPTION';
  if (payment.status === 'SENT' || isContradicted || mayBankKnow(attempts)) return 'SENT_TO_BANK';
  return mayHaveLostLife ? 'BANK_MUST_BE_ASKED' : null;
}

/** What the closed attempt says. */
export const CANCEL_REASON = 'CANCELED_ON_REQUEST';

/** The funds go back to where they were held from, fees included. */
export const CANCELED: PaymentChange = {
  status: 'CANCELED',
  statusDetail: 'CANCELED_ON_REQUEST',
  fundsStatus: 'BACK_IN_BALANCE',
  hasOpenAttempt: false,
  movements: [{ kind: 'RELEASE' }],
};

/** Whether a cancel would be taken, as far as a look without the lock can tell. */
export function isCancelable(
  payment: Pick<PaymentState, 'status' | 'reconciliationStatus'> & {
    readonly mayHaveLeft: boolean;
  },
): boolean {
  return !payment.mayHaveLeft && findCancelObstacle(payment, [], false) === null;
}
