import { findBankAccount } from '../db/bank-account-store.ts';
import type { ScopedTransaction } from '../db/database.ts';
import type { PaymentRow } from '../db/payment-store.ts';
import { formatAmount } from '../domain/money/amount.ts';
import type { TransferOrder } from '../domain/payments/transfer-order.ts';
import type { Scope } from '../domain/scope.ts';
import type { Vault } from '../vault/vault.ts';
import { paymentRow, type PaymentPersonal } from './payment-view.ts';

/** The account of the payment's end-user, sealed: accounts never change but for their status. */
export interface CreditorAccount {
  readonly id: string;
  readonly country: string;
  readonly personal: Buffer;
}

/** Reads the account that a payment goes to. */
export async function readCreditorAccount(
  tx: ScopedTransaction,
  scope: Scope,
  bankAccountId: string,
): Promise<CreditorAccount> {
  const row = await findBankAccount(tx, scope, bankAccountId);
  if (row === null) throw new Error(`there is no bank account ${bankAccountId}`);
  return row;
}

/** What of a payment its orders to the bank are made of. */
export type OrderedPayment = Pick<
  PaymentRow,
  'id' | 'endUserId' | 'ownerKey' | 'amount' | 'currency' | 'rail' | 'personal'
>;

/** What the bank is asked to do under one reference. Opened for the bank alone. */
export function transferOrder(
  vault: Vault,
  payment: OrderedPayment,
  account: CreditorAccount,
  reference: string,
): TransferOrder {
  const sealer = vault.of(payment);
  const creditor = sealer.openJson<{ holderName: string; details: Record<string, string> }>(
    account.personal,
    `bank_accounts/${account.id}`,
  );
  const personal = sealer.openJson<PaymentPersonal>(payment.personal, paymentRow(payment.id));
  return {
    reference,
    amount: formatAmount(payment.amount, payment.currency),
    currency: payment.currency,
    rail: payment.rail,
    creditor: { name: creditor.holderName, account: creditor.details, country: account.country },
    remittance: personal.reference ?? '',
  };
}
