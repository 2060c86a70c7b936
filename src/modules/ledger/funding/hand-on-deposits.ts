import type { Database } from '../../../db/client/database.ts';
import {
  listWaitingDeposits,
  markDepositHandedOn,
} from '../../../db/onchain/sandbox-deposit-store.ts';
import type { Clock } from '../../../domain/clock.ts';
import { formatAmount } from '../../../domain/money/amount.ts';

/** Deposits that one run hands on; the next run brings the others. */
const DEPOSITS_MAX = 100;

/** Tells a bank of one deposit; its id makes a second time harmless. */
type TellBank = (deposit: {
  readonly id: string;
  /** Major units, decimal text. */
  readonly amount: string;
  readonly currency: string;
  readonly remittance: string;
}) => Promise<'TAKEN' | 'REFUSED' | 'SILENCE'>;

/**
 * Hands the deposits that partners asked for on to the sandbox bank, oldest first. Where the bank is
 * silent the rest waits for the next run.
 */
export async function handOnDeposits(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  tellBank: TellBank,
): Promise<void> {
  const waiting = await db.system((tx) => listWaitingDeposits(tx, DEPOSITS_MAX));
  for (const { id, currency, amount, reference } of waiting) {
    const told = { id, currency, amount: formatAmount(amount, currency), remittance: reference };
    const answer = await tellBank(told);
    if (answer === 'SILENCE') return;
    await db.system((tx) => markDepositHandedOn(tx, id, answer, clock.now()));
  }
}
