import { Type, type Static, type TBoolean, type TInteger } from 'typebox';
import type { SettlementTiming } from '../../domain/payments/settlement-timing.ts';
import { ENVIRONMENTS, type Environment } from '../../domain/scope.ts';
import { perEnvironment, variableOf } from './setting-scope.ts';
import { flag, integer } from './setting-types.ts';
import type { Report } from './settings.ts';

/** How long one run of the settle activity may take (`SETTLE` of the workflows): nothing is longer. */
const SETTLE_TIMEOUT_MS = 60_000;

const SECOND = 1_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** When things happen in one environment, in milliseconds. */
function timings(environment: Environment) {
  const ms = (name: string, test: number, live: number, description: string, maxMs = 30 * DAY) =>
    integer(`${name}_MS`, [1, maxMs], {
      default: environment === 'test' ? test : live,
      unit: 'ms',
      description,
    });
  return Type.Object({
    bankTimeoutMs: ms(
      'BANK_TIMEOUT',
      2 * SECOND,
      30 * SECOND,
      'The timeout of one call to the bank. It must be shorter than `ATTEMPT_DEADLINE_MS`.',
    ),
    attemptDeadlineMs: ms(
      'ATTEMPT_DEADLINE',
      3 * SECOND,
      45 * SECOND,
      'The time after the commit of an attempt in which Causeway may send it. It must be shorter than 60000.',
      SETTLE_TIMEOUT_MS - 1,
    ),
    askFirstMs: ms(
      'ASK_FIRST',
      SECOND,
      30 * SECOND,
      'The delay before the first status query after an unknown outcome. The delay then doubles.',
    ),
    askMaxMs: ms('ASK_MAX', HOUR, HOUR, 'The longest delay between status queries.'),
    missingAfterMs: ms(
      'MISSING_AFTER',
      2 * SECOND,
      60 * SECOND,
      'The time after the deadline, or after the answer of the bank, from which the answer "never seen" counts.',
    ),
    stalledAfterMs: ms(
      'STALLED_AFTER',
      30 * SECOND,
      DAY,
      'The time without a known outcome after which a payment is `ON_HOLD` with `STALLED`.',
    ),
    retryFirstMs: ms(
      'RETRY_FIRST',
      SECOND,
      30 * SECOND,
      'The delay before a new attempt after a temporary rejection. The delay then doubles.',
    ),
    retryMaxMs: ms('RETRY_MAX', 10 * SECOND, HOUR, 'The longest delay between attempts.'),
    holdCheckMs: ms(
      'HOLD_CHECK',
      10 * SECOND,
      HOUR,
      'The first interval between checks of a held payment. The interval then doubles, up to one hour.',
    ),
    statementFetchMs: ms(
      'STATEMENT_FETCH',
      5 * SECOND,
      300 * SECOND,
      'The interval between fetches of bank statements.',
    ),
    finalityEveryMs: ms(
      'FINALITY_EVERY',
      5 * SECOND,
      60 * SECOND,
      'The interval between checks for payments whose return window has ended.',
    ),
    isBankQuick: flag(
      'BANK_IS_QUICK',
      'Set `true` if the bank answers within two seconds. The first send then runs inside the workflow task, which settles more payments. Temporal UI shows a slow call only after it has ended.',
      environment === 'test',
    ),
  } satisfies Record<keyof SettlementTiming | 'statementFetchMs' | 'finalityEveryMs', TInteger> & {
    isBankQuick: TBoolean;
  });
}

export const TIMING = perEnvironment(timings);

type Timing = Static<typeof TIMING>['test'];

/**
 * The order bank timeout < attempt deadline < activity timeout is what makes it safe to call an
 * attempt unsent: the first half is checked here, the second is the deadline's greatest value.
 */
export function checkTiming(timing: Static<typeof TIMING>, report: Report): void {
  for (const environment of ENVIRONMENTS) checkOrder(environment, timing[environment], report);
}

function checkOrder(environment: Environment, timing: Timing, report: Report): void {
  const check = (isRight: boolean, first: string, relation: string, second: string) => {
    const names = [first, second].map((name) => variableOf(environment, `${name}_MS`));
    if (!isRight) report(names, names.join(` must ${relation} `));
  };
  const { bankTimeoutMs, attemptDeadlineMs, askFirstMs, askMaxMs, retryFirstMs, retryMaxMs } =
    timing;
  check(bankTimeoutMs < attemptDeadlineMs, 'BANK_TIMEOUT', 'be shorter than', 'ATTEMPT_DEADLINE');
  check(askFirstMs <= askMaxMs, 'ASK_FIRST', 'not be longer than', 'ASK_MAX');
  check(retryFirstMs <= retryMaxMs, 'RETRY_FIRST', 'not be longer than', 'RETRY_MAX');
}
