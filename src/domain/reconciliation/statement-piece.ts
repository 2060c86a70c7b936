import type { StatementBalance } from './statement-arithmetic.ts';
import type { Direction, EntryStatus, ReportKind, StatementMoney } from './statement-types.ts';

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
  /** The same; banks that book late give it alone. */
  readonly valueDate: string | null;
  readonly endToEndId: string | null;
  readonly bankReference: string | null;
  /** It is the reference of an entry with several transactions, and tells none of them. */
  readonly isEntryReference: boolean;
  /** TxId: of the payer's bank; null where there is none. */
  readonly transactionId: string | null;
  /** InstrId and UETR: the payer may choose both. */
  readonly instructionId: string | null;
  readonly uetr: string | null;
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
      readonly report: ReportKind;
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
