import { describe, expect, it } from 'vitest';
import { identifyBooking } from '../../../src/domain/reconciliation/booking-identity.ts';
import { linesOf, readAll } from '../../support/adapters/iso20022/statement-reading.ts';

type Message = readonly [message: string, body: string, part: string, report: string];

const DAY: Message = ['camt.053', 'BkToCstmrStmt', 'Stmt', 'DAY'];
const MESSAGES: readonly Message[] = [
  ['camt.052', 'BkToCstmrAcctRpt', 'Rpt', 'INTRADAY'],
  DAY,
  ['camt.054', 'BkToCstmrDbtCdtNtfctn', 'Ntfctn', 'ADVICE'],
];

const reportXml = (entries: string, [message, body, part]: Message = DAY): string =>
  `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${message}.001.08"><${body}><${part}><Id>R-1</Id>${entries}</${part}></${body}></Document>`;

const details = (references: string, amount = '10.00'): string =>
  `<TxDtls><Refs>${references}</Refs><Amt Ccy="EUR">${amount}</Amt></TxDtls>`;

const entryXml = (transactions: string, more = '', status = '<Sts><Cd>BOOK</Cd></Sts>'): string =>
  `<Ntry><Amt Ccy="EUR">10.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>${status}<ValDt><Dt>2026-09-29</Dt></ValDt><AcctSvcrRef>ENTRY</AcctSvcrRef>${more}<NtryDtls>${transactions}</NtryDtls></Ntry>`;

const identitiesOf = async (xml: string) => linesOf(await readAll(xml)).map(identifyBooking);

describe('the identity of a booking', () => {
  it('has all references of its transaction, and that of an entry which is its own', async () => {
    const all = '<InstrId>I</InstrId><EndToEndId>E</EndToEndId><UETR>U</UETR><TxId>T</TxId>';
    expect(await identitiesOf(reportXml(entryXml(details(all))))).toEqual([
      {
        references: [
          { kind: 'AcctSvcrRef', value: 'ENTRY' },
          { kind: 'TxId', value: 'T' },
          { kind: 'EndToEndId', value: 'E' },
          { kind: 'InstrId', value: 'I' },
          { kind: 'UETR', value: 'U' },
        ],
        ...{ amount: '10', currency: 'EUR', direction: 'CRDT', creditorReferences: [] },
        ...{ valueDate: '2026-09-29', strength: 'STRONG' },
      },
    ]);
  });

  it('is weak where only the entry of several transactions, or the payer, gave a reference', async () => {
    const chosen = '<EndToEndId>E</EndToEndId><UETR>U</UETR>';
    const batch = details(chosen, '5.00') + details('<TxId>T</TxId>', '5.00');
    const [weak, strong] = await identitiesOf(reportXml(entryXml(batch)));
    expect(weak).toMatchObject({
      references: [{ kind: 'EntryAcctSvcrRef', value: 'ENTRY' }, { kind: 'EndToEndId' }, {}],
      strength: 'WEAK',
    });
    expect(strong?.strength).toBe('STRONG');
  });
});

describe('a report of a bank', () => {
  it.each(MESSAGES)('%s is read as %s', async (message, body, part, report) => {
    const shown: Message = [message, body, part, report];
    const parts = await readAll(reportXml(entryXml(details('<TxId>T</TxId>')), shown));
    expect(parts[0]).toMatchObject({ kind: 'header', statementId: 'R-1', report });
    expect(linesOf(parts)).toMatchObject([{ transactionId: 'T', status: 'BOOK', amount: '10.00' }]);
  });

  it('that says nothing of an entry’s status is believed only where it is of a whole day', async () => {
    const found = await Promise.all(
      MESSAGES.map(async (message) => {
        const xml = reportXml(entryXml(details(''), '', ''), message);
        return (await readAll(xml)).find(({ kind }) => kind === 'line' || kind === 'problem');
      }),
    );
    expect(found).toMatchObject([
      { kind: 'problem', element: 'Ntry/Sts' },
      { kind: 'line', status: 'BOOK' },
      { kind: 'problem', element: 'Ntry/Sts' },
    ]);
  });

  it('never moves more than its entry where one transaction of several says what was instructed', async () => {
    const instructed = '<AmtDtls><InstdAmt><Amt Ccy="EUR">1000.00</Amt></InstdAmt></AmtDtls>';
    const batch = `<Btch><NbOfTxs>5</NbOfTxs></Btch><TxDtls><Refs/>${instructed}</TxDtls>`;
    const parts = await readAll(reportXml(entryXml(batch)));
    expect(parts).toContainEqual(
      expect.objectContaining({ kind: 'batch', transactionsTotal: '1000' }),
    );
  });
});
