import type { ActivityOptions, LocalActivityOptions } from '@temporalio/workflow';

/** Where each kind of work queues; a slow webhook receiver must not hold a payment's slot. */
export const TASK_QUEUES = {
  payments: 'payments',
  webhooks: 'webhooks',
  webhooksSlow: 'webhooks-slow',
  reconciliation: 'reconciliation',
} as const;

/** The kinds of failure that trying again cannot mend; see activities/failures.ts. */
const PERMANENT = ['ENGINE_FAULT', 'NOT_FOUND'];

/**
 * Talks to the bank at most once, for at most the bank timeout (2 s test, 30 s live), so 60 s means
 * the worker died. An attempt found open after that is asked about, never sent again.
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

/** One short database transaction inside the workflow task. */
export const FINALISE: LocalActivityOptions = {
  startToCloseTimeout: '2 s',
  retry: { maximumAttempts: 2, initialInterval: '100 ms', nonRetryableErrorTypes: PERMANENT },
};

/** One database transaction as a remote activity: it must succeed some day. */
export const RECORD: ActivityOptions = {
  startToCloseTimeout: '20 s',
  retry: { initialInterval: '1 s', backoffCoefficient: 2, maximumInterval: '1 min' },
};

/** One call of the KYC provider (10 s at most) and one transaction. */
export const KYC: ActivityOptions = {
  startToCloseTimeout: '30 s',
  retry: {
    initialInterval: '1 s',
    backoffCoefficient: 2,
    maximumInterval: '1 min',
    nonRetryableErrorTypes: PERMANENT,
  },
};

/** Up to 60 s of deliveries, each at most 15 s. A missing heartbeat means that the worker died. */
export const DRAIN: ActivityOptions = {
  startToCloseTimeout: '120 s',
  heartbeatTimeout: '20 s',
  retry: { initialInterval: '1 s', backoffCoefficient: 2, maximumInterval: '1 min' },
};
