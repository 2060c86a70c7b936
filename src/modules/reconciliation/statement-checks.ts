import type { StatementProblemRow } from '../../db/reconciliation/statement-store.ts';
import { checkBatch } from '../../domain/reconciliation/batch-sum.ts';
import { createStatementArithmetic } from '../../domain/reconciliation/statement-arithmetic.ts';
import type { ReportKind } from '../../domain/reconciliation/statement-types.ts';
import type { StatementPiece } from '../../domain/reconciliation/statement-piece.ts';

type BatchPiece = Extract<StatementPiece, { readonly kind: 'batch' }>;

/** A statement made of nothing but problems must not grow its row without end. */
const PROBLEMS_MAX = 100;
const CURRENCIES_MAX = 50;
/** Beyond so many entries that do not add up, nothing of their currency is believed. */
const ENTRIES_MAX = 10_000;

/**
 * Checks a statement as it passes, in flat memory: opening + entries = closing per Stmt and currency,
 * batches against their entries, entries that could not be read. What does not add up is unproven.
 */
export function createStatementChecks() {
  const problems: StatementProblemRow[] = [];
  const counts = new Map<string, number>();
  const currencies = new Set<string>();
  let arithmetic = createStatementArithmetic();
  const unproven = { entries: new Set<number>(), currencies: new Set<string>() };
  let isWhole = true;
  let report: ReportKind = 'DAY';

  function add(problem: StatementProblemRow): void {
    counts.set(problem.code, (counts.get(problem.code) ?? 0) + 1);
    if (problems.length < PROBLEMS_MAX) problems.push(problem);
  }
  function sawCurrency(currency: string | null): void {
    if (currency !== null && currencies.size < CURRENCIES_MAX) currencies.add(currency);
  }
  function checkBalances(statementId: string): void {
    for (const { currency, opening, closing, booked, difference } of arithmetic.check()) {
      // One page of several, or a bank that gives no balances: nothing to hold the entries against.
      if (!isWhole || difference === null) {
        // An advice has no balances.
        if (report !== 'ADVICE') add({ code: 'BALANCE_UNCHECKED', currency });
      } else if (difference !== '0') {
        const sums = { opening, booked, closing, difference };
        add({ code: 'BALANCE_MISMATCH', bankStatementId: statementId, currency, ...sums });
        unproven.currencies.add(currency);
      }
    }
  }
  function checkEntry({ entry, transactionsTotal }: BatchPiece): void {
    const { number, amount, currency } = entry;
    const verdict = checkBatch({ entryTotal: amount, transactionsTotal });
    if (verdict.kind === 'BALANCED') return;
    if (unproven.entries.size < ENTRIES_MAX) unproven.entries.add(number);
    else unproven.currencies.add(currency);
    if (verdict.kind === 'NOT_COMPARABLE') return;
    const sums = { currency, booked: amount, transactions: transactionsTotal };
    add({ code: 'BATCH_MISMATCH', entry: number, ...sums, difference: verdict.difference });
  }

  return {
    add,

    take(piece: StatementPiece): void {
      switch (piece.kind) {
        case 'header':
          arithmetic = createStatementArithmetic();
          report = piece.report;
          isWhole = piece.page === null || (piece.page.number === 1 && piece.page.isLast);
          return sawCurrency(piece.currency);
        case 'balance':
          sawCurrency(piece.currency);
          return arithmetic.addBalance(piece);
        case 'line':
          sawCurrency(piece.currency);
          return arithmetic.addEntry(piece);
        case 'batch':
          return checkEntry(piece);
        case 'problem': {
          const { problem, element, lineNumber, entryNumber } = piece;
          const where = { element, line: lineNumber, entry: entryNumber };
          return add({ code: 'ENTRY_UNREADABLE', problem, ...where });
        }
        case 'end':
          return checkBalances(piece.statementId);
      }
    },

    currencies: (): string[] => [...currencies].sort(),
    report: (): ReportKind => report,
    /** Entries and currencies of which no credit is given until operators have accepted the sums. */
    unproven: () => ({ entries: [...unproven.entries], currencies: [...unproven.currencies] }),
    /** The first hundred, and how many there were of each kind where that is not all. */
    problems(): StatementProblemRow[] {
      const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
      if (total <= problems.length) return [...problems];
      return [...problems, { code: 'MORE_PROBLEMS', counts: Object.fromEntries(counts) }];
    },
  };
}
