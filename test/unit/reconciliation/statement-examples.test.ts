import { expect, it } from 'vitest';
import {
  camt053Entries,
  camt053Statement,
} from '../../../src/modules/ledger/balances/statement-camt053.ts';
import { writeStatementCsv } from '../../../src/modules/ledger/balances/statement-csv.ts';
import { writeStatementJson } from '../../../src/modules/ledger/balances/statement-json.ts';
import type {
  BalanceStatement,
  StatementEntry,
} from '../../../src/modules/ledger/balances/balance-statement.ts';
import { BALANCE_EXAMPLES } from '../../../src/api/examples/balance-examples.ts';
import { dayOf } from '../../../src/domain/ledger/statement-day.ts';
import { exampleId } from '../../../src/api/examples/operation-example.ts';
import { writeCamt053 } from '../../../src/modules/ledger/balances/camt053-writer.ts';

const BOOKED_AT = new Date('2026-09-29T12:15:09.000Z');
const CLOSED_AT = new Date('2026-09-30T00:05:00.000Z');
const day = dayOf(BOOKED_AT);

const end = (ofDay: number, available: bigint): BalanceStatement['closing'] => ({
  ...{ day: ofDay, lastSeq: 0n, available, reserved: 0n, pending: 0n, receivable: 0n },
  closedAt: CLOSED_AT,
});

const statement: BalanceStatement = {
  scope: { customerId: exampleId('cus'), environment: 'test' },
  ...{ currency: 'EUR', day, opening: end(day - 1, 0n), closing: end(day, 74_950n) },
};

const ofPayment = {
  ...{ paymentId: exampleId('pay'), externalId: 'invoice-4711' },
  reference: 'CW01K6B7Q0E8F1HTX9N3R5P7V2AB',
};

async function* entries(): AsyncGenerator<StatementEntry> {
  yield {
    ...{ id: 'btx_01k6b6zzzzf1htx9n3r5p7v2ab', type: 'DEPOSIT', description: 'Money received' },
    ...{ amount: 100_000n, balanceAfter: 100_000n },
    ...{ paymentId: null, externalId: null, reference: null },
    bookedAt: new Date('2026-09-29T12:12:00.000Z'),
  };
  yield {
    ...{ id: exampleId('btx'), type: 'PAYMENT', description: 'Paid out' },
    ...{ amount: -25_000n, balanceAfter: 75_000n, ...ofPayment, bookedAt: BOOKED_AT },
  };
  yield {
    ...{ id: 'btx_01k6b7q0e9f1htx9n3r5p7v2ab', type: 'FEE', description: 'Fee of a payment' },
    ...{ amount: -50n, balanceAfter: 74_950n, ...ofPayment, bookedAt: BOOKED_AT },
  };
}

const textOf = async (pieces: AsyncIterable<string>): Promise<string> => {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
};

it('the three examples of a statement are one statement, as it is written', async () => {
  const examples = BALANCE_EXAMPLES['getBalanceStatement'];
  const json = await textOf(writeStatementJson(statement, entries()));
  expect(examples?.['json']?.answer).toEqual(JSON.parse(json));
  const csv = await textOf(writeStatementCsv(statement, entries()));
  expect(examples?.['csv']?.answer).toBe(csv);
  const written = writeCamt053(camt053Statement(statement), camt053Entries(entries()));
  expect(examples?.['camt053']?.answer).toBe(await textOf(written));
});
