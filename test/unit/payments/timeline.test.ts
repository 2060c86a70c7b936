import { expect, it } from 'vitest';
import type { HistoryRow } from '../../../src/db/payment-history-store.ts';
import type { PaymentRow } from '../../../src/db/payment-store.ts';
import { timelineOf } from '../../../src/payments/timeline.ts';

const AT = new Date('2026-09-29T12:00:00.000Z');
const DELIVERED = { status: 'COMPLETED', statusDetail: 'DELIVERED', fundsStatus: 'DELIVERED' };
const version = (number: number, reconciliationStatus: string): HistoryRow => ({
  ...{ paymentId: 'pay_1', version: number, at: AT },
  ...DELIVERED,
  reconciliationStatus,
});
const payment = (reconciliationStatus: string) =>
  ({ ...DELIVERED, reconciliationStatus }) as unknown as PaymentRow;
const told = (row: object | undefined) => ({ ...row, version: 0, expected: false, at: '' });

it('what was expected is told in the same terms once it has happened', () => {
  const before = timelineOf(payment('PENDING'), [version(3, 'PENDING')], []);
  const history = [version(3, 'PENDING'), version(4, 'RECONCILED')];
  const after = timelineOf(payment('RECONCILED'), history, []);
  expect(before.map(({ expected }) => expected)).toEqual([false, true]);
  expect(after.map(({ expected }) => expected)).toEqual([false, false]);
  expect(told(after.at(-1))).toEqual(told(before.at(-1)));
});
