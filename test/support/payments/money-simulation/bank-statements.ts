import type { BankJournal, Booking } from './bank-journal.ts';
import { statementDocument, statementPart } from './bank-statement-xml.ts';

export interface Statement {
  readonly id: string;
  readonly sequence: number;
  readonly account: string;
  readonly from: string;
  readonly to: string;
}

export interface StatementsDeps {
  readonly journal: BankJournal;
  /** What lies on our accounts when the simulation begins, by currency. Minor units. */
  readonly opening: ReadonlyMap<string, bigint>;
}

/** The bank's statements: one a day, with a part for each currency that money moved in. */
export function createBankStatements({ journal, opening }: StatementsDeps) {
  const listed: Statement[] = [];
  const texts = new Map<string, string>();
  const balances = new Map(opening);
  let repeated: Booking[] = [];

  return {
    /** As the last statement says, by currency. */
    balances: balances as ReadonlyMap<string, bigint>,
    list: (after: number) => listed.filter(({ sequence }) => sequence > after),
    read: (id: string) => texts.get(id),
    /** Closes the bank's day: what moved since the last one goes on a statement. */
    close(from: Date, to: Date): void {
      const lines = journal.unstated.splice(0);
      for (const { reference, direction } of lines) {
        const transfer = reference === null ? undefined : journal.find(reference);
        if (direction === 'CRDT' && transfer) transfer.returnShownAt = to.getTime();
      }
      const shown = [...lines, ...repeated];
      repeated = lines.filter(({ isShownTwice }) => isShownTwice);
      const sequence = listed.length + 1;
      const id = `DAY-${String(sequence)}`;
      const currencies = [...new Set(shown.map(({ currency }) => currency))].sort();
      const parts = (currencies.length > 0 ? currencies : ['EUR']).map((currency) => {
        const own = shown.filter((line) => line.currency === currency);
        const sum = (some: readonly Booking[]) =>
          some.reduce((all, line) => all + signed(line), 0n);
        const after =
          (balances.get(currency) ?? 0n) + sum(lines.filter((line) => own.includes(line)));
        balances.set(currency, after);
        // It goes back to before the lines that an earlier one shows as well.
        const before = after - sum(own);
        return statementPart(`${id}-${currency}`, { currency, before, after, day: to }, own);
      });
      texts.set(id, statementDocument(parts));
      const account = 'NOSTRO';
      listed.push({ id, sequence, account, from: from.toISOString(), to: to.toISOString() });
    },
  };
}

const signed = ({ direction, minor }: Booking): bigint => (direction === 'CRDT' ? minor : -minor);
