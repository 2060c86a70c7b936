import { describe, expect, it } from 'vitest';
import type { HistoryRow } from '../../../src/db/payments/payment-history-store.ts';
import type { PaymentRow } from '../../../src/db/payments/payment-store.ts';
import type { AttemptRow } from '../../../src/db/payments/settlement-attempt-store.ts';
import { timelineOf } from '../../../src/modules/payments/timeline.ts';

const AT = new Date('2026-09-29T12:00:00.000Z');
const DELIVERED = { status: 'COMPLETED', statusDetail: 'DELIVERED', fundsStatus: 'DELIVERED' };
const version = (number: number, reconciliationStatus: string): HistoryRow => ({
  ...{ paymentId: 'pay_1', version: number, at: AT },
  ...DELIVERED,
  reconciliationStatus,
});
const payment = (reconciliationStatus: string) =>
  ({
    destination: { kind: 'BANK' },
    ...DELIVERED,
    reconciliationStatus,
    finality: 'PROVISIONAL',
    finalAt: null,
    finalDueAt: null,
  }) as unknown as PaymentRow;
const told = (row: object | undefined) => ({
  ...row,
  ...{ version: 0, expected: false, at: '', waitsFor: null },
});

it('what was expected is told in the same terms once it has happened', () => {
  const before = timelineOf(payment('PENDING'), [version(3, 'PENDING')], [], AT);
  const history = [version(3, 'PENDING'), version(4, 'RECONCILED')];
  const after = timelineOf(payment('RECONCILED'), history, [], AT);
  expect(before.map(({ expected }) => expected)).toEqual([false, true, true]);
  expect(after.map(({ expected }) => expected)).toEqual([false, false, true]);
  expect(told(after[1])).toEqual(told(before[1]));
  expect(after[2]).toEqual(before[2]);
});

const DAY_MS = 24 * 3_600_000;
const later = (ms: number) => new Date(AT.getTime() + ms);
const next = (of: Partial<PaymentRow>, attempts: readonly Partial<AttemptRow>[] = []) =>
  timelineOf(
    {
      ...{ status: 'PROCESSING', fundsStatus: 'HELD', reconciliationStatus: 'PENDING' },
      ...{ releaseAt: null, heldSince: null, destination: { kind: 'BANK' } },
      ...{ rateHeldUntil: null, requoteUntil: null, ...of },
    } as PaymentRow,
    [],
    attempts as readonly AttemptRow[],
    AT,
  ).map(({ at, status, statusDetail, waitsFor }) => [
    `${status}/${statusDetail}`,
    at,
    ...[waitsFor],
  ]);
const rateEnd = (ms: number) => ['FAILED/QUOTE_EXPIRED', later(ms).toISOString(), 'US'];
const DELIVERY = ['COMPLETED/DELIVERED', null, 'BANK'];
const held = (statusDetail: PaymentRow['statusDetail']) =>
  ({ status: 'ON_HOLD', statusDetail, heldSince: later(-DAY_MS) }) as const;

describe('after delivery', () => {
  const due = later(DAY_MS);
  const at = (finality: PaymentRow['finality'], more: Partial<PaymentRow> = {}) => ({
    ...payment('PENDING'),
    finality,
    finalDueAt: due,
    finalAt: null,
    ...more,
  });
  const rows = (of: PaymentRow, history: readonly HistoryRow[] = []) =>
    timelineOf(of, history, [], AT).map((row) =>
      [row.expected, row.at, row.waitsFor, row.reconciliationStatus, row.finality].join(' '),
    );
  const final = `true ${due.toISOString()} US RECONCILED FINAL`;

  it('the statement is expected, and behind it that the payment is final, when its window ends', () => {
    expect(rows(at('PROVISIONAL'))).toEqual(['true  BANK RECONCILED PROVISIONAL', final]);
    expect(rows(at('PROVISIONAL', { reconciliationStatus: 'RECONCILED' }))).toEqual([final]);
  });

  it('nothing comes by itself of one that is contradicted, nor of one that is final', () => {
    expect(rows(at('PROVISIONAL', { reconciliationStatus: 'EXCEPTION' }))).toEqual([]);
    expect(rows(at('FINAL', { reconciliationStatus: 'RECONCILED', finalAt: due }))).toEqual([]);
  });

  it('every version says how final the payment was with it', () => {
    const history = [
      { ...version(1, 'PENDING'), status: 'PROCESSING', at: later(-1) },
      ...[version(2, 'PENDING'), version(3, 'RECONCILED')],
      { ...version(4, 'RECONCILED'), at: due },
    ];
    const told = rows(at('FINAL', { reconciliationStatus: 'RECONCILED', finalAt: due }), history);
    expect(told.map((row) => row.split(' ').at(-1))).toEqual([
      ...['NONE', 'PROVISIONAL', 'PROVISIONAL', 'FINAL'],
    ]);
    const returned = at('FINAL', { status: 'RETURNED', finalAt: AT });
    const back = [version(2, 'PENDING'), { ...version(3, 'PENDING'), status: 'RETURNED' }];
    expect(rows(returned, back).map((row) => row.split(' ').at(-1))).toEqual([
      ...['PROVISIONAL', 'FINAL'],
    ]);
  });
});

describe('what is expected next', () => {
  it.each<[string, ReturnType<typeof next>, unknown[]]>([
    [
      'of a payment for a later day is its release, when the rail opens',
      next({ statusDetail: 'SCHEDULED', releaseAt: later(DAY_MS) }),
      [['PROCESSING/SUBMITTING', later(DAY_MS).toISOString(), 'RAIL'], DELIVERY],
    ],
    [
      'of one whose day has come is the send',
      next({ statusDetail: 'SCHEDULED', releaseAt: later(-1) }),
      [['PROCESSING/SUBMITTING', null, 'US'], DELIVERY],
    ],
    [
      'of a queued one is the send',
      next({ statusDetail: 'QUEUED' }, [{ phase: 'READY' }]),
      [['PROCESSING/SUBMITTING', null, 'US'], DELIVERY],
    ],
    [
      'of one that is being sent is what the bank does',
      next({ statusDetail: 'QUEUED' }, [{ phase: 'SENDING' }]),
      [DELIVERY],
    ],
    [
      'of an unknown outcome is the next question',
      next({ statusDetail: 'OUTCOME_UNKNOWN' }, [{ phase: 'UNKNOWN', nextAskAt: later(1_000) }]),
      [['PROCESSING/OUTCOME_UNKNOWN', later(1_000).toISOString(), 'BANK']],
    ],
    [
      'of withdrawn KYC is a new approval, or the end after 30 days',
      next(held('KYC_WITHDRAWN'), [{ phase: 'READY' }]),
      [
        ['PROCESSING/SUBMITTING', null, 'PARTNER'],
        ['FAILED/KYC_WITHDRAWN', later(29 * DAY_MS).toISOString(), 'US'],
      ],
    ],
    [
      'of withdrawn KYC has no end of its own where the bank may have it',
      next(held('KYC_WITHDRAWN'), [{ phase: 'UNKNOWN', nextAskAt: later(5) }]),
      [['PROCESSING/SUBMITTING', later(5).toISOString(), 'PARTNER']],
    ],
    [
      "of a review is the operators' decision, or the end after 30 days",
      next(held('COMPLIANCE_REVIEW')),
      [
        ['PROCESSING/SUBMITTING', null, 'OPERATOR'],
        ['FAILED/COMPLIANCE_DECLINED', later(29 * DAY_MS).toISOString(), 'US'],
      ],
    ],
    [
      "of a disabled account is the partner's cancel",
      next(held('BANK_ACCOUNT_DISABLED'), [{ phase: 'READY' }]),
      [['CANCELED/CANCELED_ON_REQUEST', null, 'PARTNER']],
    ],
    [
      'of a held one with a quote is its end when its rate ends, before any other',
      next({ ...held('KYC_WITHDRAWN'), rateHeldUntil: later(9) }, [{ phase: 'READY' }]),
      [['PROCESSING/SUBMITTING', null, 'PARTNER'], rateEnd(9)],
    ],
    [
      'of a disabled account with a quote is the cancel, or the end of the rate',
      next({ ...held('BANK_ACCOUNT_DISABLED'), rateHeldUntil: later(9) }),
      [['CANCELED/CANCELED_ON_REQUEST', null, 'PARTNER'], rateEnd(9)],
    ],
    [
      'of a transfer to a wallet that waits for tokens is the send, or the end of the rate',
      next({ ...held('AWAITING_LIQUIDITY'), rateHeldUntil: later(9) }, [{ phase: 'ACCEPTED' }]),
      [['SENT/IN_RAIL', null, 'OPERATOR'], rateEnd(9)],
    ],
    [
      'of one that the bank may have is never the end of its rate',
      next({ statusDetail: 'QUEUED', rateHeldUntil: later(9) }, [{ phase: 'SENDING' }]),
      [DELIVERY],
    ],
    [
      'of a stalled one is an operator',
      next(held('STALLED'), [{ phase: 'UNKNOWN', nextAskAt: later(7) }]),
      [['PROCESSING/RETRYING', later(7).toISOString(), 'OPERATOR']],
    ],
    [
      'of a canceled one is nothing',
      next({ status: 'CANCELED', statusDetail: 'CANCELED_ON_REQUEST' }),
      [],
    ],
  ])('%s', (_what, rows, expected) => {
    expect(rows).toEqual(expected);
  });
});
