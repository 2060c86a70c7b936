import type { DepositRow } from '../../../db/onchain/deposit-store.ts';
import type { DepositReason, DepositStatus } from '../../../domain/onchain/deposits/deposit.ts';

/** What a status means to the customer. */
export const DEPOSIT_DETAILS: Readonly<Record<DepositStatus, string>> = {
  SEEN: 'A block holds the deposit. It is credited once enough blocks have followed.',
  CREDITED: 'The deposit is in your balance. The network can still take it back.',
  FINAL: 'The deposit is in your balance, and the network cannot take it back.',
  ORPHANED:
    'The block that held the deposit is gone, and the credit was reversed. The deposit may be mined again.',
  BLOCKED:
    'The sender is on a sanctions list. The deposit is in suspense while the operator reviews it.',
  KEPT: 'The sender is on a sanctions list. The operator decided to keep the deposit in suspense.',
};

/** Why units of it are in the balance and not in a payment. */
export const REASON_WORDS: Readonly<Record<DepositReason, string>> = {
  LATE: 'The deposit arrived after the payment expired or ended.',
  SURPLUS: 'The deposit is more than the payment needed. The rest is in your balance.',
  UNDERPAID: 'The payment ended with less than was due.',
  WRONG_ASSET: 'The payment expects another asset.',
  WRONG_NETWORK: 'The payment expects another network.',
  BELOW_MINIMUM: 'The deposit is below the minimum of its address.',
  PAYMENT_REFUSED: 'The payment was refused, so the deposit was not paid on.',
};

const APPLIED_WORDS = {
  PAYMENT: 'Its payment',
  BALANCE: 'Your balance',
  SUSPENSE: 'In suspense',
} as const;

/** Where it is: in a payment, the balance, kept apart, or in none of the books. */
export const appliedWords = ({ applied }: Pick<DepositRow, 'applied'>): string =>
  applied === null ? 'Not credited' : APPLIED_WORDS[applied.appliedTo];

/** How deep it lies, and how deep it must: "2 of 12 blocks". */
export const depthWords = ({
  have,
  need,
}: {
  readonly have: number;
  readonly need: number | null;
}): string =>
  need === null ? `${String(have)} blocks` : `${String(have)} of ${String(need)} blocks`;
