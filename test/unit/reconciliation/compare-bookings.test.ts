import { describe, expect, it } from 'vitest';
import type { ShownBooking } from '../../../src/domain/reconciliation/booking-identity.ts';
import { compareBookings } from '../../../src/domain/reconciliation/compare-bookings.ts';
import { tieBookings } from '../../../src/domain/reconciliation/tie-bookings.ts';

const at = (text: string): Date => new Date(`2026-09-${text}:00:00Z`);
const DAY = { kind: 'DAY', from: at('29T00'), to: at('30T00') } as const;
const NEXT_DAY = { kind: 'DAY', from: at('30T00'), to: at('30T23') } as const;
const INTRADAY = { ...DAY, kind: 'INTRADAY' } as const;

const WEAK: ShownBooking = {
  references: [],
  ...{ amount: '10', currency: 'EUR', direction: 'CRDT', account: 'DE89370400440532013000' },
  creditorReferences: ['RF-A'],
  bookedAt: at('29T12'),
  report: DAY,
};
const acct = (value: string) => ({ kind: 'AcctSvcrRef', value }) as const;
const tx = (value: string) => ({ kind: 'TxId', value }) as const;
const entry = (value: string) => ({ kind: 'EntryAcctSvcrRef', value }) as const;
const chosen = (value: string) => ({ kind: 'EndToEndId', value }) as const;
const booking = (over: Partial<ShownBooking>): ShownBooking => ({ ...WEAK, ...over });

describe('two lines of two reports', () => {
  it.each<[string, Partial<ShownBooking>, Partial<ShownBooking>, string]>([
    ['one reference of the bank', { references: [acct('A')] }, { references: [acct('A')] }, 'SAME'],
    ['one TxId of two', { references: [tx('T')] }, { references: [acct('A'), tx('T')] }, 'SAME'],
    [
      'one entry, shown alone and in a batch',
      { references: [acct('A')] },
      { references: [entry('A')] },
      'SAME',
    ],
    ['two references', { references: [acct('A')] }, { references: [acct('B')] }, 'DIFFERENT'],
    [
      'one TxId, two references',
      { references: [acct('A'), tx('T')] },
      { references: [acct('B'), tx('T')] },
      'UNCLEAR',
    ],
    ['nothing in common', { references: [tx('T')] }, { references: [acct('A')] }, 'UNCLEAR'],
    ['no reference', {}, {}, 'UNCLEAR'],
    [
      'a reference that the payer repeats',
      { references: [chosen('E')] },
      { references: [chosen('E')] },
      'UNCLEAR',
    ],
    [
      'a reference that the payer changes',
      { references: [chosen('E')] },
      { references: [chosen('F')], creditorReferences: ['RF-B'] },
      'UNCLEAR',
    ],
    [
      'one reference of the bank, two creditors',
      { references: [acct('A')] },
      { references: [acct('A')], creditorReferences: ['RF-B'] },
      'UNCLEAR',
    ],
    [
      'one reference of the bank, days apart',
      { references: [acct('A')] },
      { references: [acct('A')], bookedAt: at('25T12') },
      'UNCLEAR',
    ],
    ['no reference, days apart', {}, { bookedAt: at('25T12') }, 'DIFFERENT'],
    ['no reference, 36 hours apart', {}, { bookedAt: at('28T00') }, 'UNCLEAR'],
    ['no reference, statements of two days', {}, { report: NEXT_DAY }, 'DIFFERENT'],
    ['no reference, intraday and next day', { report: INTRADAY }, { report: NEXT_DAY }, 'UNCLEAR'],
    [
      'one reference, two days',
      { references: [acct('A')] },
      { references: [acct('A')], report: NEXT_DAY, bookedAt: at('30T12') },
      'UNCLEAR',
    ],
    [
      'one reference and moment, statements of two days',
      { references: [acct('A')] },
      { references: [acct('A')], report: NEXT_DAY },
      'SAME',
    ],
    [
      'another amount',
      { references: [acct('A')] },
      { references: [acct('A')], amount: '11' },
      'DIFFERENT',
    ],
    [
      'another direction',
      { references: [acct('A')] },
      { references: [acct('A')], direction: 'DBIT' },
      'DIFFERENT',
    ],
    ['another IBAN', {}, { account: 'DE02120300000000202051' }, 'DIFFERENT'],
    ['the account by its other number', {}, { account: '0532013000' }, 'UNCLEAR'],
  ])('with %s', (_what, one, other, expected) => {
    expect(compareBookings(booking(one), booking(other))).toBe(expected);
    expect(compareBookings(booking(other), booking(one))).toBe(expected);
  });
});

describe('lines of one report and known bookings', () => {
  const known = (id: string, over: Partial<ShownBooking> = {}, isShown = false) => ({
    ...booking({ report: INTRADAY, ...over }),
    ...{ id, isShown },
  });

  it('more equal lines than there are known bookings are new ones', () => {
    expect(tieBookings([WEAK, WEAK, WEAK], [known('a'), known('b')])).toEqual([
      { kind: 'UNCLEAR', id: 'a' },
      { kind: 'UNCLEAR', id: 'b' },
      { kind: 'NEW' },
    ]);
  });

  it('a line with another creditor takes no booking from the line that it belongs to', () => {
    const other = booking({ creditorReferences: ['RF-B'] });
    expect(tieBookings([other, WEAK], [known('a')])).toEqual([
      { kind: 'NEW' },
      { kind: 'UNCLEAR', id: 'a' },
    ]);
    expect(tieBookings([other], [known('a')])).toEqual([{ kind: 'UNCLEAR', id: 'a' }]);
  });

  it('a proven tie goes first, wherever its line stands', () => {
    const sure = booking({ references: [acct('A')] });
    const found = tieBookings(
      [booking({ references: [tx('T')] }), sure],
      [known('a', { references: [acct('A')] })],
    );
    expect(found).toEqual([{ kind: 'NEW' }, { kind: 'SAME', id: 'a' }]);
  });

  it('a booking that another line of the report shows is not shown again', () => {
    expect(tieBookings([WEAK], [known('a', {}, true)])).toEqual([{ kind: 'NEW' }]);
  });
});
