import type { Network } from '../onchain/network.ts';

/** The bank account or the wallet that an order asks to be paid. */
export type OrderDestination =
  | { readonly kind: 'BANK'; readonly bankAccountId: string }
  | { readonly kind: 'WALLET'; readonly walletId: string };

/** Where a payment goes, and by which rail or over which network. */
export type PaymentDestination =
  | { readonly kind: 'BANK'; readonly bankAccountId: string; readonly rail: string }
  | { readonly kind: 'WALLET'; readonly walletId: string; readonly network: Network };

/** Exactly one of the two is set: which one says where it goes. */
export interface DestinationIds {
  readonly bankAccountId: string | null;
  readonly walletId: string | null;
}

export const destinationIds = (destination: OrderDestination): DestinationIds =>
  destination.kind === 'BANK'
    ? { bankAccountId: destination.bankAccountId, walletId: null }
    : { bankAccountId: null, walletId: destination.walletId };

/** The rail as connectors, fees, the ledger and release stops name it: to a wallet, its network. */
export const railOf = (destination: PaymentDestination): string =>
  destination.kind === 'BANK' ? destination.rail : destination.network;

/** Null: it goes to a bank account. */
export const networkOf = (destination: PaymentDestination): Network | null =>
  destination.kind === 'BANK' ? null : destination.network;
