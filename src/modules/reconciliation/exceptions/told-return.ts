import type { PaymentState } from '../../../domain/payments/payment.ts';
import { payoutEvidence, type Evidence } from '../evidence.ts';

type Reconciled = Pick<PaymentState, 'reconciliationStatus' | 'reconciliationEvidence'>;

/**
 * A line of the bank shows the return that the bank had told of a payment. `content`: of the act that says so. The payment is
 * reconciled if its payout was seen and nothing else is wrong.
 */
export function toldReturnSeen(
  { reconciliationStatus, reconciliationEvidence: known }: Reconciled,
  content: Evidence,
  actId: string,
): Partial<Reconciled> {
  const { statement: statementId, line, bankReference = null } = content;
  const seen = { statementId, line, bankReference, shownBy: actId };
  const payout = payoutEvidence(known);
  const isOpen = reconciliationStatus === 'PENDING' || known?.['exception'] === 'MISSING_AT_BANK';
  return isOpen && payout !== null
    ? { reconciliationStatus: 'RECONCILED', reconciliationEvidence: { ...payout, return: seen } }
    : { reconciliationEvidence: { ...known, return: seen } };
}

/** The act was reversed: the statement has yet to show the return. */
export function toldReturnUnseen(
  { reconciliationStatus, reconciliationEvidence: known }: Reconciled,
  reversed: string,
): Partial<Reconciled> {
  const { return: _seen, ...rest } = known ?? {};
  return {
    ...(reconciliationStatus === 'RECONCILED' ? { reconciliationStatus: 'PENDING' } : {}),
    reconciliationEvidence: { ...rest, reversed },
  };
}
