import { describe, expect, it } from 'vitest';
import type { PaymentRow } from '../../../src/db/payments/payment-store.ts';
import { PAYMENT_STATUSES } from '../../../src/domain/payments/payment-states.ts';
import { paymentEventView } from '../../../src/modules/payments/payment-view.ts';
import { firstVersion } from '../../../src/modules/payments/first-version.ts';

const AT = new Date('2026-09-29T12:00:00.000Z');
const order = {
  id: 'pay_01k6b7q0e8f1htx9n3r5p7v2ab',
  customerId: 'cus_1',
  environment: 'test',
  endUserId: 'eu_1',
  destination: { kind: 'BANK', bankAccountId: 'ba_1', rail: 'SEPA' },
  idempotencyKey: 'SECRET-KEY',
  workflowId: 'payment/test/cus_1/hash',
  unit: 'EUR',
  amount: 1_000n,
  externalId: null,
  purpose: null,
  personal: Buffer.from('SEALED'),
  ownerKey: null,
  refs: [],
} as const;
const row = (more: Partial<PaymentRow> = {}): PaymentRow => ({
  ...firstVersion(order, AT),
  ...more,
});

describe('a payment as events carry it', () => {
  it.each([
    ['JPY', 1_000n, '1000'],
    ['KWD', 1_000n, '1.000'],
    ['EUR', 1_000n, '10.00'],
    ['EUR', 1n, '0.01'],
  ])('writes %s with exactly its decimals', (unit, amount, shown) => {
    const view = paymentEventView(row({ unit, amount, sourceUnit: unit, sourceAmount: amount }));
    expect(view).toMatchObject({ amount: shown, source: { amount: shown } });
  });

  it('writes what came back and the fee in the same decimals', () => {
    const returnInfo = { reason: 'AC04', amount: '900', fee: '100', at: AT.toISOString() };
    const view = paymentEventView(row({ unit: 'KWD', returnInfo, sourceUnit: 'KWD' }));
    expect(view['return']).toMatchObject({ amount: '0.900', fee: '0.100' });
  });

  it('carries no reference, metadata, key, workflow or sealed part', () => {
    const view = paymentEventView(row());
    expect(JSON.stringify(view)).not.toMatch(/SECRET|SEALED|workflow|hash|personal/);
    expect(Object.keys(view)).not.toEqual(
      expect.arrayContaining(['reference', 'metadata', 'idempotencyKey', 'customerId']),
    );
  });

  it('calls cancelable only what waits here and cannot have left', () => {
    const cancelable = PAYMENT_STATUSES.filter(
      (status) => paymentEventView(row({ status }))['cancelable'],
    );
    expect(cancelable).toEqual(['PROCESSING', 'ON_HOLD']);
    for (const more of [{ mayHaveLeft: true }, { reconciliationStatus: 'EXCEPTION' }] as const) {
      expect(paymentEventView(row(more))['cancelable']).toBe(false);
    }
  });
});
