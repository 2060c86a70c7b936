import { describe, expect, it } from 'vitest';
import { createCorridorTable } from '../../../src/domain/payments/corridors/corridor-table.ts';
import type { CorridorOverride } from '../../../src/domain/payments/corridors/overrides.ts';
import { PAYMENT_STATUSES } from '../../../src/domain/payments/payment-states.ts';
import { paymentArrival } from '../../../src/modules/payments/payment-arrival.ts';

/** Its cut-off is at 14:00 UTC then. */
const SEPA = {
  ...({ country: 'DE', currency: 'EUR', rail: 'SEPA' } as const),
  cutOff: { time: '16:00', timeZone: 'Europe/Berlin' },
};
const BEFORE = '2026-09-29T13:59:59Z';
const AFTER = '2026-09-29T14:00:00Z';
const SOON = '2026-09-30T22:00:00Z';
const LATER = '2026-10-01T22:00:00Z';

type Payment = Parameters<typeof paymentArrival>[0];
type Status = Payment['status'];

interface Case {
  readonly payment?: Partial<Payment>;
  readonly history?: readonly (readonly [Status, string])[];
  readonly terms?: Partial<CorridorOverride>;
  readonly now?: string;
  readonly isServed?: boolean;
}

function tell({ payment = {}, history = [], terms = {}, now = BEFORE, isServed = true }: Case) {
  const { at, reason } = paymentArrival(
    {
      ...{ status: 'PROCESSING', unit: 'EUR', releaseAt: null, funding: null },
      destination: { kind: 'BANK', bankAccountId: 'ba_1', rail: 'SEPA' },
      updatedAt: new Date(BEFORE),
      ...payment,
    },
    history.map(([status, moment]) => ({ status, at: new Date(moment) })),
    {
      country: 'DE',
      now: new Date(now),
      served: {
        corridors: createCorridorTable({ overrides: [{ ...SEPA, ...terms }] }),
        ...{ isServed: () => isServed, assetsOf: () => [] },
      },
    },
  );
  return reason ?? at.toISOString().replace('.000Z', 'Z');
}

describe('the expected arrival of a payment', () => {
  it.each([
    [BEFORE, SOON],
    [AFTER, LATER],
  ])('that was not sent counts from now: at %s it is %s', (now, arrival) => {
    for (const status of ['PROCESSING', 'ON_HOLD'] as const) {
      expect(tell({ payment: { status }, now })).toBe(arrival);
    }
  });

  it('for a later day counts from its release, and from now once that is over', () => {
    const payment = { releaseAt: new Date('2026-09-29T22:00:00Z') };
    expect(tell({ payment })).toBe(LATER);
    expect(tell({ payment, now: '2026-09-30T14:00:00Z' })).toBe('2026-10-02T22:00:00Z');
  });

  it('that was sent counts from then, and does not move', () => {
    const payment = { status: 'SENT' } as const;
    const history = [
      ['PROCESSING', '2026-09-28T09:00:00Z'],
      ['SENT', BEFORE],
      ['SENT', AFTER],
    ] as const;
    for (const now of [BEFORE, AFTER, '2026-10-09T12:00:00Z']) {
      expect(tell({ payment, history, now })).toBe(SOON);
      expect(tell({ payment, history, now, isServed: false })).toBe(SOON);
      expect(tell({ payment, history, now, terms: { status: 'SUSPENDED' } })).toBe(SOON);
    }
  });

  it('that the bank rejected counts from the time when it was sent again', () => {
    const history = [
      ['SENT', '2026-09-22T09:00:00Z'],
      ['ON_HOLD', '2026-09-28T09:00:00Z'],
      ['SENT', AFTER],
    ] as const;
    expect(tell({ payment: { status: 'SENT' }, history })).toBe(LATER);
  });

  it('that has ended is not told, whatever is known of its corridor', () => {
    const told = PAYMENT_STATUSES.filter(
      (status) => tell({ payment: { status } }) !== 'PAYMENT_ENDED',
    );
    expect(told).toEqual(['PROCESSING', 'ON_HOLD', 'SENT']);
  });

  it('is not told where nothing takes it now', () => {
    expect(tell({ isServed: false })).toBe('CORRIDOR_UNAVAILABLE');
    expect(tell({ terms: { status: 'SUSPENDED' } })).toBe('CORRIDOR_UNAVAILABLE');
    expect(tell({ payment: { unit: 'JPY' } })).toBe('CORRIDOR_UNAVAILABLE');
    expect(tell({ payment: { unit: 'JPY', status: 'SENT' } })).toBe('CORRIDOR_UNAVAILABLE');
  });

  it('to a wallet is not told, because no source states how long a network takes', () => {
    const destination = { kind: 'WALLET', walletId: 'wal_1', network: 'BASE' } as const;
    for (const status of ['PROCESSING', 'SENT'] as const) {
      expect(tell({ payment: { status, destination } })).toBe('SPEED_NOT_STATED');
    }
  });

  it('is told of one that a deposit pays once the deposit is there', () => {
    const funding = {
      ...({ asset: 'USDC', network: 'BASE', address: '0x0' } as const),
      ...{ amountDue: '1', amountReceived: '0', expiresAt: AFTER, refundWalletId: null },
    };
    expect(tell({ payment: { funding: { ...funding, status: 'AWAITED' } } })).toBe(
      'AWAITS_DEPOSIT',
    );
    expect(tell({ payment: { funding: { ...funding, status: 'HELD' } } })).toBe(SOON);
  });
});
