import type { DepositStatus } from '../../../domain/onchain/deposits/deposit.ts';
import type { Tone } from '../parts/chip.tsx';

/** A deposit's status as people read it. */
export const DEPOSIT_WORDS: Readonly<
  Record<DepositStatus, { readonly tone: Tone; readonly text: string }>
> = {
  SEEN: { tone: 'moving', text: 'Seen' },
  CREDITED: { tone: 'ok', text: 'Credited' },
  FINAL: { tone: 'ok', text: 'Final' },
  ORPHANED: { tone: 'back', text: 'Orphaned' },
  BLOCKED: { tone: 'bad', text: 'Blocked' },
  KEPT: { tone: 'bad', text: 'In suspense' },
};
