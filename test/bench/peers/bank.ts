import type { RunScope } from '../scope.ts';
import { startProgram } from './program.ts';

/** What the bank saw, each transfer once, in the order in which they came. */
export interface BankReport {
  /** When it first answered a transfer's PUT, by `nowMs`. */
  readonly settledAtMs: readonly number[];
  readonly references: readonly string[];
  /** When the engine began to fetch the statement, by `nowMs`. */
  readonly statementServedAtMs: number | null;
}

/** A statement of so many lines; the last of them are the transfers that the bank has settled. */
export interface StatementOrder {
  readonly lines: number;
  /** Decimal text in major units of EUR: what every transfer was for. */
  readonly amount: string;
}

/** The bench's own bank: settles at once, in a process of its own. */
export interface BenchBank {
  readonly url: string;
  readonly pid: number;
  report(): Promise<BankReport>;
  /** Lists a statement from now on. */
  publishStatement(order: StatementOrder): Promise<void>;
}

/** Starts the bank; it ends with the scope. */
export async function startBank(scope: RunScope): Promise<BenchBank> {
  const program = await startProgram(scope, 'bank');
  return {
    url: await program.ask<string>('url'),
    pid: program.pid,
    report: () => program.ask('report'),
    publishStatement: (order) => program.ask('publishStatement', order),
  };
}
