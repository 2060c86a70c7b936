import { readCustomerNames } from '../../../../db/customers/customer-status-store.ts';
import {
  findTransferForOps,
  type ChainTransferRow,
} from '../../../../db/onchain/chain-transfer-store.ts';
import {
  findPaymentForOps,
  readAttemptsForOps,
  readHistoryForOps,
  type OpsAttempt,
  type OpsHistoryRow,
  type OpsPayment,
} from '../../../../db/operations/ops-store.ts';
import { findLateReturn, type LateReturnRow } from '../../../../db/payments/late-return-store.ts';
import {
  listLinesOfPayment,
  type LineOfPayment,
} from '../../../../db/reconciliation/statement-page-store.ts';
import type { AttemptPhase } from '../../../../domain/payments/attempt.ts';
import { advisePayment, type PaymentAdvice } from '../../../../domain/payments/payment-advice.ts';
import type { PaymentStatus, StatusDetail } from '../../../../domain/payments/payment-states.ts';
import { isVoidable } from '../../../../modules/onchain/ask-void.ts';
import { quietSince } from '../../../../modules/payments/stuck-payments.ts';
import type { ConsoleDeps } from '../../console-deps.ts';

/** A payment and all that its page shows. */
export interface ShownPayment {
  readonly payment: OpsPayment;
  readonly customerName: string | undefined;
  readonly history: readonly OpsHistoryRow[];
  readonly attempts: readonly OpsAttempt[];
  readonly late: LateReturnRow | null;
  /** Its last transfer over a chain; null where there is none. */
  readonly transfer: ChainTransferRow | null;
  readonly lines: readonly LineOfPayment[];
}

/** A payment rarely has more than two lines: the debit and a return. */
const LINES_MAX = 10;

/** Null where there is no such payment. */
export const loadPayment = ({ db }: ConsoleDeps, id: string): Promise<ShownPayment | null> =>
  db.system(async (tx) => {
    const payment = await findPaymentForOps(tx, id);
    if (payment === null) return null;
    const history = await readHistoryForOps(tx, id);
    const attempts = await readAttemptsForOps(tx, id);
    const late = await findLateReturn(tx, id);
    const transfer = payment.walletId === null ? null : await findTransferForOps(tx, id);
    const names = await readCustomerNames(tx, [payment.customerId]);
    const lines = await listLinesOfPayment(tx, id, LINES_MAX);
    const customerName = names.get(payment.customerId);
    return { payment, customerName, history, attempts, late, transfer, lines };
  });

/** What is recommended to an operator who looks at it now. */
export function adviceOn(shown: ShownPayment, now: Date): PaymentAdvice {
  const { payment, attempts, late, transfer } = shown;
  const isUndecided = late !== null && late.decision === null;
  return advisePayment({
    status: payment.status as PaymentStatus,
    statusDetail: payment.statusDetail as StatusDetail,
    isContradicted: payment.reconciliationStatus === 'EXCEPTION',
    isToWallet: payment.walletId !== null,
    isQuiet: payment.updatedAt < quietSince(now)[payment.environment].SENT,
    attempts: attempts.map(({ phase, heldBy }) => ({ phase: phase as AttemptPhase, heldBy })),
    lateReturn: isUndecided ? { isBooked: late.amount !== null } : null,
    isVoidable: transfer !== null && isVoidable(transfer),
  });
}
