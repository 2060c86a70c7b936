import { describe, expect, it } from 'vitest';
import type {
  BalanceStatement,
  StatementEntry,
} from '../../../src/modules/ledger/balances/balance-statement.ts';
import { writeStatementCsv } from '../../../src/modules/ledger/balances/statement-csv.ts';
import { writeStatementJson } from '../../../src/modules/ledger/balances/statement-json.ts';

const end = (day: number, available: bigint) => ({
  ...{ day, lastSeq: 1n, available, reserved: 0n, pending: 0n, receivable: 0n },
  closedAt: new Date('2026-11-22T00:05:00.000Z'),
});
const STATEMENT: BalanceStatement = {
  scope: { customerId: 'cus_1', environment: 'test' },
  ...{ currency: 'EUR', day: 20_778, opening: end(20_777, 0n), closing: end(20_778, -500n) },
};
const entry = (externalId: string): StatementEntry => ({
  ...{ id: 'btx_1', type: 'PAYMENT', description: 'Paid out', amount: -500n, balanceAfter: -500n },
  ...{ paymentId: 'pay_1', externalId, reference: 'CW1', bookedAt: new Date(0) },
});

async function* entriesOf(externalIds: Iterable<string>) {
  for (const externalId of externalIds) yield entry(externalId);
}

async function csvOf(externalId: string): Promise<string> {
  let csv = '';
  for await (const piece of writeStatementCsv(STATEMENT, entriesOf([externalId]))) csv += piece;
  return csv;
}

describe('a statement as CSV', () => {
  it.each([
    ['=HYPERLINK("http://x")', '"\'=HYPERLINK(""http://x"")"'],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['a,b', '"a,b"'],
    ['say "no"', '"say ""no"""'],
    ['two\r\nlines', '"two\r\nlines"'],
  ])('gives no spreadsheet a formula: %s', async (externalId, cell) => {
    expect(await csvOf(externalId)).toContain(`,-5.00,-5.00,pay_1,${cell},CW1,Paid out,`);
  });

  it('is a header, the opening balance, entries and the closing balance, each on a line of RFC 4180', async () => {
    expect((await csvOf('x')).split('\r\n')).toEqual([
      'date,type,id,currency,amount,balanceAfter,paymentId,externalId,reference,description,bookedAt',
      '2026-11-21,OPENING_BALANCE,,EUR,,0.00,,,,,',
      '2026-11-21,PAYMENT,btx_1,EUR,-5.00,-5.00,pay_1,x,CW1,Paid out,1970-01-01T00:00:00.000Z',
      '2026-11-21,CLOSING_BALANCE,,EUR,,-5.00,,,,,',
      '',
    ]);
  });
});

describe('a statement of any length', () => {
  it('is written piece by piece: no entry is asked for before the one before it was taken', async () => {
    for (const write of [writeStatementCsv, writeStatementJson]) {
      let asked = 0;
      let taken = 0;
      let aheadMost = 0;
      const ids = (function* () {
        for (; asked < 500;) {
          asked += 1;
          yield 'x';
        }
      })();
      for await (const piece of write(STATEMENT, entriesOf(ids))) {
        taken += piece.includes('btx_1') ? 1 : 0;
        aheadMost = Math.max(aheadMost, asked - taken);
      }
      expect(taken).toBe(500);
      expect(aheadMost).toBeLessThanOrEqual(1);
    }
  });
});
