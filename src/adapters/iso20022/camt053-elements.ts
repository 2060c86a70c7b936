import {
  addStructured,
  addUnstructured,
  createEntryReader,
  emptyEntry,
  emptyTransaction,
} from './camt053-entry.ts';
import type { EntryReader, RawAmount } from './camt053-entry.ts';
import { createBalanceReader } from './camt053-balance.ts';
import { readIndicator, readReference, readWhen, readWholeNumber } from './camt053-values.ts';
import type { BankTransactionCode } from './camt053-values.ts';
import type { ReportKind } from '../../domain/reconciliation/statement-types.ts';
import type { StatementCollector } from './statement-collector.ts';
import type { ElementNode } from './xml-walker.ts';

type TextNode = Required<Pick<ElementNode, 'text'>>;

const leaf = (take: (value: string) => void): TextNode => ({ text: take });
const money = (take: (raw: RawAmount) => void): TextNode => ({
  text: (text, attributes) => take({ text, currency: attributes['Ccy'] }),
});
const group = (children: Record<string, ElementNode>): ElementNode => ({ children });
/** A Cd or Prtry choice; version 02 writes some of them as plain text. */
const choice = (take: (value: string) => void): ElementNode => ({
  text: take,
  children: { Cd: leaf(take), Prtry: leaf(take) },
});
/** `code` answers the draft that is being read. */
const transactionCode = (code: () => BankTransactionCode): ElementNode =>
  group({
    Domn: group({
      Fmly: group({
        Cd: leaf((value) => (code().family = value)),
        SubFmlyCd: leaf((value) => (code().subFamily = value)),
      }),
    }),
  });
/** A Dt or DtTm choice. An unreadable date is no date: nothing depends on one. */
const when = (take: (value: string | null) => void): ElementNode =>
  group({
    Dt: leaf((value) => take(readWhen(value))),
    DtTm: leaf((value) => take(readWhen(value))),
  });

/** The elements of camt.052, camt.053 and camt.054 (001.02 to .08) that matter here, below Document. */
export function statementElements(collector: StatementCollector): ElementNode {
  return group({
    BkToCstmrStmt: group({ Stmt: reportElement(collector, 'DAY', 'StmtPgntn') }),
    BkToCstmrAcctRpt: group({ Rpt: reportElement(collector, 'INTRADAY', 'RptPgntn') }),
    BkToCstmrDbtCdtNtfctn: group({ Ntfctn: reportElement(collector, 'ADVICE', 'NtfctnPgntn') }),
  });
}

/** A Stmt, Rpt or Ntfctn: they have one structure. */
function reportElement(
  collector: StatementCollector,
  report: ReportKind,
  pagination: string,
): ElementNode {
  return {
    open: () => collector.openStatement(report),
    close: () => collector.closeStatement(),
    children: {
      ...headerElements(collector, pagination),
      Bal: balanceElement(collector),
      Ntry: entryElement(collector),
    },
  };
}

function headerElements(
  collector: StatementCollector,
  pagination: string,
): Record<string, ElementNode> {
  let pageNumber = 0;
  const setAccount = (value: string) => (collector.header().account = value);
  return {
    Id: leaf((value) => (collector.header().statementId = value)),
    [pagination]: group({
      PgNb: leaf((value) => (pageNumber = Number(readWholeNumber(value) ?? 0n))),
      LastPgInd: leaf((value) => {
        const isLast = readIndicator(value) ?? true;
        collector.header().page = { number: pageNumber, isLast };
      }),
    }),
    ElctrncSeqNb: leaf((value) => (collector.header().electronicSequence = readWholeNumber(value))),
    FrToDt: group({
      FrDtTm: leaf((value) => (collector.header().from = readWhen(value))),
      ToDtTm: leaf((value) => (collector.header().to = readWhen(value))),
    }),
    Acct: group({
      Id: group({ IBAN: leaf(setAccount), Othr: group({ Id: leaf(setAccount) }) }),
      Ccy: leaf((value) => (collector.header().currency = value)),
    }),
  };
}

function balanceElement(collector: StatementCollector): ElementNode {
  let reader = createBalanceReader(collector);
  return {
    open: () => {
      collector.completeHeader();
      reader = createBalanceReader(collector);
    },
    close: () => reader.close(),
    children: {
      Tp: group({
        CdOrPrtry: choice((value) => (reader.draft.type = value)),
        SubTp: choice((value) => (reader.draft.subType = value)),
      }),
      Amt: money((raw) => (reader.draft.amount = raw)),
      CdtDbtInd: leaf((value) => (reader.draft.direction = value)),
      Dt: when((value) => (reader.draft.date = value)),
    },
  };
}

function entryElement(collector: StatementCollector): ElementNode {
  let entry = emptyEntry();
  let transaction = emptyTransaction();
  let reader: EntryReader | null = null;
  return {
    open: () => {
      collector.completeHeader();
      entry = emptyEntry();
      reader = createEntryReader(collector, entry);
    },
    close: () => reader?.close(),
    children: {
      NtryRef: leaf((value) => (entry.reference = value)),
      Amt: money((raw) => (entry.amount = raw)),
      CdtDbtInd: leaf((value) => (entry.direction = value)),
      RvslInd: leaf((value) => (entry.reversal = value)),
      Sts: choice((value) => (entry.status = value)),
      BookgDt: when((value) => (entry.bookedAt = value)),
      ValDt: when((value) => (entry.valueDate = value)),
      AcctSvcrRef: leaf((value) => (entry.bankReference = readReference(value))),
      BkTxCd: transactionCode(() => entry.code),
      NtryDtls: group({
        Btch: group({
          PmtInfId: leaf((value) => (entry.paymentInformationId = value)),
          NbOfTxs: leaf((value) => {
            const count = readWholeNumber(value);
            entry.announcedTransactions = count === null ? null : Number(count);
          }),
        }),
        TxDtls: {
          open: () => (transaction = emptyTransaction()),
          close: () => reader?.addTransaction(transaction),
          children: {
            Refs: group({
              InstrId: leaf((value) => (transaction.instructionId = readReference(value))),
              UETR: leaf((value) => (transaction.uetr = readReference(value))),
              EndToEndId: leaf((value) => (transaction.endToEndId = readReference(value))),
              AcctSvcrRef: leaf((value) => (transaction.bankReference = readReference(value))),
              TxId: leaf((value) => (transaction.transactionId = readReference(value))),
            }),
            Amt: money((raw) => (transaction.amounts.Amt = raw)),
            CdtDbtInd: leaf((value) => (transaction.direction = value)),
            AmtDtls: group({
              InstdAmt: group({ Amt: money((raw) => (transaction.amounts.InstdAmt = raw)) }),
              TxAmt: group({ Amt: money((raw) => (transaction.amounts.TxAmt = raw)) }),
              CntrValAmt: group({ Amt: money((raw) => (transaction.amounts.CntrValAmt = raw)) }),
            }),
            BkTxCd: transactionCode(() => transaction.code),
            RmtInf: group({
              Ustrd: leaf((value) => addUnstructured(transaction.remittance, value)),
              Strd: group({
                CdtrRefInf: group({
                  Ref: leaf((value) => addStructured(transaction.remittance, value)),
                  // Of version 01 of the older messages, which some banks keep.
                  CdtrRef: leaf((value) => addStructured(transaction.remittance, value)),
                }),
                AddtlRmtInf: leaf((value) => addUnstructured(transaction.remittance, value)),
              }),
            }),
            RtrInf: {
              open: () => (transaction.hasReturnInformation = true),
              children: { Rsn: choice((value) => (transaction.returnReason = value)) },
            },
          },
        },
      }),
    },
  };
}
