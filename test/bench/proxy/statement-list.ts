import type { Transaction } from './transaction-reader.ts';
import { workOf } from './work-of.ts';

/**
 * Every different statement with what it is for and how often it was sent for each payment, most
 * frequent first: to see where a number comes from. Tab-separated lines.
 */
export function listStatements(transactions: readonly Transaction[], payments: number): string[] {
  const counts = new Map<string, number>();
  for (const transaction of transactions) {
    const work = workOf(transaction);
    for (const text of transaction.statements) {
      const line = `${work}\t${text.replace(/\s+/g, ' ')}`;
      counts.set(line, (counts.get(line) ?? 0) + 1);
    }
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([line, count]) => `${String(Number((count / payments).toPrecision(3)))}\t${line}`);
}
