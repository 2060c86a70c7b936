import { Type } from 'typebox';
import { DEFAULT_RETURN_WINDOWS } from '../../domain/payments/corridors/return-window.ts';
import { integer } from './setting-types.ts';

const { testMs, liveDefaultDays } = DEFAULT_RETURN_WINDOWS;

/** Until when a completed payment may come back. Read by the worker. */
export const RETURN_WINDOWS = Type.Object({
  testMs: integer('TEST_RETURN_WINDOW_MS', [0, 30 * 24 * 3_600_000], {
    default: testMs,
    unit: 'ms',
    description:
      'in test, how long after its completion a payment may still come back; then, once reconciled, it is final',
  }),
  liveDefaultDays: integer('LIVE_RETURN_WINDOW_DAYS', [0, 999], {
    default: liveDefaultDays,
    unit: 'days',
    description:
      'the same in live, in banking days, for rails of which docs/reference/corridors.md states no return window',
  }),
});
