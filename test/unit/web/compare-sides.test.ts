import { describe, expect, it } from 'vitest';
import type { ExceptionRow } from '../../../src/db/reconciliation/exception-act-store.ts';
import {
  compareSides,
  type BothSides,
} from '../../../src/web/console/pages/reconciliation/exceptions/compare-sides.ts';

const LINE: ExceptionRow = {
  ...{ id: '12/3', exception: 'AMOUNT_MISMATCH', environment: 'test', connector: 'http-bank' },
  ...{ bankStatementId: 'S-12', line: 3, bankReference: 'B-1', direction: 'DBIT' },
  ...{ amount: '10.00000', currency: 'EUR', bookedAt: null, reference: 'CW1', creditId: null },
  ...{ paymentId: 'pay_1', customerId: 'cus_1', isSettled: true, suspense: null, rounds: 0 },
  ...{ since: new Date(0), endedBy: null },
};
const PAYMENT = {
  ...{ id: 'pay_1', amount: 1000n, unit: 'EUR', status: 'COMPLETED', statusDetail: 'SETTLED' },
  refs: [
    { type: 'END_TO_END_ID', value: 'CW1' },
    { type: 'BANK_REFERENCE', value: 'B-1' },
  ],
} as unknown as NonNullable<BothSides['payment']>;

/** The names of the fields that differ. */
const differing = (
  row: Partial<ExceptionRow>,
  payment: Partial<typeof PAYMENT> | null = {},
  problems: BothSides['problems'] = [],
): string[] =>
  compareSides({
    row: { ...LINE, ...row },
    payment: payment && { ...PAYMENT, ...payment },
    problems,
  })
    .filter(({ isDifferent }) => isDifferent)
    .map(({ name }) => name);

const NO_LINE = { line: null, direction: null, amount: null, currency: null } as const;

describe('the fields of an exception that differ', () => {
  it.each<[string, Partial<ExceptionRow>, Partial<typeof PAYMENT> | null, readonly string[]]>([
    ['a line like its payment: none, whatever zeros the bank writes', {}, {}, []],
    ['a debit with charges: the amount', { amount: '12.50' }, {}, ['Amount']],
    ['an amount that is no amount: the amount', { amount: '10.001' }, {}, ['Amount']],
    ['another currency: the currency', { currency: 'USD' }, {}, ['Currency']],
    [
      'money that came in for a payment that left: the direction',
      { direction: 'CRDT' },
      {},
      ['Direction'],
    ],
    [
      'a debit of a payment that failed: whether money moved',
      {},
      { status: 'FAILED' },
      ['Money moved'],
    ],
    ['a second debit: how many bookings', { exception: 'DUPLICATE_AT_BANK' }, {}, ['Bookings']],
    ['another reference of the bank: that', { bankReference: 'B-2' }, {}, ['Bank’s reference']],
    ['letters in another case: none', { reference: 'cw1' }, {}, []],
    ['a line without a payment: what it is', {}, null, ['What it is']],
    ['a payment without a line: what it is', { ...NO_LINE, id: 'pay_1' }, {}, ['What it is']],
  ])('%s', (_name, row, payment, names) => {
    expect(differing(row, payment)).toEqual(names);
  });

  it.each([
    [{ code: 'BALANCE_MISMATCH', currency: 'EUR', difference: '-1' }, 'Difference'],
    [{ code: 'BATCH_MISMATCH', entry: 4, booked: '5', transactions: '6' }, 'Entry 4'],
    [{ code: 'SEQUENCE_GAP', after: '4', before: '6' }, 'Number'],
  ])('of a statement with %j: %s', (problem, name) => {
    expect(differing({ ...NO_LINE, exception: problem.code }, null, [problem])).toEqual([name]);
  });
});
