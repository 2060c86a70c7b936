import { openPersonal, type AccountPersonal } from './transfer-parties.ts';
import type { ScopedTransaction } from '../db/database.ts';
import type { PaymentRow } from '../db/payment-store.ts';
import { insertAttempt, type AttemptRow } from '../db/settlement-attempt-store.ts';
import { bankReference } from '../domain/ids.ts';
import { formatAmount } from '../domain/money/amount.ts';
import type { SettlementTiming } from '../domain/payments/settlement-timing.ts';
import type { Scope } from '../domain/scope.ts';
import type { Vault } from '../vault/vault.ts';
import type { PaymentWithAttempts } from './apply-reports.ts';
import { changePayment } from './change-payment.ts';
import { paymentRow, type PaymentPersonal } from './payment-view.ts';

/** What the bank is told to do. */
export interface TransferOrder {
  readonly reference: string;
  /** Major units, exactly the currency's decimals. */
  readonly amount: string;
  readonly currency: string;
  readonly rail: string;
  readonly creditor: {
    readonly name: string;
    readonly account: Readonly<Record<string, string>>;
    readonly country: string;
  };
  readonly remittance: string;
}

/** Turns an order into the exact bytes that the rail will send. */
export type EncodeTransfer = (order: TransferOrder) => Uint8Array;

export const attemptRow = (reference: string): string => `settlement_attempts/${reference}`;

/** Writes the payment's next attempt with the exact bytes, ready to be sent once we have committed. */
export async function openNextAttempt(
  deps: {
    readonly vault: Vault;
    readonly timing: SettlementTiming;
    readonly encode: EncodeTransfer;
  },
  tx: ScopedTransaction,
  scope: Scope,
  known: PaymentWithAttempts,
  now: Date,
): Promise<AttemptRow> {
  const { payment } = known;
  const number = known.attempts.length + 1;
  const reference = bankReference(payment.id, number);
  const account = await openPersonal(tx, scope, payment.bankAccountId, deps.vault);
  const bytes = deps.encode(orderFor(payment, reference, account, deps.vault));
  const attempt = {
    reference,
    paymentId: payment.id,
    number,
    rail: payment.rail,
    request: deps.vault.seal(bytes, attemptRow(reference)),
    deadlineAt: new Date(now.getTime() + deps.timing.attemptDeadlineMs),
  };
  await insertAttempt(tx, scope, attempt, now);
  await changePayment(
    tx,
    scope,
    payment,
    {
      status: 'PROCESSING',
      statusDetail: 'SUBMITTING',
      fundsStatus: 'HELD',
      hasOpenAttempt: true,
      refs: [...payment.refs, { type: 'END_TO_END_ID', value: reference }],
      actor: 'settle',
    },
    now,
  );
  return {
    ...attempt,
    phase: 'SENDING',
    sends: 1,
    fruitlessSends: 0,
    refusedByBank: false,
    answeredAt: null,
    unknownSince: now,
    askBaseAt: now,
    nextAskAt: null,
    missingCount: 0,
    lastAnswer: null,
    bankReference: null,
    reason: null,
    settledAt: null,
    isRejectionConfirmed: false,
    updatedAt: now,
  };
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
