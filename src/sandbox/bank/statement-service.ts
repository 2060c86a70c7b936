import type { Clock } from '../../domain/clock.ts';
import { formatAmount } from '../../domain/money/amount.ts';
import { minorDigits } from '../../domain/money/currencies.ts';
import type { StatementCutFact } from './bank-fact.ts';
import type { Account, Movement, Transfer } from './bank-state.ts';
import type { BankJournal } from './bank-journal.ts';

/** What every account holds before its first movement, in major units: a prefunded nostro. */
const FUNDED_MAJOR = 1_000_000_000n;

export interface StatementService {
  /** Cuts one statement for every account that has moved since its last; answers how many. */
  cut(): Promise<number>;
  /** Cuts the one that a transfer's movements wait for, if any do. False where it has moved no money. */
  cutFor(transfer: Transfer): Promise<boolean>;
  list(afterSequence: number, limit: number): Promise<StatementCutFact[]>;
  /** The statement and its movements in booking order; null when there is none with this id. */
  find(id: string): Promise<{ cut: StatementCutFact; movements: readonly Movement[] } | null>;
}

/** Cuts statements whose opening balance is the closing one before, over one gapless sequence. */
export function createStatementService(journal: BankJournal, clock: Clock): StatementService {
  const { state } = journal;

  function nextCut(account: Account, movements: readonly Movement[]): StatementCutFact {
    const { currency, lastCut } = account;
    const at = clock.now().toISOString();
    const sequence = state.statements().length + 1;
    const opening = lastCut?.closing ?? formatAmount(fundedMinor(currency), currency);
    const net = movements.reduce((sum, one) => sum + signedMinor(one), 0n);
    return {
      fact: 'STATEMENT_CUT',
      at,
      id: `STMT-${currency}-${sequence}`,
      sequence,
      account: `NOSTRO-${currency}`,
      currency,
      from: lastCut?.to ?? movements[0]?.at ?? at,
      to: at,
      opening,
      closing: formatAmount(toMinor(opening) + net, currency),
      after: account.stated,
      lines: movements.length,
    };
  }

  return {
    async cut() {
      let count = 0;
      for (const account of state.accounts()) {
        const movements = account.movements.slice(account.stated);
        if (movements.length === 0) continue;
        await journal.record(nextCut(account, movements));
        count += 1;
      }
      return count;
    },
    async cutFor(transfer) {
      const account = state.account(transfer.received.currency);
      if (account === undefined || transfer.settledAt === undefined) return false;
      const waiting = account.movements.slice(account.stated);
      const isAmong = ({ cause }: Movement) =>
        cause.kind === 'TRANSFER' && cause.transfer === transfer;
      if (waiting.some(isAmong)) await journal.record(nextCut(account, waiting));
      return true;
    },
    async list(afterSequence, limit) {
      await journal.flush();
      // The sequence has no gaps, so that it is also the place in the list.
      return state.statements().slice(afterSequence, afterSequence + limit);
    },
    async find(id) {
      await journal.flush();
      const cut = state.statements()[Number(id.slice(id.lastIndexOf('-') + 1)) - 1];
      if (cut?.id !== id) return null;
      const movements = state.account(cut.currency)?.movements ?? [];
      return { cut, movements: movements.slice(cut.after, cut.after + cut.lines) };
    },
  };
}

function fundedMinor(currency: string): bigint {
  return FUNDED_MAJOR * 10n ** BigInt(minorDigits(currency));
}

/** Reads back a balance: it always has exactly its currency's decimals, and may be negative. */
function toMinor(balance: string): bigint {
  return BigInt(balance.replace('.', ''));
}

function signedMinor({ direction, amountMinor }: Movement): bigint {
  return direction === 'DBIT' ? -amountMinor : amountMinor;
}
