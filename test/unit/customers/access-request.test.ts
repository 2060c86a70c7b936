import { describe, expect, it } from 'vitest';
import {
  nextRequestStep,
  type AccessRequestTimes,
} from '../../../src/domain/customers/access/access-request.ts';
import { maskAddress } from '../../../src/domain/customers/access/mask-address.ts';

const DAY_MS = 24 * 3_600_000;
const SENT = new Date('2026-09-29T12:00:00.000Z');
const day = (count: number) => new Date(SENT.getTime() + count * DAY_MS);
const request = (overrides: Partial<AccessRequestTimes> = {}): AccessRequestTimes => ({
  ...{ status: 'WAITING', createdAt: SENT, expiresAt: day(90), decidedAt: null },
  ...{ toldAt: null, remindedAt: null, fundedAt: null, erasedAt: null },
  ...overrides,
});
const told = { toldAt: SENT };
const approved = { ...told, status: 'APPROVED', decidedAt: day(1) } as const;
const declined = { ...told, status: 'DECLINED', decidedAt: day(1) } as const;

describe('what comes next for a request', () => {
  it.each([
    ['is told of', {}, 0, { kind: 'STEP', step: 'TELL' }],
    ['waits for two days', told, 1, { kind: 'WAIT', waitMs: DAY_MS }],
    ['is told of again', told, 2, { kind: 'STEP', step: 'REMIND' }],
    [
      'waits for its end',
      { ...told, remindedAt: day(2) },
      2,
      { kind: 'WAIT', waitMs: 88 * DAY_MS },
    ],
    ['expires', { ...told, remindedAt: day(2) }, 90, { kind: 'STEP', step: 'EXPIRE' }],
    ['expires though no operator was told', {}, 90, { kind: 'STEP', step: 'EXPIRE' }],
    ['is funded', approved, 1, { kind: 'STEP', step: 'FUND' }],
    ['waits funded', { ...approved, fundedAt: day(1) }, 1, { kind: 'WAIT', waitMs: 30 * DAY_MS }],
    [
      'is erased after approval',
      { ...approved, fundedAt: day(1) },
      31,
      { kind: 'STEP', step: 'ERASE' },
    ],
    ['waits declined', declined, 2, { kind: 'WAIT', waitMs: 29 * DAY_MS }],
    ['is erased after declining', declined, 31, { kind: 'STEP', step: 'ERASE' }],
    ['is over', { ...declined, erasedAt: day(31) }, 31, { kind: 'DONE' }],
  ] as const)('it %s', (_name, overrides, days, next) => {
    expect(nextRequestStep(request(overrides), day(days))).toEqual(next);
  });
});

it('no mail can be sent to a masked address', () => {
  expect(maskAddress('wilhelmina@sample.example')).toBe('w***@sample.example');
});
