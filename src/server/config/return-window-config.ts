import { Type } from 'typebox';
import { DEFAULT_RETURN_WINDOWS } from '../../domain/payments/corridors/return-window.ts';
import { inEnvironment } from './setting-scope.ts';
import { integer } from './setting-types.ts';

const { testMs, liveDefaultDays } = DEFAULT_RETURN_WINDOWS;

/** Until when a completed payment may come back. Read by the worker. */
export const RETURN_WINDOWS = Type.Object({
  testMs: inEnvironment(
    'test',
    integer('RETURN_WINDOW_MS', [0, 30 * 24 * 3_600_000], {
      default: testMs,
      unit: 'ms',
      description:
        'The time after completion in which a payment may be returned. A reconciled payment is final after it.',
    }),
  ),
  liveDefaultDays: inEnvironment(
    'live',
    integer('RETURN_WINDOW_DAYS', [0, 999], {
      default: liveDefaultDays,
      unit: 'days',
      description:
        'The return window in banking days, for rails without a return window in [corridors](corridors.md).',
    }),
  ),
});
