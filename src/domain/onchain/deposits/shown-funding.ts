import type { Network } from '../network.ts';
import type { FundingStatus } from './apply-deposit.ts';

/** What a payment that deposits pay for waits for, as its newest version shows it. */
export interface ShownFunding {
  readonly asset: string;
  readonly network: Network;
  /** In EIP-55's case; this payment's alone. */
  readonly address: string;
  /** Source amount and fees of the payment: minor units, decimal text. */
  readonly amountDue: string;
  /** What deposits have brought to the payment: minor units, decimal text. Kept when it ends without. */
  readonly amountReceived: string;
  /** ISO 8601. A deposit is in time whose block is not younger. */
  readonly expiresAt: string;
  /** To which what it does not take is refunded; null: it stays in the balance. */
  readonly refundWalletId: string | null;
  readonly status: FundingStatus;
}
