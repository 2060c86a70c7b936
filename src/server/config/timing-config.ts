import { Type, type Static, type TBoolean, type TInteger } from 'typebox';
import type { SettlementTiming } from '../../domain/payments/settlement-timing.ts';
import { flag, integer } from './setting-types.ts';
import type { Report } from './settings.ts';

/** How long one run of the settle activity may take (`SETTLE` of the workflows): nothing is longer. */
const SETTLE_TIMEOUT_MS = 60_000;

const SECOND = 1_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

type Prefix = 'TEST' | 'LIVE';

/** When things happen in one environment, in milliseconds: TEST_BANK_TIMEOUT_MS and so on. */
function timings(prefix: Prefix) {
  const ms = (name: string, test: number, live: number, description: string, maxMs = 30 * DAY) =>
    integer(`${prefix}_${name}_MS`, [1, maxMs], {
      default: prefix === 'TEST' ? test : live,
      unit: 'ms',
      description,
    });
  return Type.Object({
    bankTimeoutMs: ms(
      'BANK_TIMEOUT',
      2 * SECOND,
      30 * SECOND,
      'one call of the bank; must be shorter than the deadline',
    ),
    attemptDeadlineMs: ms(
      'ATTEMPT_DEADLINE',
      3 * SECOND,
      45 * SECOND,
      'from the commit of an attempt to the moment after which its bytes are not sent any more; must be shorter than 60000',
      SETTLE_TIMEOUT_MS - 1,
    ),
    askFirstMs: ms(
      'ASK_FIRST',
      SECOND,
      30 * SECOND,
      'the first question after an unknown outcome; then doubling distances',
    ),
    askMaxMs: ms('ASK_MAX', 10 * SECOND, HOUR, 'the greatest distance of questions'),
    missingAfterMs: ms(
      'MISSING_AFTER',
      2 * SECOND,
      60 * SECOND,
      'how long after the deadline, or the bank\'s answer, a "never seen" begins to count',
    ),
    stalledAfterMs: ms(
      'STALLED_AFTER',
      30 * SECOND,
      DAY,
      'nothing known for so long: `ON_HOLD` / `STALLED`',
    ),
    retryFirstMs: ms(
      'RETRY_FIRST',
      SECOND,
      30 * SECOND,
      'a new attempt after a rejection that may pass; then doubling',
    ),
    retryMaxMs: ms('RETRY_MAX', 10 * SECOND, HOUR, 'the greatest distance of new attempts'),
    holdCheckMs: ms('HOLD_CHECK', 10 * SECOND, HOUR, 'how often a held payment is looked at'),
    statementFetchMs: ms(
      'STATEMENT_FETCH',
      5 * SECOND,
      300 * SECOND,
      'how often new bank statements are asked for',
    ),
    finalityEveryMs: ms(
      'FINALITY_EVERY',
      2 * SECOND,
      60 * SECOND,
      'how often payments are looked for whose return window is over',
    ),
    isBankQuick: flag(
      `${prefix}_BANK_IS_QUICK`,
      'whether the bank answers a send within a second or two: then the first one is made inside the workflow task, which settles more payments and shows a slow call in Temporal UI only when it has ended',
      prefix === 'TEST',
    ),
  } satisfies Record<keyof SettlementTiming | 'statementFetchMs' | 'finalityEveryMs', TInteger> & {
    isBankQuick: TBoolean;
  });
}

export const TIMING = Type.Object({ test: timings('TEST'), live: timings('LIVE') });

type Timing = Static<typeof TIMING>['test'];

/**
 * The order bank timeout < attempt deadline < activity timeout is what makes it safe to call an
 * attempt unsent: the first half is checked here, the second is the deadline's greatest value.
 */
export function checkTiming(timing: Static<typeof TIMING>, report: Report): void {
  checkOrder('TEST', timing.test, report);
  checkOrder('LIVE', timing.live, report);
}

function checkOrder(prefix: Prefix, timing: Timing, report: Report): void {
  const check = (isRight: boolean, first: string, relation: string, second: string) => {
    const names = [`${prefix}_${first}_MS`, `${prefix}_${second}_MS`];
    if (!isRight) report(names, names.join(` must ${relation} `));
  };
  const { bankTimeoutMs, attemptDeadlineMs, askFirstMs, askMaxMs, retryFirstMs, retryMaxMs } =
    timing;
  check(bankTimeoutMs < attemptDeadlineMs, 'BANK_TIMEOUT', 'be shorter than', 'ATTEMPT_DEADLINE');
  check(askFirstMs <= askMaxMs, 'ASK_FIRST', 'not be longer than', 'ASK_MAX');
  check(retryFirstMs <= retryMaxMs, 'RETRY_FIRST', 'not be longer than', 'RETRY_MAX');
}
