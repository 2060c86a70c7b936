import type { Booking } from './bank-journal.ts';
import { toText } from './currencies.ts';

/** A camt.053.001.08 of such parts. */
export const statementDocument = (parts: readonly string[]): string =>
  '<?xml version="1.0" encoding="UTF-8"?>' +
  '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>' +
  `${parts.join('')}</BkToCstmrStmt></Document>`;

export interface Frame {
  readonly currency: string;
  readonly before: bigint;
  readonly after: bigint;
  readonly day: Date;
}

/** One Stmt: a currency's opening balance, lines and closing balance. */
export function statementPart(id: string, frame: Frame, lines: readonly Booking[]): string {
  const { currency, before, after } = frame;
  return (
    `<Stmt><Id>${id}</Id><Acct><Id><Othr><Id>NOSTRO</Id></Othr></Id><Ccy>${currency}</Ccy></Acct>` +
    balance('OPBD', before, frame) +
    balance('CLBD', after, frame) +
    lines.map(entry).join('') +
    '</Stmt>'
  );
}

function balance(type: string, minor: bigint, { currency, day }: Frame): string {
  const [amount, indicator] = minor < 0n ? [-minor, 'DBIT'] : [minor, 'CRDT'];
  return (
    `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp>` +
    `<Amt Ccy="${currency}">${toText(amount, currency)}</Amt><CdtDbtInd>${indicator}</CdtDbtInd>` +
    `<Dt><Dt>${day.toISOString().slice(0, 10)}</Dt></Dt></Bal>`
  );
}

function entry({ currency, minor, direction, ...booking }: Booking): string {
  const { id, reference, bookedAt, remittance } = booking;
  const amount = `<Amt Ccy="${currency}">${toText(minor, currency)}</Amt>`;
  const isReturn = direction === 'CRDT' && reference !== null;
  const endToEnd = reference === null ? '' : `<EndToEndId>${reference}</EndToEndId>`;
  const text = remittance === '' ? '' : `<RmtInf><Ustrd>${remittance}</Ustrd></RmtInf>`;
  return (
    `<Ntry>${amount}<CdtDbtInd>${direction}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>` +
    `<BookgDt><DtTm>${bookedAt.toISOString()}</DtTm></BookgDt><NtryDtls><TxDtls>` +
    `<Refs><AcctSvcrRef>${id}</AcctSvcrRef>${endToEnd}</Refs>` +
    `${amount}<CdtDbtInd>${direction}</CdtDbtInd>${text}` +
    `${isReturn ? '<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>' : ''}</TxDtls></NtryDtls></Ntry>`
  );
}
