import type { ReportKind } from '../../../src/domain/reconciliation/statement-types.ts';
import { fromUnits, toUnits } from '../../../src/domain/reconciliation/decimal-units.ts';

export interface EntryDraft {
  readonly reference?: string;
  readonly amount: string;
  readonly direction?: 'DBIT' | 'CRDT';
  readonly status?: string;
  readonly reversal?: boolean;
  /** Of a RtrInf, which is empty where this is. */
  readonly returnReason?: string;
  /** Family and sub-family of the bank's transaction code. */
  readonly code?: readonly [string, string];
  /** In place of that, a code of the bank's own. */
  readonly proprietaryCode?: string;
  /** What the payer wrote. */
  readonly purpose?: string;
  readonly remittance?: string | readonly string[];
  /** Of a CdtrRefInf, in place of the remittance text. */
  readonly creditorReference?: string;
  /** AcctSvcrRef; one by the entry's place where it is left out, none where it is null. */
  readonly bankReference?: string | null;
  /** AcctSvcrRef of the entry, beside those of its transactions. */
  readonly entryReference?: string;
  /** TxId. */
  readonly transactionId?: string;
  /** ISO 8601. */
  readonly bookedAt?: string;
  /** Transactions of a batch booking in place of the one. */
  readonly batch?: readonly {
    readonly reference?: string;
    readonly amount: string;
    readonly remittance?: string;
    readonly transactionId?: string;
  }[];
}

export interface StatementDraft {
  readonly id: string;
  /** Which message it is; of a whole day where it is left out. */
  readonly report?: ReportKind;
  readonly currency?: string;
  readonly opening?: string;
  /** What the bank claims; left out, it is right. */
  readonly closing?: string;
  readonly entries: readonly EntryDraft[];
}

/** A camt.053.001.08 with names in it, as banks write them: none of those may be stored. */
export function statementXml(draft: StatementDraft): string {
  return [...statementChunks(draft)].join('');
}

export function* statementChunks(draft: StatementDraft): Generator<string> {
  const { id, currency = 'EUR', opening = '1000000000.00', entries } = draft;
  const closing = draft.closing ?? rightClosing(opening, entries);
  const [message, body, part] = MESSAGES[draft.report ?? 'DAY'];
  const hasBalances = (draft.report ?? 'DAY') === 'DAY';
  yield (
    '<?xml version="1.0" encoding="UTF-8"?>' +
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${message}.001.08"><${body}>` +
    `<${part}><Id>${id}</Id><Acct><Id><Othr><Id>NOSTRO</Id></Othr></Id><Ccy>${currency}</Ccy></Acct>` +
    (hasBalances ? balance('OPBD', opening, currency) + balance('CLBD', closing, currency) : '')
  );
  for (const [index, entry] of entries.entries()) yield entryXml(entry, currency, index + 1);
  yield `</${part}></${body}></Document>`;
}

const MESSAGES: Readonly<Record<ReportKind, readonly [string, string, string]>> = {
  DAY: ['camt.053', 'BkToCstmrStmt', 'Stmt'],
  INTRADAY: ['camt.052', 'BkToCstmrAcctRpt', 'Rpt'],
  ADVICE: ['camt.054', 'BkToCstmrDbtCdtNtfctn', 'Ntfctn'],
};

function rightClosing(opening: string, entries: readonly EntryDraft[]): string {
  const booked = entries.filter(({ status = 'BOOK' }) => status === 'BOOK');
  const net = booked.reduce((sum, { amount, direction = 'DBIT' }) => {
    return direction === 'CRDT' ? sum + toUnits(amount) : sum - toUnits(amount);
  }, 0n);
  return fromUnits(toUnits(opening) + net);
}

function balance(type: string, amount: string, currency: string): string {
  return (
    `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp><Amt Ccy="${currency}">${amount}</Amt>` +
    '<CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-09-29</Dt></Dt></Bal>'
  );
}

function codeXml({ code, proprietaryCode }: EntryDraft): string {
  if (proprietaryCode !== undefined) {
    return `<BkTxCd><Prtry><Cd>${proprietaryCode}</Cd></Prtry></BkTxCd>`;
  }
  if (code === undefined) return '';
  const [family, subFamily] = code;
  return `<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>${family}</Cd><SubFmlyCd>${subFamily}</SubFmlyCd></Fmly></Domn></BkTxCd>`;
}

function returnXml(reason: string | undefined): string {
  if (reason === undefined) return '';
  return reason === '' ? '<RtrInf/>' : `<RtrInf><Rsn><Cd>${reason}</Cd></Rsn></RtrInf>`;
}

function remittanceXml({
  remittance = 'Rent of Ada Sample',
  creditorReference,
}: EntryDraft): string {
  if (creditorReference !== undefined) {
    const type = '<Tp><CdOrPrtry><Cd>SCOR</Cd></CdOrPrtry></Tp>';
    return `<RmtInf><Strd><CdtrRefInf>${type}<Ref>${creditorReference}</Ref></CdtrRefInf></Strd></RmtInf>`;
  }
  const pieces = typeof remittance === 'string' ? [remittance] : remittance;
  return `<RmtInf>${pieces.map((piece) => `<Ustrd>${piece}</Ustrd>`).join('')}</RmtInf>`;
}

const transactionXml = ({ transactionId }: Pick<EntryDraft, 'transactionId'>): string =>
  transactionId === undefined ? '' : `<TxId>${transactionId}</TxId>`;

function entryXml(entry: EntryDraft, currency: string, number: number): string {
  const { amount, direction = 'DBIT', status = 'BOOK', reversal, returnReason } = entry;
  const batch = entry.batch ?? [{ reference: entry.reference, amount }];
  const own = entry.bankReference === undefined ? `BANK-${number}` : entry.bankReference;
  const ownXml = own === null ? '' : `<AcctSvcrRef>${own}</AcctSvcrRef>`;
  const transactions = batch.map((one) => {
    const endToEnd = one.reference === undefined ? '' : `<EndToEndId>${one.reference}</EndToEndId>`;
    return (
      `<TxDtls><Refs>${ownXml}${endToEnd}${transactionXml({ ...entry, ...one })}</Refs>` +
      `<Amt Ccy="${currency}">${one.amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd>` +
      '<RltdPties><Cdtr><Pty><Nm>Ada Sample</Nm></Pty></Cdtr></RltdPties>' +
      (entry.purpose === undefined ? '' : `<Purp><Cd>${entry.purpose}</Cd></Purp>`) +
      remittanceXml({ ...entry, ...one }) +
      returnXml(returnReason) +
      '</TxDtls>'
    );
  });
  return (
    `<Ntry><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd>` +
    (reversal ? '<RvslInd>true</RvslInd>' : '') +
    `<Sts><Cd>${status}</Cd></Sts><BookgDt><DtTm>${entry.bookedAt ?? '2026-09-29T12:00:00Z'}</DtTm></BookgDt>` +
    (entry.entryReference === undefined
      ? ''
      : `<AcctSvcrRef>${entry.entryReference}</AcctSvcrRef>`) +
    codeXml(entry) +
    `<NtryDtls>${transactions.join('')}</NtryDtls></Ntry>`
  );
}
