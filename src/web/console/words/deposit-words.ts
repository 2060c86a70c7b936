import type { OpsDeposit } from '../../../db/onchain/ops-deposit-store.ts';
import type {
  AppliedTo,
  DepositReason,
  DepositStatus,
} from '../../../domain/onchain/deposits/deposit.ts';
import type { ChipProps } from '../../kit/parts/chip.tsx';
import { DEPOSIT_WORDS } from '../../kit/words/deposit-status.ts';

const isHeld = ({ status, review }: Pick<OpsDeposit, 'status' | 'review'>): boolean =>
  status === 'SEEN' && review === 'HELD';

/** A deposit's state as its chip shows it: one that an operator has to look at says so. */
export const depositChip = (deposit: Pick<OpsDeposit, 'status' | 'review'>): ChipProps =>
  isHeld(deposit) ? { tone: 'wait', text: 'Under review' } : DEPOSIT_WORDS[deposit.status];

const SENTENCES: Readonly<Record<DepositStatus, string>> = {
  SEEN: 'A block holds this deposit. The engine credits it once enough blocks have followed.',
  CREDITED: 'The deposit is credited. The network can still take it back.',
  FINAL: 'The deposit is credited, and the network cannot take it back.',
  ORPHANED:
    'The block that held this deposit is gone, and the engine reversed the credit. The deposit may be mined again.',
  BLOCKED: 'The sender of this deposit is on a list. The money is in suspense.',
  KEPT: 'The sender of this deposit is on a list. Two operators decided that the money stays in suspense.',
};

/** Where a deposit stands, and what comes next. */
export function depositSentences(
  deposit: Pick<OpsDeposit, 'status' | 'review'>,
): readonly string[] {
  if (isHeld(deposit)) {
    return [
      'This deposit is held, because its sender needs a review. The engine does not credit it before.',
      'It waits for an operator to decide the review.',
    ];
  }
  const next = deposit.status === 'BLOCKED' ? ['It waits for two operators to decide.'] : [];
  return [SENTENCES[deposit.status], ...next];
}

export const APPLIED_WORDS: Readonly<Record<AppliedTo, string>> = {
  PAYMENT: 'Its payment',
  BALANCE: 'The customer’s balance',
  SUSPENSE: 'Suspense',
};

/** Why units of a deposit are in the balance and not in a payment. */
export const DEPOSIT_REASON_WORDS: Readonly<Record<DepositReason, string>> = {
  LATE: 'It arrived after the payment’s time or end.',
  SURPLUS: 'It is more than the payment needed.',
  UNDERPAID: 'The payment ended with less than was due.',
  WRONG_ASSET: 'The payment expects another asset.',
  WRONG_NETWORK: 'The payment expects another network.',
  BELOW_MINIMUM: 'It is below the minimum of its address.',
  PAYMENT_REFUSED: 'The engine refused the payment that it would have become.',
};
