import type { SettlementTiming } from '../domain/payments/settlement-timing.ts';
import type { Environment } from '../domain/scope.ts';
import type { Variables } from './variables.ts';

/** When things happen in one environment, in milliseconds. */
export interface TimingConfig extends SettlementTiming {
  /** How often new bank statements are asked for. */
  readonly statementFetchMs: number;
}

/** How long one run of the settle activity may take (`SETTLE` of the workflows): nothing is longer. */
const SETTLE_TIMEOUT_MS = 60_000;

const SECOND = 1_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

interface Row {
  readonly field: keyof TimingConfig;
  readonly variable: string;
  readonly test: number;
  readonly live: number;
}

const ROWS: readonly Row[] = [
  { field: 'bankTimeoutMs', variable: 'BANK_TIMEOUT_MS', test: 2 * SECOND, live: 30 * SECOND },
  {
    field: 'attemptDeadlineMs',
    variable: 'ATTEMPT_DEADLINE_MS',
    test: 3 * SECOND,
    live: 45 * SECOND,
  },
  { field: 'askFirstMs', variable: 'ASK_FIRST_MS', test: SECOND, live: 30 * SECOND },
  { field: 'askMaxMs', variable: 'ASK_MAX_MS', test: 10 * SECOND, live: HOUR },
  { field: 'missingAfterMs', variable: 'MISSING_AFTER_MS', test: 2 * SECOND, live: 60 * SECOND },
  { field: 'stalledAfterMs', variable: 'STALLED_AFTER_MS', test: 30 * SECOND, live: DAY },
  { field: 'retryFirstMs', variable: 'RETRY_FIRST_MS', test: SECOND, live: 30 * SECOND },
  { field: 'retryMaxMs', variable: 'RETRY_MAX_MS', test: 10 * SECOND, live: HOUR },
  { field: 'holdCheckMs', variable: 'HOLD_CHECK_MS', test: 10 * SECOND, live: HOUR },
  {
    field: 'statementFetchMs',
    variable: 'STATEMENT_FETCH_MS',
    test: 5 * SECOND,
    live: 300 * SECOND,
  },
];

/**
 * Reads TEST_* and LIVE_* timings (TEST_BANK_TIMEOUT_MS and so on). The order bank timeout < attempt
 * deadline < activity timeout is what makes it safe to call an attempt unsent: it is checked here.
 */
export function readTimingConfig(
  variables: Variables,
): Readonly<Record<Environment, TimingConfig>> {
  return { test: readOne(variables, 'test'), live: readOne(variables, 'live') };
}

function readOne(variables: Variables, environment: Environment): TimingConfig {
  const prefix = environment.toUpperCase();
  const entries = ROWS.map((row) => {
    const ms = variables.integer(`${prefix}_${row.variable}`, row[environment], [1, 30 * DAY]);
    return [row.field, ms] as const;
  });
  const timing = Object.fromEntries(entries) as Record<keyof TimingConfig, number>;
  if (timing.bankTimeoutMs >= timing.attemptDeadlineMs) {
    variables.problem(
      `${prefix}_BANK_TIMEOUT_MS must be shorter than ${prefix}_ATTEMPT_DEADLINE_MS`,
    );
  }
  if (timing.attemptDeadlineMs >= SETTLE_TIMEOUT_MS) {
    const limit = String(SETTLE_TIMEOUT_MS);
    variables.problem(`${prefix}_ATTEMPT_DEADLINE_MS must be shorter than ${limit}`);
  }
  if (timing.askFirstMs > timing.askMaxMs) {
    variables.problem(`${prefix}_ASK_FIRST_MS must not be longer than ${prefix}_ASK_MAX_MS`);
  }
  if (timing.retryFirstMs > timing.retryMaxMs) {
    variables.problem(`${prefix}_RETRY_FIRST_MS must not be longer than ${prefix}_RETRY_MAX_MS`);
  }
  return timing;
}
