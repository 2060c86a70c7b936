import { isOpenPhase, type Attempt } from '../payments/attempt.ts';
import type { Finality } from '../payments/finality.ts';
import type { PaymentDestination } from '../payments/payment-destination.ts';
import type { PaymentState } from '../payments/payment.ts';
import { isRetryableReason } from '../payments/transfer-report.ts';
import type { AdvanceOrder } from './bank-control.ts';

/** Where a partner can have a payment of the test environment moved. */
export const ADVANCES = ['COMPLETED', 'FAILED', 'RETURNED', 'RECONCILED'] as const;

export type Advance = (typeof ADVANCES)[number];

export interface AdvancedPayment extends Pick<PaymentState, 'status' | 'reconciliationStatus'> {
  readonly finality: Finality;
  readonly destination: Pick<PaymentDestination, 'kind'>;
}

type AdvanceVerdict =
  /** It stands there: nothing is to be done. */
  | { readonly kind: 'THERE' }
  | { readonly kind: 'ORDER'; readonly order: AdvanceOrder }
  | { readonly kind: 'REFUSED'; readonly field: 'to' | 'railCode'; readonly message: string };

const refused = (message: string, field: 'to' | 'railCode' = 'to'): AdvanceVerdict => ({
  ...{ kind: 'REFUSED', field, message },
});

/**
 * What the sandbox bank is to be told so that a payment comes to `to`, judged by what is known here; the bank judges
 * again by its own journal. Only what a bank can do: nothing that was not sent, nothing that is over.
 */
export function judgeAdvance(
  payment: AdvancedPayment,
  attempts: readonly Attempt[],
  { to, railCode }: { readonly to: Advance; readonly railCode?: string },
): AdvanceVerdict {
  if (railCode !== undefined && to !== 'FAILED' && to !== 'RETURNED') {
    return refused('A railCode says why a payment is FAILED or RETURNED.', 'railCode');
  }
  if (payment.destination.kind === 'WALLET') {
    return refused('A chain moves payments to wallets: its blocks come by themselves.');
  }
  const { status, reconciliationStatus } = payment;
  if (status === to || (to === 'RECONCILED' && reconciliationStatus === to)) {
    return { kind: 'THERE' };
  }
  if (to === 'RECONCILED') return statementOf(payment, attempts);
  if (payment.finality === 'FINAL') return refused(`The payment is ${status} for good.`);
  if (to === 'RETURNED') return returnOf(payment, attempts, railCode);
  const sent = attempts.find(({ phase }) => isOpenPhase(phase) && phase !== 'NOT_SENT');
  if (status === 'COMPLETED') return refused('The bank has paid it: it can only come back.');
  if (sent === undefined) return refused('Nothing of the payment is with the bank now.');
  const { reference } = sent;
  if (to === 'COMPLETED') return { kind: 'ORDER', order: { reference, to: 'SETTLED' } };
  if (railCode !== undefined && isRetryableReason(railCode)) {
    const message = 'After a reason that may pass a payment is sent again; it does not fail.';
    return refused(message, 'railCode');
  }
  const reason = railCode === undefined ? {} : { reason: railCode };
  return { kind: 'ORDER', order: { reference, to: 'REJECTED', ...reason } };
}

function returnOf(
  { status }: AdvancedPayment,
  attempts: readonly Attempt[],
  railCode: string | undefined,
): AdvanceVerdict {
  const reference = attempts.find(({ phase }) => phase === 'SETTLED')?.reference;
  if (status !== 'COMPLETED' || reference === undefined) {
    return refused('Only what was COMPLETED can come back.');
  }
  const reason = railCode === undefined ? {} : { reason: railCode };
  return { kind: 'ORDER', order: { reference, to: 'RETURNED', ...reason } };
}

function statementOf(
  { status, reconciliationStatus }: AdvancedPayment,
  attempts: readonly Attempt[],
): AdvanceVerdict {
  const moved = attempts.find(({ phase }) => phase === 'SETTLED' || phase === 'RETURNED');
  if (moved === undefined || (status !== 'COMPLETED' && status !== 'RETURNED')) {
    return refused('No statement shows a payment before money has moved.');
  }
  if (reconciliationStatus === 'EXCEPTION') {
    return refused('Its reconciliation is an EXCEPTION, which operators resolve.');
  }
  return { kind: 'ORDER', order: { reference: moved.reference, to: 'ON_STATEMENT' } };
}
