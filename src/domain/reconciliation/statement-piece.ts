import type { StatementBalance } from './statement-arithmetic.ts';
import type { Direction, EntryStatus, StatementMoney } from './statement-types.ts';

interface Entry extends StatementMoney {
  readonly number: number;
  readonly direction: Direction;
}

export interface StatementLinePiece extends StatementMoney {
  readonly kind: 'line';
  readonly lineNumber: number;
  readonly entry: Entry;
  readonly direction: Direction;
  readonly reversal: boolean;
  readonly status: EntryStatus;
  /** ISO 8601 date, or date and time, with or without a zone. */
  readonly bookedAt: string | null;
  readonly endToEndId: string | null;
  readonly bankReference: string | null;
  /** TxId: of the payer's bank; null where there is none. */
  readonly transactionId: string | null;
  /** Of a credit or a return: ISO 11649 references with right check digits that it bears. */
  readonly creditorReferences: readonly string[];
  readonly returnReason: string | null;
  readonly isReturn: boolean;
}

/** What reconciliation needs of a statement that is being read, in whichever format it came. */
export type StatementPiece =
  | {
      readonly kind: 'header';
      readonly statementId: string;
      readonly currency: string | null;
      readonly page: { readonly number: number; readonly isLast: boolean } | null;
    }
  | ({ readonly kind: 'balance' } & StatementBalance)
  | StatementLinePiece
  | { readonly kind: 'batch'; readonly entry: Entry; readonly transactionsTotal: string | null }
  | {
      readonly kind: 'problem';
      readonly problem: 'MISSING' | 'INVALID';
      readonly element: string;
      readonly lineNumber: number | null;
      readonly entryNumber: number | null;
    }
  | { readonly kind: 'end'; readonly statementId: string };
