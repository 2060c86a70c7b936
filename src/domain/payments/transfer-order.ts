import type { Network } from '../onchain/network.ts';

/** A payment as a bank is told of it. */
interface BankTransferOrder {
  /** Ours, [A-Z0-9], at most 35 (ISO 20022 EndToEndId). */
  readonly reference: string;
  /** Decimal text in major units, exactly the currency's decimals. */
  readonly amount: string;
  readonly currency: string;
  readonly rail: string;
  readonly creditor: {
    readonly name: string;
    readonly account: Readonly<Record<string, string>>;
    readonly country: string;
  };
  readonly remittance: string;
  /** The customer whose payment it is, by an id that tells nothing else: ISO 20022's ultimate debtor. */
  readonly onBehalfOf: string;
}

/** A payment as the rail of a network is told of it. */
export interface WalletTransferOrder {
  /** As a bank's. */
  readonly reference: string;
  /** Decimal text in major units, exactly the asset's decimals. */
  readonly amount: string;
  /** USDC, EURC or USDT. */
  readonly asset: string;
  readonly network: Network;
  /** In EIP-55's mixed case. */
  readonly address: string;
}

export type TransferOrder = BankTransferOrder | WalletTransferOrder;

/** Whether an order is one that no bank can carry out. */
export const isWalletOrder = (order: TransferOrder): order is WalletTransferOrder =>
  'network' in order;
