import type {
  Direction,
  EntryStatus,
  StatementMoney,
} from '../domain/reconciliation/statement-types.ts';

/** The head of one Stmt. One file may hold several. */
export interface HeaderPart {
  kind: 'header';
  statementId: string;
  electronicSequence: bigint | null;
  /** IBAN, or the bank's other identification; null where the bank names none. */
  account: string | null;
  currency: string | null;
  /** ISO 8601, as written. */
  from: string | null;
  to: string | null;
  /** A statement cut into pages: only all pages together add up. */
  page: { number: number; isLast: boolean } | null;
}

/** A Bal: `type` is OPBD, PRCD, CLBD, ITBD, ... or the bank's own word; `subType` e.g. INTM. */
export interface BalancePart extends StatementMoney {
  kind: 'balance';
  type: string;
  subType: string | null;
  direction: Direction;
  date: string | null;
}

/** What the whole Ntry moved. A batch booking's lines share one. */
export interface EntryTotal extends StatementMoney {
  /** 1-based across the file. */
  number: number;
  direction: Direction;
}

/** One transaction: a TxDtls, or an Ntry without any. */
export interface LinePart extends StatementMoney {
  kind: 'line';
  /** 1-based across the file, stable for the same bytes: unreadable lines are counted too. */
  lineNumber: number;
  entry: EntryTotal;
  /** 1-based within the entry. */
  transactionNumber: number;
  /** The entry holds several transactions; a `batch` part follows the last one. */
  isInBatch: boolean;
  entryReference: string | null;
  /** The way money moved. It already is the reversal's own way, see `reversal`. */
  direction: Direction;
  /**
   * RvslInd: the entry undoes an earlier one. ISO 20022: where it is true and CdtDbtInd is CRDT,
   * the original operation was a debit. So `direction` is never to be turned round.
   */
  reversal: boolean;
  status: EntryStatus;
  /** ISO 8601 date, or date and time as written. */
  bookedAt: string | null;
  valueDate: string | null;
  /** Null where the bank wrote NOTPROVIDED. */
  endToEndId: string | null;
  /** AcctSvcrRef of the transaction, else of the entry. */
  bankReference: string | null;
  returnReason: string | null;
  /** The bank marks it as the return or reversal of an earlier movement: RtrInf, RvslInd or its code. */
  isReturn: boolean;
  /** Btch/PmtInfId and Btch/NbOfTxs, which banks give where they do not itemise. */
  paymentInformationId: string | null;
  announcedTransactions: number | null;
}

/** After the last line of an entry with several transactions. */
export interface BatchPart {
  kind: 'batch';
  entry: EntryTotal;
  firstLine: number;
  lastLine: number;
  transactions: number;
  /**
   * Signed in the entry's direction; null where it cannot be known: a line in another currency than
   * the entry, or an unreadable one.
   */
  transactionsTotal: string | null;
}

/** Something that could not be read while the rest could. Where money may be meant, ask a human. */
export interface ProblemPart {
  kind: 'problem';
  problem: 'MISSING' | 'INVALID';
  /** Path from Stmt, e.g. "Ntry/CdtDbtInd". */
  element: string;
  /** Null outside an entry. */
  lineNumber: number | null;
  entryNumber: number | null;
}

/** The end of one Stmt; the end of the file is the end of the stream. */
export interface EndPart {
  kind: 'end';
  statementId: string;
  entries: number;
  lines: number;
  problems: number;
}

export type StatementPart = HeaderPart | BalancePart | LinePart | BatchPart | ProblemPart | EndPart;
