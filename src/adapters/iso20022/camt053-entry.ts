import { findCreditorReferences } from '../../domain/ledger/funding/creditor-reference.ts';
import { fromUnits, toUnits } from '../../domain/reconciliation/decimal-units.ts';
import type { Direction } from '../../domain/reconciliation/statement-types.ts';
import type { BankTransactionCode } from './camt053-values.ts';
import {
  isCharge,
  isReturnCode,
  readCurrency,
  readDecimal,
  readDirection,
  readEntryStatus,
  readIndicator,
} from './camt053-values.ts';
import type { StatementCollector } from './statement-collector.ts';
import type { EntryTotal, HeaderPart, LinePart } from './statement-parts.ts';

/** An amount as found: not yet judged. */
export interface RawAmount {
  readonly text: string;
  readonly currency: string | undefined;
}

/**
 * Where a TxDtls tells its amount, the nearest to what was booked first. Version 02 has no Amt of its
 * own, and some banks write only what was instructed.
 */
const AMOUNT_ELEMENTS = ['Amt', 'TxAmt', 'CntrValAmt', 'InstdAmt'] as const;

/** A TxDtls as found. */
interface TransactionDraft {
  amounts: Partial<Record<(typeof AMOUNT_ELEMENTS)[number], RawAmount>>;
  direction: string | null;
  endToEndId: string | null;
  instructionId: string | null;
  uetr: string | null;
  code: BankTransactionCode;
  bankReference: string | null;
  /** It has a RtrInf, with a reason or without. */
  hasReturnInformation: boolean;
  returnReason: string | null;
  /** The bank of the payer's own, which stays the same on the way. */
  transactionId: string | null;
  remittance: RemittanceDraft;
}

/** What the payer wrote, as it came in pieces: nothing of it is kept but references. */
interface RemittanceDraft {
  unstructured: string;
  structured: string[];
}

/** ISO 20022 has 140 characters a piece and no end of pieces; no payer needs more than this. */
const REMITTANCE_CHARS_MAX = 20_000;
const STRUCTURED_MAX = 100;

/** Pieces follow each other without a blank: banks break lines within a word. */
export function addUnstructured(draft: RemittanceDraft, piece: string): void {
  if (draft.unstructured.length + piece.length > REMITTANCE_CHARS_MAX) return;
  draft.unstructured += piece;
}

export function addStructured(draft: RemittanceDraft, piece: string): void {
  if (draft.structured.length < STRUCTURED_MAX) draft.structured.push(piece);
}

/** An Ntry as found. */
interface EntryDraft {
  amount: RawAmount | null;
  direction: string | null;
  reversal: string | null;
  status: string | null;
  reference: string | null;
  bankReference: string | null;
  code: BankTransactionCode;
  bookedAt: string | null;
  valueDate: string | null;
  paymentInformationId: string | null;
  announcedTransactions: number | null;
}

interface Fault {
  readonly problem: 'MISSING' | 'INVALID';
  readonly element: string;
}

export const emptyTransaction = (): TransactionDraft => ({
  amounts: {},
  direction: null,
  endToEndId: null,
  instructionId: null,
  uetr: null,
  code: { family: null, subFamily: null },
  bankReference: null,
  hasReturnInformation: false,
  returnReason: null,
  transactionId: null,
  remittance: { unstructured: '', structured: [] },
});

export const emptyEntry = (): EntryDraft => ({
  amount: null,
  direction: null,
  reversal: null,
  status: null,
  reference: null,
  bankReference: null,
  code: { family: null, subFamily: null },
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

type EntryFacts = Pick<LinePart, 'reversal' | 'status'> & { readonly total: EntryTotal };

function readEntry(
  draft: EntryDraft,
  number: number,
  { currency: accountCurrency, report }: Pick<HeaderPart, 'currency' | 'report'>,
): EntryFacts | Fault {
  const money = readMoney(draft.amount, accountCurrency, 'Ntry/Amt');
  if ('problem' in money) return money;
  const direction = readWay(draft.direction, 'Ntry/CdtDbtInd');
  if (typeof direction !== 'string') return direction;
  const reversal = readIndicator(draft.reversal ?? 'false');
  if (reversal === null) return { problem: 'INVALID', element: 'Ntry/RvslInd' };
  // Sts is mandatory, yet some banks leave it out: a camt.053 reports booked entries by definition.
  if (draft.status === null && report !== 'DAY') return { problem: 'MISSING', element: 'Ntry/Sts' };
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
  /** Its one line moved what it says itself. */
  let isToldAlone = false;

  /** Null where the transaction does not say: an amount in the entry's own currency goes first. */
  function readTold({ amounts }: TransactionDraft, { currency }: EntryTotal): Money | Fault | null {
    const found = AMOUNT_ELEMENTS.flatMap((element) => amounts[element] ?? []);
    const own = found.find((raw) => (raw.currency ?? currency) === currency);
    const raw = own ?? found[0];
    return raw === undefined ? null : readMoney(raw, currency, 'Ntry/NtryDtls/TxDtls/Amt');
  }

  /**
   * A transaction that is alone in its entry moved what the entry says: its own elements tell what was
   * instructed, before charges or in another currency. Of several, each moved what it says.
   */
  function readMovement(
    line: TransactionDraft,
    total: EntryTotal,
    isInBatch: boolean,
  ): (Money & { direction: Direction }) | Fault {
    const told = readTold(line, total);
    if (told !== null && 'problem' in told) return told;
    const way =
      line.direction === null
        ? total.direction
        : readWay(line.direction, 'Ntry/NtryDtls/TxDtls/CdtDbtInd');
    if (typeof way !== 'string') return way;
    if (told === null && isInBatch)
      return { problem: 'MISSING', element: 'Ntry/NtryDtls/TxDtls/Amt' };
    addToSum(line, told ?? total, way, total, isInBatch);
    if (!isInBatch) isToldAlone = isOneOfSeveral(false) && told !== null;
    return isOneOfSeveral(isInBatch) && told !== null ? { ...told, direction: way } : total;
  }

  /** A bank may itemise only some of the transactions that it announces. */
  function isOneOfSeveral(isInBatch: boolean): boolean {
    return isInBatch || (draft.announcedTransactions ?? 0) > 1;
  }

  function addToSum(
    line: TransactionDraft,
    told: Money,
    way: Direction,
    total: EntryTotal,
    isInBatch: boolean,
  ): void {
    // What was instructed may be before charges: alone, it proves nothing about the entry.
    const isBooked =
      isOneOfSeveral(isInBatch) || (line.amounts.Amt ?? line.amounts.TxAmt) !== undefined;
    if (told.currency !== total.currency || !isBooked) sumUnits = null;
    if (sumUnits === null) return;
    const units = toUnits(told.amount);
    sumUnits += way === total.direction ? units : -units;
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

    const entry = readEntry(draft, number, collector.header());
    if ('problem' in entry) return fail(entry);
    const movement = readMovement(line, entry.total, isInBatch);
    if ('problem' in movement) return fail(movement);
    const { amount, currency, direction } = movement;
    const code = line.code.subFamily === null ? draft.code : line.code;
    const isReturn = entry.reversal || line.hasReturnInformation || isReturnCode(code);
    collector.emit({
      kind: 'line',
      lineNumber,
      entry: entry.total,
      transactionNumber: transactions,
      isInBatch,
      entryReference: draft.reference,
      amount,
      currency,
      direction,
      reversal: entry.reversal,
      status: entry.status,
      bookedAt: draft.bookedAt,
      valueDate: draft.valueDate,
      endToEndId: isCharge(code) ? null : (line.endToEndId ?? line.instructionId),
      bankReference: line.bankReference ?? draft.bankReference,
      isEntryReference: line.bankReference === null && isOneOfSeveral(isInBatch),
      transactionId: line.transactionId,
      instructionId: line.instructionId,
      uetr: line.uetr,
      creditorReferences: direction === 'CRDT' || isReturn ? referencesOf(line) : [],
      returnReason: line.returnReason,
      isReturn,
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
      const isAlone = transactions === 0;
      if (isAlone) emitLine(held ?? emptyTransaction(), false);
      const entry = readEntry(draft, number, collector.header());
      if ('problem' in entry) return;
      // A lone transaction is held against its entry too, and is a batch only where they differ.
      if (isAlone && sumUnits === null && !isToldAlone) return;
      if (isAlone && sumUnits === toUnits(entry.total.amount)) return;
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

function referencesOf({ endToEndId, remittance }: TransactionDraft): readonly string[] {
  const { unstructured, structured } = remittance;
  if (endToEndId === null && unstructured === '' && structured.length === 0) return [];
  return findCreditorReferences([unstructured, ...structured, endToEndId ?? '']);
}

export type EntryReader = ReturnType<typeof createEntryReader>;
