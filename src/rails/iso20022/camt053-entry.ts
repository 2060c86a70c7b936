import { fromUnits, toUnits } from '../../domain/reconciliation/decimal-units.ts';
import type { Direction } from '../../domain/reconciliation/statement-types.ts';
import {
  readCurrency,
  readDecimal,
  readDirection,
  readEntryStatus,
  readIndicator,
} from './camt053-values.ts';
import type { StatementCollector } from './statement-collector.ts';
import type { EntryTotal, LinePart } from './statement-parts.ts';

/** An amount as found: not yet judged. */
export interface RawAmount {
  text: string;
  currency: string | undefined;
}

/** A TxDtls as found. */
export interface TransactionDraft {
  amount: RawAmount | null;
  underlyingAmount: RawAmount | null;
  direction: string | null;
  endToEndId: string | null;
  bankReference: string | null;
  returnReason: string | null;
}

/** An Ntry as found. */
export interface EntryDraft {
  amount: RawAmount | null;
  direction: string | null;
  reversal: string | null;
  status: string | null;
  reference: string | null;
  bankReference: string | null;
  bookedAt: string | null;
  valueDate: string | null;
  paymentInformationId: string | null;
  announcedTransactions: number | null;
}

interface Fault {
  problem: 'MISSING' | 'INVALID';
  element: string;
}

export const emptyTransaction = (): TransactionDraft => ({
  amount: null,
  underlyingAmount: null,
  direction: null,
  endToEndId: null,
  bankReference: null,
  returnReason: null,
});

export const emptyEntry = (): EntryDraft => ({
  amount: null,
  direction: null,
  reversal: null,
  status: null,
  reference: null,
  bankReference: null,
  bookedAt: null,
  valueDate: null,
  paymentInformationId: null,
  announcedTransactions: null,
});

type Money = Pick<LinePart, 'amount' | 'currency'>;

function readMoney(
  raw: RawAmount | null,
  fallbackCurrency: string | null,
  element: string,
): Money | Fault {
  if (raw === null) return { problem: 'MISSING', element };
  const amount = readDecimal(raw.text);
  const currency = readCurrency(raw.currency ?? fallbackCurrency ?? '');
  return amount === null || currency === null
    ? { problem: 'INVALID', element }
    : { amount, currency };
}

function readWay(text: string | null, element: string): Direction | Fault {
  if (text === null) return { problem: 'MISSING', element };
  return readDirection(text) ?? { problem: 'INVALID', element };
}

type EntryFacts = Pick<LinePart, 'reversal' | 'status'> & { total: EntryTotal };

function readEntry(
  draft: EntryDraft,
  number: number,
  accountCurrency: string | null,
): EntryFacts | Fault {
  const money = readMoney(draft.amount, accountCurrency, 'Ntry/Amt');
  if ('problem' in money) return money;
  const direction = readWay(draft.direction, 'Ntry/CdtDbtInd');
  if (typeof direction !== 'string') return direction;
  const reversal = readIndicator(draft.reversal ?? 'false');
  if (reversal === null) return { problem: 'INVALID', element: 'Ntry/RvslInd' };
  // Sts is mandatory, yet some banks leave it out: a camt.053 reports booked entries by definition.
  const status = readEntryStatus(draft.status ?? 'BOOK');
  if (status === null) return { problem: 'INVALID', element: 'Ntry/Sts' };
  return { total: { number, ...money, direction }, reversal, status };
}

/**
 * Turns one Ntry into its lines. The first transaction is held back until the second one or the end
 * shows whether it is a batch; all others leave at once, so that a batch may be of any size.
 */
export function createEntryReader(collector: StatementCollector, draft: EntryDraft) {
  const number = collector.nextEntryNumber();
  let held: TransactionDraft | null = null;
  let transactions = 0;
  let firstLine = 0;
  let lastLine = 0;
  let sumUnits: bigint | null = 0n;

  /**
   * Amounts in the entry's own currency first: those add up to the entry. The amount of a lone
   * transaction in another currency is what was instructed, not what was booked.
   */
  function readTransactionMoney(
    draftLine: TransactionDraft,
    total: EntryTotal,
    isInBatch: boolean,
  ): Money | Fault {
    const found = [draftLine.amount, draftLine.underlyingAmount].filter((raw) => raw !== null);
    const own = found.find((raw) => (raw.currency ?? total.currency) === total.currency);
    if (own === undefined && !isInBatch) return { amount: total.amount, currency: total.currency };
    return readMoney(own ?? found[0] ?? null, total.currency, 'Ntry/NtryDtls/TxDtls/Amt');
  }

  function emitLine(line: TransactionDraft, isInBatch: boolean): void {
    const lineNumber = collector.nextLineNumber();
    transactions += 1;
    if (firstLine === 0) firstLine = lineNumber;
    lastLine = lineNumber;
    const fail = (fault: Fault) => {
      sumUnits = null;
      const { problem, element } = fault;
      collector.emitProblem({ problem, element, lineNumber, entryNumber: number });
    };

    const entry = readEntry(draft, number, collector.header().currency);
    if ('problem' in entry) return fail(entry);
    const money = readTransactionMoney(line, entry.total, isInBatch);
    if ('problem' in money) return fail(money);
    const direction =
      line.direction === null
        ? entry.total.direction
        : readWay(line.direction, 'Ntry/NtryDtls/TxDtls/CdtDbtInd');
    if (typeof direction !== 'string') return fail(direction);

    if (money.currency !== entry.total.currency) sumUnits = null;
    if (sumUnits !== null) {
      const units = toUnits(money.amount);
      sumUnits += direction === entry.total.direction ? units : -units;
    }
    collector.emit({
      kind: 'line',
      lineNumber,
      entry: entry.total,
      transactionNumber: transactions,
      isInBatch,
      entryReference: draft.reference,
      ...money,
      direction,
      reversal: entry.reversal,
      status: entry.status,
      bookedAt: draft.bookedAt,
      valueDate: draft.valueDate,
      endToEndId: line.endToEndId,
      bankReference: line.bankReference ?? draft.bankReference,
      returnReason: line.returnReason,
      paymentInformationId: draft.paymentInformationId,
      announcedTransactions: draft.announcedTransactions,
    });
  }

  return {
    addTransaction(transaction: TransactionDraft): void {
      if (held === null && transactions === 0) {
        held = transaction;
        return;
      }
      if (held !== null) emitLine(held, true);
      held = null;
      emitLine(transaction, true);
    },

    close(): void {
      if (transactions === 0) return emitLine(held ?? emptyTransaction(), false);
      const entry = readEntry(draft, number, collector.header().currency);
      if ('problem' in entry) return;
      collector.emit({
        kind: 'batch',
        entry: entry.total,
        firstLine,
        lastLine,
        transactions,
        transactionsTotal: sumUnits === null ? null : fromUnits(sumUnits),
      });
    },
  };
}

export type EntryReader = ReturnType<typeof createEntryReader>;
