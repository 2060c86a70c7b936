import { contradictLateReturn, showLateReturn } from '../../db/payments/late-return-store.ts';
import type { LineToApply } from '../../db/reconciliation/statement-line-store.ts';
import type { StatementRow } from '../../db/reconciliation/statement-store.ts';
import { systemActor } from '../../domain/actor.ts';
import { codeText } from '../../domain/payments/failures/rail-reasons.ts';
import { lateReturnShown, tellsLateReturn } from '../../domain/payments/late-return.ts';
import { changePayment } from '../payments/change-payment.ts';
import type { LockedPayment } from '../payments/locked-payment.ts';
import { lineEvidence } from './evidence.ts';

/** Whether a return of the payment would be too late: nothing moves it any more. */
export const isReturnLate = ({ payment }: LockedPayment): boolean =>
  payment.status === 'COMPLETED' && payment.finality === 'FINAL';

/**
 * A statement shows that the money of a final payment came back: it goes to the suspense account, so that
 * the books agree with the bank, and operators decide. Once for a payment, in however many readings and
 * on however many statements. `minor`: what came back, in minor units.
 */
export async function postLateReturn(
  locked: LockedPayment,
  statement: StatementRow,
  line: LineToApply,
  minor: bigint,
): Promise<LockedPayment> {
  const { tx, scope, payment, now } = locked;
  const { currency, amount } = line;
  const shown = {
    ...{ paymentId: payment.id, currency, amount: minor },
    reason: codeText(line.reason),
  };
  if (!(await showLateReturn(tx, scope, shown, now))) return locked;
  const found = { ...lineEvidence(statement, line), amount, minorUnits: minor, currency };
  return changePayment(locked, lateReturnShown(payment, found), systemActor('bank-statement'));
}

/**
 * Another line of the payment does not go with what came back late: the bank took it back, or sent it
 * twice. What was proposed before is void, and nothing is credited on its account.
 */
export async function contradictLate(
  locked: LockedPayment,
  exception: string,
): Promise<LockedPayment> {
  const { tx, scope, payment } = locked;
  const evidence = payment.reconciliationEvidence;
  // The line itself, read again, is no other one.
  if (exception === 'LATE_RETURN' || !tellsLateReturn(evidence)) return locked;
  if (!(await contradictLateReturn(tx, scope, payment.id, exception))) return locked;
  const change = { reconciliationEvidence: { ...evidence, contradictedBy: exception } };
  return changePayment(locked, change, systemActor('bank-statement'));
}
