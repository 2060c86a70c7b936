import type { DepositRow } from '../../../db/onchain/deposit-store.ts';
import type { DepositReason, DepositStatus } from '../../../domain/onchain/deposits/deposit.ts';
import type { Tone } from '../../kit/parts/chip.tsx';

/** A deposit's status as people read it. */
export const DEPOSIT_WORDS: Readonly<
  Record<DepositStatus, { readonly tone: Tone; readonly text: string }>
> = {
  SEEN: { tone: 'moving', text: 'Seen' },
  CREDITED: { tone: 'ok', text: 'Credited' },
  FINAL: { tone: 'ok', text: 'Final' },
  ORPHANED: { tone: 'back', text: 'Orphaned' },
  BLOCKED: { tone: 'bad', text: 'Blocked' },
  KEPT: { tone: 'bad', text: 'Kept apart' },
};

/** What a status means to the customer. */
export const DEPOSIT_DETAILS: Readonly<Record<DepositStatus, string>> = {
  SEEN: 'A block of its network holds it. It counts once enough blocks lie above that one.',
  CREDITED: 'It is in your books. Its network can still take it back.',
  FINAL: 'It is in your books for good.',
  ORPHANED:
    'The block that held it is gone, and what it brought was taken back. It may come again.',
  BLOCKED: 'Its sender is on a list of addresses: it is kept apart, and the operator looks at it.',
  KEPT: 'Its sender is on a list of addresses: the operator decided that it stays apart for good.',
};

/** Why units of it are in the balance and not in a payment. */
export const REASON_WORDS: Readonly<Record<DepositReason, string>> = {
  LATE: 'The payment’s time had passed, or it had ended.',
  SURPLUS: 'It is more than the payment needed: the rest is in your balance.',
  UNDERPAID: 'The payment ended with less than was due.',
  WRONG_ASSET: 'The payment waits for another asset.',
  WRONG_NETWORK: 'The payment waits for another network.',
  BELOW_MINIMUM: 'It is less than its address takes.',
  PAYMENT_REFUSED: 'It was not paid on: the payment was refused.',
};

const APPLIED_WORDS = {
  PAYMENT: 'Its payment',
  BALANCE: 'Your balance',
  SUSPENSE: 'Kept apart',
} as const;

/** Where it is: in a payment, the balance, kept apart, or in none of the books. */
export const appliedWords = ({ applied }: Pick<DepositRow, 'applied'>): string =>
  applied === null ? 'Not in your books' : APPLIED_WORDS[applied.appliedTo];

/** How deep it lies, and how deep it must: "2 of 12 blocks". */
export const depthWords = ({
  have,
  need,
}: {
  readonly have: number;
  readonly need: number | null;
}): string =>
  need === null ? `${String(have)} blocks` : `${String(have)} of ${String(need)} blocks`;
