import { insertAttempt, type AttemptRow } from '../db/settlement-attempt-store.ts';
import { mayHaveLostLife } from '../db/restore-mode-store.ts';
import type { PaymentRow } from '../db/payment-store.ts';
import { systemActor } from '../domain/actor.ts';
import { formatAmount } from '../domain/money/amount.ts';
import { claimedAttempt, restoredAttempt } from '../domain/payments/attempt.ts';
import type { SettlementTiming } from '../domain/payments/settlement-timing.ts';
import type { TransferOrder } from '../domain/payments/transfer-order.ts';
import type { Vault } from '../vault/vault.ts';
import { changePayment } from './change-payment.ts';
import type { LockedPayment } from './locked-payment.ts';
import { paymentRow, type PaymentPersonal } from './payment-view.ts';
import { openPersonal, type AccountPersonal } from './transfer-parties.ts';
import { transferReference } from './transfer-reference.ts';

/** Turns an order into the exact bytes that the rail's connector will send. */
export type EncodeTransfer = (order: TransferOrder) => Uint8Array;

export interface ClaimDeps {
  readonly vault: Vault;
  readonly timing: SettlementTiming;
  readonly encode: EncodeTransfer;
}

export const attemptRow = (reference: string): string => `settlement_attempts/${reference}`;

/**
 * Writes the payment's next attempt with the exact bytes, to be sent once this has committed. After a
 * restore of an older database the bank is asked first: the lost life may have sent the reference.
 */
export async function claimAttempt(
  deps: ClaimDeps,
  locked: LockedPayment,
): Promise<{ readonly kind: 'SEND' | 'ASK'; readonly attempt: AttemptRow }> {
  const { tx, scope, payment, attempts, now } = locked;
  const number = attempts.length + 1;
  const reference = transferReference(deps.vault, scope, payment.idempotencyKey, number);
  const account = await openPersonal(tx, scope, payment.bankAccountId, deps.vault);
  const bytes = deps.encode(orderFor(payment, reference, account, deps.vault));
  const isRestored = await mayHaveLostLife(tx, payment.createdAt);
  const begin = isRestored ? restoredAttempt : claimedAttempt;
  const attempt: AttemptRow = {
    ...begin(reference, now, deps.timing),
    paymentId: payment.id,
    number,
    rail: payment.rail,
    request: deps.vault.seal(bytes, attemptRow(reference)),
  };
  await insertAttempt(tx, scope, attempt);
  await changePayment(
    locked,
    {
      status: 'PROCESSING',
      statusDetail: 'SUBMITTING',
      fundsStatus: 'HELD',
      hasOpenAttempt: true,
      refs: [...payment.refs, { type: 'END_TO_END_ID', value: reference }],
    },
    systemActor('settlement'),
  );
  return { kind: isRestored ? 'ASK' : 'SEND', attempt };
}

function orderFor(
  payment: PaymentRow,
  reference: string,
  account: AccountPersonal,
  vault: Vault,
): TransferOrder {
  const personal = vault.openJson<PaymentPersonal>(payment.personal, paymentRow(payment.id));
  return {
    reference,
    amount: formatAmount(payment.amount, payment.currency),
    currency: payment.currency,
    rail: payment.rail,
    creditor: { name: account.holderName, account: account.details, country: account.country },
    remittance: personal.reference ?? '',
  };
}
