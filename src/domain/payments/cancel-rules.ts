import type { Attempt, AttemptPhase } from './attempt.ts';
import { isSettledOrFinal } from './payment-states.ts';
import type { ShownFunding } from '../onchain/deposits/shown-funding.ts';
import type { PaymentChange, PaymentState } from './payment.ts';

/**
 * Why a payment is not canceled. ALREADY_ENDED: it is COMPLETED or final. SENT_TO_BANK: it was claimed for
 * a send, or the bank has spoken of it. DEPOSIT_COMPLETE: the deposit that pays for it is there, and it is on its
 * way. BANK_MUST_BE_ASKED: the database before a restore may have sent it.
 */
export type CancelObstacle =
  'ALREADY_ENDED' | 'SENT_TO_BANK' | 'DEPOSIT_COMPLETE' | 'BANK_MUST_BE_ASKED';

/** What of a payment decides whether it can be canceled. */
type CancelablePayment = Pick<PaymentState, 'status' | 'reconciliationStatus'> & {
  /** Null: its balance pays it. */
  readonly funding: Pick<ShownFunding, 'status'> | null;
};

/** The phases of an attempt of which no byte has left. */
export const UNSENT_PHASES = ['READY', 'NOT_SENT'] as const satisfies readonly AttemptPhase[];

const UNSENT: ReadonlySet<AttemptPhase> = new Set(UNSENT_PHASES);

/** Whether the bank may know of a payment by its attempts: any of them may have left, or has ended. */
export const mayBankKnow = (attempts: readonly Attempt[]): boolean =>
  attempts.some(({ phase }) => !UNSENT.has(phase));

/**
 * What keeps a locked payment, whose reports of the bank are applied, from being canceled. `mayPredateRestore`:
 * the database before a restore may have sent it. Null: nothing of it has left, and under its lock nothing can.
 */
export function findCancelObstacle(
  payment: CancelablePayment,
  attempts: readonly Attempt[],
  mayPredateRestore: boolean,
): CancelObstacle | null {
  if (isSettledOrFinal(payment.status)) return 'ALREADY_ENDED';
  const isContradicted = payment.reconciliationStatus === 'EXCEPTION';
  if (payment.status === 'SENT' || isContradicted || mayBankKnow(attempts)) return 'SENT_TO_BANK';
  // One that is held up may wait for what never comes: then its customer takes the money back.
  const isComplete = payment.funding?.status === 'HELD';
  if (isComplete && payment.status === 'PROCESSING') return 'DEPOSIT_COMPLETE';
  return mayPredateRestore ? 'BANK_MUST_BE_ASKED' : null;
}

/** What the closed attempt says. */
export const CANCEL_REASON = 'CANCELED_ON_REQUEST';

/**
 * The funds go back to where they were held from, fees included. Of a payment that waits for a deposit nothing is
 * held: what a part of it brought is let go with its funding.
 */
export const canceled = ({ funding }: Pick<CancelablePayment, 'funding'>): PaymentChange => ({
  status: 'CANCELED',
  statusDetail: 'CANCELED_ON_REQUEST',
  fundsStatus: 'BACK_IN_BALANCE',
  hasOpenAttempt: false,
  movements: funding?.status === 'AWAITED' ? [] : [{ kind: 'RELEASE' }],
});

/** Whether a cancel would be taken, as far as a look without the lock can tell. */
export function isCancelable(
  payment: CancelablePayment & { readonly mayHaveLeft: boolean },
): boolean {
  return !payment.mayHaveLeft && findCancelObstacle(payment, [], false) === null;
}
