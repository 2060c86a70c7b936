import type { ScopedTransaction } from '../../db/client/database.ts';
import { findBankAccount } from '../../db/parties/bank-account-store.ts';
import { findWallet } from '../../db/parties/wallet-store.ts';
import type { PaymentRow } from '../../db/payments/payment-store.ts';
import type { Network } from '../../domain/onchain/network.ts';
import type { Scope } from '../../domain/scope.ts';

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

/** Whom a payment pays. */
export type Beneficiary =
  | { readonly kind: 'BANK'; readonly account: CreditorAccount }
  | { readonly kind: 'WALLET'; readonly wallet: PaidWallet };

/** Reads the account or the wallet that a payment goes to. */
export async function readBeneficiary(
  tx: ScopedTransaction,
  scope: Scope,
  { id, destination }: Pick<PaymentRow, 'id' | 'destination'>,
): Promise<Beneficiary> {
  if (destination.kind === 'BANK') {
    const account = await findBankAccount(tx, scope, destination.bankAccountId);
    if (account !== null) return { kind: 'BANK', account };
  } else {
    const wallet = await findWallet(tx, scope, destination.walletId);
    if (wallet !== null) return { kind: 'WALLET', wallet };
  }
  throw new Error(`payment ${id} has lost its account or wallet`);
}
