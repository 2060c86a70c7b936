import { openJournalFile } from '../journal-file.ts';
import type { BankFact } from './bank-fact.ts';
import { createBankState } from './bank-state.ts';
import type { BankState } from './bank-state.ts';

/** The bank's state and the file behind it: a fact changes the state at once and is on disk a little later. */
export interface BankJournal {
  readonly state: BankState;
  /** Resolves when the fact is on disk. */
  record(fact: BankFact): Promise<void>;
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Rebuilds the bank's state from the file. Without a path the bank forgets everything when it stops. */
export async function openBankJournal(path: string | null): Promise<BankJournal> {
  const state = createBankState();
  const file = await openJournalFile<BankFact>(path, state.apply);
  return {
    state,
    record(fact) {
      state.apply(fact);
      return file.append(fact);
    },
    flush: file.flush,
    close: file.close,
  };
}
