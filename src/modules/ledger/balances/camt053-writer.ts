import { formatAmount } from '../../../domain/money/amount.ts';

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.08';

/** What a statement says beside its entries; amounts in minor units, moments in ISO 8601. */
interface StatementToWrite {
  /** At most 35 characters. */
  readonly id: string;
  /** One more than that of the day before. */
  readonly sequence: number;
  readonly createdAt: string;
  /** At most 34 characters. */
  readonly account: string;
  readonly currency: string;
  readonly from: string;
  readonly to: string;
  /** "2026-11-21" */
  readonly date: string;
  readonly opening: bigint;
  readonly closing: bigint;
}

/** One booked entry; texts of at most 35 characters but the last. */
export interface EntryToWrite {
  readonly reference: string;
  /** Minor units; negative for a debit. */
  readonly amount: bigint;
  /** Family and sub-family of ISO 20022's external bank transaction codes, domain PMNT. */
  readonly code: { readonly family: string; readonly subFamily: string };
  readonly servicerReference: string | null;
  readonly endToEndId: string | null;
  /** What the account's owner calls it; left out where it is longer than the format takes. */
  readonly ownerReference: string | null;
  readonly information: string;
}

const REFERENCE_CHARS_MAX = 35;

/** Writes a statement as camt.053.001.08 (ISO 20022), piece by piece. */
export async function* writeCamt053(
  statement: StatementToWrite,
  entries: AsyncIterable<EntryToWrite>,
): AsyncGenerator<string, void, undefined> {
  const { id, createdAt, currency, date, opening, closing } = statement;
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${NAMESPACE}"><BkToCstmrStmt>`;
  yield element('GrpHdr', element('MsgId', text(id)) + element('CreDtTm', createdAt));
  yield `<Stmt>${element('Id', text(id))}`;
  yield element('ElctrncSeqNb', String(statement.sequence)) + element('CreDtTm', createdAt);
  yield element('FrToDt', element('FrDtTm', statement.from) + element('ToDtTm', statement.to));
  const account = element('Othr', element('Id', text(statement.account)));
  yield element('Acct', element('Id', account) + element('Ccy', currency));
  yield balance('OPBD', opening, currency, date) + balance('CLBD', closing, currency, date);
  for await (const entry of entries) yield entryXml(entry, currency, date);
  yield '</Stmt></BkToCstmrStmt></Document>\n';
}

function balance(code: string, minor: bigint, currency: string, date: string): string {
  const type = element('Tp', element('CdOrPrtry', element('Cd', code)));
  return element('Bal', type + money(minor, currency) + element('Dt', element('Dt', date)));
}

function entryXml(entry: EntryToWrite, currency: string, date: string): string {
  const { amount, code, servicerReference, endToEndId, ownerReference } = entry;
  const family = element('Cd', code.family) + element('SubFmlyCd', code.subFamily);
  const isShort =
    ownerReference !== null && Array.from(ownerReference).length <= REFERENCE_CHARS_MAX;
  const references = [
    optional('AcctSvcrRef', servicerReference),
    optional('EndToEndId', endToEndId),
    optional('AcctOwnrTxId', isShort ? ownerReference : null),
  ].join('');
  const details = references === '' ? '' : element('Refs', references);
  return element(
    'Ntry',
    element('NtryRef', text(entry.reference)) +
      money(amount, currency) +
      element('Sts', element('Cd', 'BOOK')) +
      element('BookgDt', element('Dt', date)) +
      element('ValDt', element('Dt', date)) +
      optional('AcctSvcrRef', servicerReference) +
      element('BkTxCd', element('Domn', element('Cd', 'PMNT') + element('Fmly', family))) +
      element('NtryDtls', element('TxDtls', details + money(amount, currency))) +
      element('AddtlNtryInf', text(entry.information)),
  );
}

/** An amount without its sign, and the side that it stands on. */
function money(minor: bigint, currency: string): string {
  const amount = formatAmount(minor < 0n ? -minor : minor, currency);
  return `<Amt Ccy="${currency}">${amount}</Amt>${element('CdtDbtInd', minor < 0n ? 'DBIT' : 'CRDT')}`;
}

const optional = (name: string, value: string | null): string =>
  value === null || value === '' ? '' : element(name, text(value));

/** The content is markup already: texts go through `text` first. */
const element = (name: string, content: string): string => `<${name}>${content}</${name}>`;

/** What XML 1.0 has no character for is replaced: a partner chose the text. */
function text(value: string): string {
  return (
    value
      .toWellFormed()
      // eslint-disable-next-line no-control-regex -- these are the characters that XML does not have
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/gu, '\ufffd')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
  );
}
