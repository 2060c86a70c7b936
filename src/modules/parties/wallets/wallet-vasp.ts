/** The provider that keeps a HOSTED wallet for its owner: one JSON, sealed. */
export interface WalletVasp {
  readonly name: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
}

/** The row that a wallet's host is sealed for. */
export const walletRow = (id: string): string => `wallets/${id}`;
