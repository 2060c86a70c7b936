import type {
  Direction,
  EntryStatus,
  ReportKind,
  StatementMoney,
} from '../../domain/reconciliation/statement-types.ts';

/** The head of one Stmt, Rpt or Ntfctn. One file may hold several. */
export interface HeaderPart {
  readonly kind: 'header';
  readonly statementId: string;
  readonly report: ReportKind;
  readonly electronicSequence: bigint | null;
  /** IBAN, or the bank's other identification; null where the bank names none. */
  readonly account: string | null;
  readonly currency: string | null;
  /** ISO 8601, as written. */
  readonly from: string | null;
  readonly to: string | null;
  /** A statement cut into pages: only all pages together add up. */
  readonly page: { readonly number: number; readonly isLast: boolean } | null;
}

/** A Bal: `type` is OPBD, PRCD, CLBD, ITBD, ... or the bank's own code; `subType` e.g. INTM. */
interface BalancePart extends StatementMoney {
  readonly kind: 'balance';
  readonly type: string;
  readonly subType: string | null;
  readonly direction: Direction;
  readonly date: string | null;
}

/** What the whole Ntry moved. A batch booking's lines share one. */
export interface EntryTotal extends StatementMoney {
  /** 1-based across the file. */
  readonly number: number;
  readonly direction: Direction;
}

/** One transaction: a TxDtls, or an Ntry without any. */
export interface LinePart extends StatementMoney {
  readonly kind: 'line';
  /** 1-based across the file, stable for the same bytes: unreadable lines are counted too. */
  readonly lineNumber: number;
  readonly entry: EntryTotal;
  /** 1-based within the entry. */
  readonly transactionNumber: number;
  /** The entry holds several transactions; a `batch` part follows the last one. */
  readonly isInBatch: boolean;
  readonly entryReference: string | null;
  /** The way money moved. It already is the reversal's own way, see `reversal`. */
  readonly direction: Direction;
  /**
   * RvslInd: the entry undoes an earlier one. ISO 20022: where it is true and CdtDbtInd is CRDT,
   * the original operation was a debit. So `direction` is never to be turned round.
   */
  readonly reversal: boolean;
  readonly status: EntryStatus;
  /** ISO 8601 date, or date and time as written. */
  readonly bookedAt: string | null;
  readonly valueDate: string | null;
  /** Null where the bank wrote NOTPROVIDED. */
  readonly endToEndId: string | null;
  /** AcctSvcrRef of the transaction, else of the entry. */
  readonly bankReference: string | null;
  /** The reference is the entry's, and the entry holds several transactions: it tells none of them. */
  readonly isEntryReference: boolean;
  /** TxId: of the payer's bank; null where there is none. */
  readonly transactionId: string | null;
  /** InstrId and UETR of the transaction: the payer may choose both. */
  readonly instructionId: string | null;
  readonly uetr: string | null;
  /** Of a credit or a return: ISO 11649 references with right check digits that it bears. */
  readonly creditorReferences: readonly string[];
  readonly returnReason: string | null;
  /** The bank marks it as the return or reversal of an earlier movement: RtrInf, RvslInd or its code. */
  readonly isReturn: boolean;
  /** Btch/PmtInfId and Btch/NbOfTxs, which banks give where they do not itemise. */
  readonly paymentInformationId: string | null;
  readonly announcedTransactions: number | null;
}

/** After the last line of an entry with several transactions. */
interface BatchPart {
  readonly kind: 'batch';
  readonly entry: EntryTotal;
  readonly firstLine: number;
  readonly lastLine: number;
  readonly transactions: number;
  /**
   * Signed in the entry's direction; null where it cannot be known: a line in another currency than
   * the entry, or an unreadable one.
   */
  readonly transactionsTotal: string | null;
}

/** Something that could not be read while the rest could. Where money may be meant, ask a human. */
export interface ProblemPart {
  readonly kind: 'problem';
  readonly problem: 'MISSING' | 'INVALID';
  /** Path from Stmt, e.g. "Ntry/CdtDbtInd". */
  readonly element: string;
  /** Null outside an entry. */
  readonly lineNumber: number | null;
  readonly entryNumber: number | null;
}

/** The end of one Stmt; the end of the file is the end of the stream. */
export interface EndPart {
  readonly kind: 'end';
  readonly statementId: string;
  readonly entries: number;
  readonly lines: number;
  readonly problems: number;
}

export type StatementPart = HeaderPart | BalancePart | LinePart | BatchPart | ProblemPart | EndPart;
