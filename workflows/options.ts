import type { ActivityOptions, LocalActivityOptions } from '@temporalio/workflow';

/** The kinds of failure that trying again cannot mend; see activities/failures.ts. */
const PERMANENT = ['ENGINE_FAULT', 'NOT_FOUND'];

export const isPermanent = (type: string | null | undefined): boolean =>
  PERMANENT.includes(type ?? '');

/**
 * Sends to the bank at most once, and asks it at most twice in a row, each for at most the bank timeout (2 s test, 30 s
 * live), so 60 s means the worker died. An attempt found open after that is asked about, never sent again.
 */
export const SETTLE: ActivityOptions = {
  startToCloseTimeout: '60 s',
  heartbeatTimeout: '5 s',
  retry: {
    initialInterval: '1 s',
    backoffCoefficient: 2,
    maximumInterval: '30 s',
    nonRetryableErrorTypes: PERMANENT,
  },
};

/**
 * The same inside the workflow task, once, for a bank that answers soon: two events instead of three and
 * no task of its own. It has no heartbeat; a worker that died shows after the workflow task's 10 s.
 */
export const SETTLE_AT_ONCE: LocalActivityOptions = {
  startToCloseTimeout: '60 s',
  retry: { maximumAttempts: 1 },
};

/** One short database transaction inside the workflow task. */
export const APPLY_AT_ONCE: LocalActivityOptions = {
  startToCloseTimeout: '2 s',
  retry: { maximumAttempts: 2, initialInterval: '100 ms', nonRetryableErrorTypes: PERMANENT },
};

/** The same as a remote activity: it waits out an outage of the database. */
export const APPLY: ActivityOptions = {
  startToCloseTimeout: '20 s',
  retry: {
    initialInterval: '1 s',
    backoffCoefficient: 2,
    maximumInterval: '1 min',
    nonRetryableErrorTypes: PERMANENT,
  },
};

/** One database transaction that must succeed some day, whatever fails: it holds what went wrong. */
export const RECORD: ActivityOptions = {
  startToCloseTimeout: '20 s',
  retry: { initialInterval: '1 s', backoffCoefficient: 2, maximumInterval: '1 min' },
};

/**
 * A turn of a batch: ten seconds of work, and the chunk that is under way then. A turn that was given up
 * for dead and is not can do nothing any more, so it is given up soon.
 */
export const PAYMENT_BATCH: ActivityOptions = {
  startToCloseTimeout: '2 min',
  heartbeatTimeout: '15 s',
  retry: { initialInterval: '1 s', backoffCoefficient: 2, maximumInterval: '15 s' },
};

/** One call of the KYC provider (10 s at most) or the screening provider, and one transaction. */
export const KYC: ActivityOptions = {
  startToCloseTimeout: '30 s',
  retry: {
    initialInterval: '1 s',
    backoffCoefficient: 2,
    maximumInterval: '1 min',
    nonRetryableErrorTypes: PERMANENT,
  },
};

/** Six documents of a minute each at the most. */
export const KYC_DOCUMENTS: ActivityOptions = {
  startToCloseTimeout: '10 min',
  heartbeatTimeout: '30 s',
  retry: { ...KYC.retry },
};

/** A try of 30 s at most, and two transactions. An outage of the database is waited out. */
export const MAIL: ActivityOptions = {
  startToCloseTimeout: '50 s',
  retry: {
    initialInterval: '1 s',
    backoffCoefficient: 2,
    maximumInterval: '30 s',
    nonRetryableErrorTypes: PERMANENT,
  },
};

/**
 * One look at a chain: up to 4,096 nonces in groups, 16 signatures at a time, 10 s a question at worst.
 * A chain that cannot be read, or a database that is down, is waited for here, at no cost of history. So is the release
 * that mends an error of ours: meanwhile the log has it.
 */
export const CHAIN_POLL: ActivityOptions = {
  startToCloseTimeout: '10 min',
  heartbeatTimeout: '10 s',
  retry: {
    initialInterval: '1 s',
    backoffCoefficient: 2,
    maximumInterval: '15 s',
    nonRetryableErrorTypes: ['NOT_FOUND'],
  },
};

/** Some thousands of balances, in some dozens of questions to nodes. What is left, the next one finds. */
export const BALANCE_CHECK: ActivityOptions = {
  startToCloseTimeout: '2 min',
  heartbeatTimeout: '10 s',
  retry: { maximumAttempts: 1 },
};

/** All parties, at worst at 5 s each; what a run leaves, the next one finds. The schedule repeats it. */
export const RESCREEN: ActivityOptions = {
  startToCloseTimeout: '6 h',
  heartbeatTimeout: '3 min',
  retry: { initialInterval: '5 s', backoffCoefficient: 2, maximumAttempts: 3 },
};

/** Up to 60 s of deliveries, each at most 15 s. A missing heartbeat means that the worker died. */
export const DRAIN: ActivityOptions = {
  startToCloseTimeout: '120 s',
  heartbeatTimeout: '20 s',
  retry: { initialInterval: '1 s', backoffCoefficient: 2, maximumInterval: '1 min' },
};

/** A look at the database and starts of workflows; the schedule repeats it anyway. */
export const START_FORGOTTEN: ActivityOptions = {
  startToCloseTimeout: '60 s',
  retry: { initialInterval: '1 s', backoffCoefficient: 2, maximumAttempts: 5 },
};

/** A look at every unfinished payment: after a loss of Temporal there may be very many. */
export const RECONCILE_ALL: ActivityOptions = {
  startToCloseTimeout: '1 h',
  heartbeatTimeout: '30 s',
  retry: { initialInterval: '10 s', backoffCoefficient: 2, maximumAttempts: 3 },
};

/** Every approval whose end has come: after a long stop there may be very many. The schedule repeats it. */
export const KYC_EXPIRY: ActivityOptions = {
  startToCloseTimeout: '1 h',
  heartbeatTimeout: '30 s',
  retry: { initialInterval: '5 s', backoffCoefficient: 2, maximumAttempts: 3 },
};

/** A page of keys after the other, few of them with a mail to write. The schedule repeats it. */
export const KEY_EXPIRY: ActivityOptions = {
  startToCloseTimeout: '10 min',
  retry: { initialInterval: '5 s', backoffCoefficient: 2, maximumAttempts: 3 },
};

/** Every payment whose time has come: after a long stop there may be very many. The schedule repeats it. */
export const FINALITY: ActivityOptions = {
  startToCloseTimeout: '1 h',
  heartbeatTimeout: '60 s',
  retry: { initialInterval: '5 s', backoffCoefficient: 2, maximumAttempts: 3 },
};

/** Fetching a few documents of rates, 5 s each at most; the schedule repeats it anyway. */
export const FX_REFRESH: ActivityOptions = {
  startToCloseTimeout: '60 s',
  retry: { initialInterval: '5 s', backoffCoefficient: 2, maximumAttempts: 5 },
};

/** One list of the bank; the schedule repeats it anyway. */
export const STATEMENT_LIST: ActivityOptions = {
  startToCloseTimeout: '30 s',
  retry: { initialInterval: '1 s', backoffCoefficient: 2, maximumAttempts: 3 },
};

/** A statement may have a million lines; progress is heartbeated line by line. */
export const RECONCILE: ActivityOptions = {
  startToCloseTimeout: '6 h',
  heartbeatTimeout: '60 s',
  retry: {
    initialInterval: '1 s',
    backoffCoefficient: 2,
    maximumInterval: '5 min',
    nonRetryableErrorTypes: PERMANENT,
  },
};
