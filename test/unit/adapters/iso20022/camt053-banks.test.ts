import { describe, expect, it } from 'vitest';
import {
  entryXml,
  fixture,
  linesOf,
  readAll,
  statementXml,
} from '../../../support/adapters/iso20022/statement-reading.ts';

const brief = (parts: Awaited<ReturnType<typeof readAll>>) =>
  linesOf(parts).map((line) => [
    line.lineNumber,
    line.endToEndId,
    line.amount,
    line.currency,
    line.direction,
    line.status,
  ]);

describe('a version 02 statement in the German style', () => {
  it('is read line by line, the batch with each of its transactions', async () => {
    const parts = await readAll(fixture('german-v02.xml'));
    expect(brief(parts)).toEqual([
      [1, 'CWAAAAAAAAAAAAAAAAAAAAAAAAAA01', '250.00', 'EUR', 'DBIT', 'BOOK'],
      [2, 'CWAAAAAAAAAAAAAAAAAAAAAAAAAB01', '500.00', 'EUR', 'DBIT', 'BOOK'],
      [3, 'CWAAAAAAAAAAAAAAAAAAAAAAAAAC01', '400.00', 'EUR', 'DBIT', 'BOOK'],
      [4, 'CWAAAAAAAAAAAAAAAAAAAAAAAAAD01', '100.00', 'EUR', 'DBIT', 'BOOK'],
      [5, 'CWAAAAAAAAAAAAAAAAAAAAAAAAAE01', '20.01', 'EUR', 'CRDT', 'BOOK'],
      [6, null, '10.00', 'EUR', 'DBIT', 'BOOK'],
      [7, null, '75.00', 'EUR', 'DBIT', 'PDNG'],
    ]);
  });

  it('gives its head and balances before the lines, and an end', async () => {
    const parts = await readAll(fixture('german-v02.xml'));
    expect(parts.slice(0, 3)).toEqual([
      {
        kind: 'header',
        statementId: '0352C532026-11-03',
        report: 'DAY',
        electronicSequence: 214n,
        account: 'DE89370400440532013000',
        currency: 'EUR',
        from: null,
        to: null,
        page: null,
      },
      {
        kind: 'balance',
        type: 'PRCD',
        subType: null,
        amount: '10000.00',
        currency: 'EUR',
        direction: 'CRDT',
        date: '2026-11-02',
      },
      expect.objectContaining({ kind: 'balance', type: 'CLBD', amount: '8760.01' }),
    ]);
    expect(parts.at(-1)).toEqual({
      kind: 'end',
      statementId: '0352C532026-11-03',
      entries: 5,
      lines: 7,
      problems: 0,
    });
  });

  it('tells what the whole batch moved beside what its transactions add up to', async () => {
    const parts = await readAll(fixture('german-v02.xml'));
    expect(parts.filter((part) => part.kind === 'batch')).toEqual([
      {
        kind: 'batch',
        entry: { number: 2, amount: '1000.00', currency: 'EUR', direction: 'DBIT' },
        firstLine: 2,
        lastLine: 4,
        transactions: 3,
        transactionsTotal: '1000',
      },
    ]);
    const [first, second] = linesOf(parts);
    expect(first).toMatchObject({ isInBatch: false, announcedTransactions: null });
    expect(second).toMatchObject({
      isInBatch: true,
      transactionNumber: 1,
      announcedTransactions: 3,
      paymentInformationId: 'PI-20261103-1',
      bankReference: '2026110312345002000',
    });
  });

  it('keeps the reason of a return', async () => {
    const lines = linesOf(await readAll(fixture('german-v02.xml')));
    expect(lines.map((line) => line.returnReason)).toEqual([
      null,
      null,
      null,
      null,
      'AC01',
      null,
      null,
    ]);
  });
});

describe('what is a return', () => {
  it.each([
    ['german-v02.xml', [false, false, false, false, true, false, false]],
    ['swiss-v04.xml', [false, false, true]],
    ['prefixed-v08.xml', [false, false, true]],
  ])('%s marks it by RtrInf or RvslInd', async (name, expected) => {
    const lines = linesOf(await readAll(fixture(name)));
    expect(lines.map((line) => line.isReturn)).toEqual(expected);
  });
});

describe('a version 04 statement in the Swiss style', () => {
  it('takes amounts and references of the transactions, dates as dates or times', async () => {
    const lines = linesOf(await readAll(fixture('swiss-v04.xml')));
    expect(lines.map((line) => [line.amount, line.bankReference, line.bookedAt])).toEqual([
      ['350.5', 'CH-TX-1', '2026-11-03T09:30:00+01:00'],
      ['249.5', 'CH-TX-2', '2026-11-03T09:30:00+01:00'],
      ['50.5', null, '2026-11-03'],
    ]);
    expect(lines[0]).toMatchObject({ entryReference: 'CH-ENTRY-1', valueDate: '2026-11-03' });
  });

  it('a lone transaction told in another currency moved what its entry says', async () => {
    const entry = entryXml('CW1', '8.85').replace('</Refs>', '</Refs><Amt Ccy="SEK">0</Amt>');
    const [line] = linesOf(await readAll(statementXml(entry)));
    expect(line).toMatchObject({ endToEndId: 'CW1', amount: '8.85', currency: 'EUR' });
  });

  it('says that a credit is the reversal of a debit and leaves its direction alone', async () => {
    const lines = linesOf(await readAll(fixture('swiss-v04.xml')));
    expect(lines.map((line) => [line.direction, line.reversal])).toEqual([
      ['DBIT', false],
      ['DBIT', false],
      ['CRDT', true],
    ]);
  });

  it('tells pages, the period and an intermediate balance', async () => {
    const parts = await readAll(fixture('swiss-v04.xml'));
    expect(parts[0]).toMatchObject({
      account: '01-162-8',
      from: '2026-11-03T00:00:00',
      to: '2026-11-03T23:59:59',
      page: { number: 1, isLast: false },
    });
    expect(parts[2]).toMatchObject({ type: 'CLBD', subType: 'INTM', direction: 'DBIT' });
  });
});

describe('a version 08 file with a namespace prefix and two statements', () => {
  it('is read through comments, CDATA and foreign elements', async () => {
    expect(brief(await readAll(fixture('prefixed-v08.xml')))).toEqual([
      [1, 'CWCAAAAAAAAAAAAAAAAAAAAAAAAA01', '10.00000', 'USD', 'DBIT', 'BOOK'],
      [2, null, '3.25', 'EUR', 'DBIT', 'INFO'],
      [3, null, '0', 'USD', 'CRDT', 'PDNG'],
    ]);
  });

  it('opens and closes each statement, also one without entries', async () => {
    const parts = await readAll(fixture('prefixed-v08.xml'));
    const heads = parts.filter((part) => part.kind === 'header' || part.kind === 'end');
    expect(heads.map((part) => [part.kind, part.statementId])).toEqual([
      ['header', 'P08-USD'],
      ['end', 'P08-USD'],
      ['header', 'P08-KWD'],
      ['end', 'P08-KWD'],
    ]);
    expect(heads[2]).toMatchObject({ currency: 'KWD', account: 'GB82WEST12345698765432' });
    expect(parts.filter((part) => part.kind === 'balance')).toMatchObject([
      { type: 'BANKOWN', amount: '0', date: '2026-11-03' },
      { type: 'OPBD', amount: '1.005' },
    ]);
  });
});

describe('however the bytes arrive', () => {
  it.each(['german-v02.xml', 'swiss-v04.xml', 'prefixed-v08.xml'])(
    'byte by byte, %s gives the same parts',
    async (name) => {
      const bytes = fixture(name);
      expect(await readAll(bytes, { size: 1 })).toEqual(await readAll(bytes));
    },
  );
});
