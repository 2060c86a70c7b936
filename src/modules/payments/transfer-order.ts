import { findBankAccount } from '../../db/parties/bank-account-store.ts';
import type { ScopedTransaction } from '../../db/client/database.ts';
import type { PaymentRow } from '../../db/payments/payment-store.ts';
import { findWallet } from '../../db/parties/wallet-store.ts';
import type { Network } from '../../domain/onchain/network.ts';
import { formatAmount } from '../../domain/money/amount.ts';
import type { TransferOrder } from '../../domain/payments/transfer-order.ts';
import type { Scope } from '../../domain/scope.ts';
import type { Vault } from '../../vault/vault.ts';
import { paymentRow, type PaymentPersonal } from './payment-view.ts';

/** The account of the payment's end-user, sealed: accounts never change but for their status. */
export interface CreditorAccount {
  readonly id: string;
  readonly country: string;
  readonly personal: Buffer;
}

/** Where a wallet is: that never changes either. */
export interface PaidWallet {
  readonly network: Network;
  /** In EIP-55's mixed case. */
  readonly address: string;
}

/** Where a payment goes. */
export type Destination =
  | { readonly kind: 'BANK_ACCOUNT'; readonly account: CreditorAccount }
  | { readonly kind: 'WALLET'; readonly wallet: PaidWallet };

/** Reads the account or the wallet that a payment goes to. */
export async function readDestination(
  tx: ScopedTransaction,
  scope: Scope,
  { id, bankAccountId, walletId }: Pick<PaymentRow, 'id' | 'bankAccountId' | 'walletId'>,
): Promise<Destination> {
  const account = bankAccountId === null ? null : await findBankAccount(tx, scope, bankAccountId);
  if (account !== null) return { kind: 'BANK_ACCOUNT', account };
  const wallet = walletId === null ? null : await findWallet(tx, scope, walletId);
  if (wallet !== null) return { kind: 'WALLET', wallet };
  throw new Error(`payment ${id} has lost its account or wallet`);
}

/** What of a payment its orders to the bank or the network are made of. */
export type OrderedPayment = Pick<
  PaymentRow,
  'id' | 'customerId' | 'endUserId' | 'ownerKey' | 'amount' | 'currency' | 'rail' | 'personal'
>;

/**
 * What the bank or the network's rail is asked to do under one reference. Opened for it alone. Throws where a
 * wallet is on another network than the payment's rail.
 */
export function transferOrder(
  vault: Vault,
  payment: OrderedPayment,
  destination: Destination,
  reference: string,
): TransferOrder {
  const amount = formatAmount(payment.amount, payment.currency);
  if (destination.kind === 'WALLET') {
    const { network, address } = destination.wallet;
    if (network !== payment.rail) throw new Error(`payment ${payment.id} is for another network`);
    return { reference, amount, asset: payment.currency, network, address };
  }
  const { account } = destination;
  const sealer = vault.of(payment);
  const creditor = sealer.openJson<{ holderName: string; details: Record<string, string> }>(
    account.personal,
    `bank_accounts/${account.id}`,
  );
  const personal = sealer.openJson<PaymentPersonal>(payment.personal, paymentRow(payment.id));
  return {
    ...{ reference, amount, currency: payment.currency, rail: payment.rail },
    creditor: { name: creditor.holderName, account: creditor.details, country: account.country },
    remittance: personal.reference ?? '',
    onBehalfOf: payment.customerId,
  };
}
