import { SURFACES } from '../../domain/customers/access/rights.ts';
import { NETWORKS } from '../../domain/onchain/network.ts';
import { ENVIRONMENTS } from '../../domain/scope.ts';
import { TASK_QUEUES } from '../../domain/workflows/task-queues.ts';
import { WAITING_KINDS } from '../../db/operations/waiting-store.ts';
import { ATTEMPT_FAILURES } from '../../domain/webhooks/attempt.ts';
import { PAYMENT_OUTCOMES, STATUS_DETAILS } from '../../domain/payments/payment-states.ts';
import { TRANSFER_STATUSES } from '../../domain/payments/transfer-report.ts';

/** The values that each label can have. */
type Labels = Readonly<Record<string, readonly string[]>>;

export interface MetricText<Given extends Labels = Labels> {
  /** `causeway_<what>_<unit>`. */
  readonly name: string;
  readonly help: string;
  readonly labels: Given;
}

export interface HistogramText<Given extends Labels = Labels> extends MetricText<Given> {
  /** Upper bounds in seconds. The service levels that are promised are among them. */
  readonly buckets: readonly number[];
}

const metric = <const Given extends Labels>(text: MetricText<Given>) => text;
const histogram = <const Given extends Labels>(text: HistogramText<Given>) => text;

const ENVIRONMENT = { environment: ENVIRONMENTS } as const;

/** Kinds of exceptions: of lines, then of statements. */
const EXCEPTIONS = [
  ...(['AMOUNT_MISMATCH', 'DUPLICATE_AT_BANK', 'UNEXPECTED_AT_BANK', 'UNKNOWN_RETURN'] as const),
  ...(['LATE', 'LATE_RETURN', 'POSSIBLE_DUPLICATE', 'UNPROVEN_SUM', 'MISSING_AT_BANK'] as const),
  ...(['SEQUENCE_GAP', 'SEQUENCE_JUMP', 'SEQUENCE_RESTART', 'STATEMENTS_STALE'] as const),
  ...(['STATEMENT_CONFLICT', 'STATEMENT_UNREADABLE', 'ENTRIES_UNREADABLE'] as const),
  ...(['BALANCE_MISMATCH', 'BATCH_MISMATCH', 'OTHER'] as const),
] as const;

/** The kind, or OTHER where the list does not have it. */
export const exceptionKind = (kind: unknown): (typeof EXCEPTIONS)[number] =>
  EXCEPTIONS.find((one) => one === kind) ?? 'OTHER';

/** Counted in the process where it happens, after the commit. From 0 at each start of a process. */
export const COUNTERS = {
  paymentsAccepted: metric({
    name: 'causeway_payments_accepted_total',
    help: 'Payments that were accepted.',
    labels: ENVIRONMENT,
  }),
  paymentsFinished: metric({
    name: 'causeway_payments_finished_total',
    help: 'Payments that reached COMPLETED or a final status, by status.',
    labels: { ...ENVIRONMENT, outcome: PAYMENT_OUTCOMES },
  }),
  outcomesUnknown: metric({
    name: 'causeway_outcomes_unknown_total',
    help: 'Payments whose outcome at the bank became unknown.',
    labels: ENVIRONMENT,
  }),
  bankCalls: metric({
    name: 'causeway_bank_calls_total',
    help: 'Calls of banks and chains, by what was asked and what came back. SILENCE: no answer.',
    labels: {
      ...ENVIRONMENT,
      connector: ['http-bank', 'chain'],
      call: ['SEND', 'ASK'],
      result: [
        ...TRANSFER_STATUSES,
        ...(['NOT_SENT', 'REFUSED', 'UNCLEAR', 'SILENCE', 'NEVER_SEEN'] as const),
      ],
    },
  }),
  webhookAttempts: metric({
    name: 'causeway_webhook_attempts_total',
    help: 'Attempts to deliver events, by result. DELIVERED: a 2xx answer.',
    labels: { ...ENVIRONMENT, result: ['DELIVERED', 'STATUS', 'REDIRECT', ...ATTEMPT_FAILURES] },
  }),
  exceptions: metric({
    name: 'causeway_exceptions_total',
    help: 'Exceptions of reconciliation that need an operator, by kind.',
    labels: { kind: EXCEPTIONS },
  }),
  loginsFailed: metric({
    name: 'causeway_logins_failed_total',
    help: 'Logins that were refused, by surface.',
    labels: { surface: SURFACES },
  }),
} as const;

/** Likewise. */
export const HISTOGRAMS = {
  paymentRequests: histogram({
    name: 'causeway_payment_request_seconds',
    help: 'How long `POST /payments` took, by class of the answer.',
    labels: { status: ['2xx', '4xx', '5xx'] },
    buckets: [0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1, 2.5, 5, 10, 30],
  }),
  claimDelay: histogram({
    name: 'causeway_payment_claim_seconds',
    help: 'The time from the acceptance of a payment, or from its day, until a worker takes it.',
    labels: ENVIRONMENT,
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 30, 60, 300, 3_600],
  }),
  settleDuration: histogram({
    name: 'causeway_payment_settle_seconds',
    help: 'The time from the acceptance of a payment, or from its day, until COMPLETED.',
    labels: ENVIRONMENT,
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600, 86_400, 432_000],
  }),
  webhookDelay: histogram({
    name: 'causeway_webhook_first_attempt_seconds',
    help: 'The time from an event until its first delivery attempt has ended.',
    labels: ENVIRONMENT,
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600],
  }),
} as const;

const OPEN_PAYMENT = {
  ...ENVIRONMENT,
  status: ['PROCESSING', 'ON_HOLD', 'SENT'],
  state: STATUS_DETAILS,
} as const;
const ALL_QUEUES = Object.values(TASK_QUEUES).flatMap((queue) =>
  typeof queue === 'string' ? queue : Object.values(queue),
);
const SIGNERS = { ...ENVIRONMENT, network: NETWORKS } as const;
const SIGNER_STATUSES = ['OPEN', 'FROZEN', 'ADOPTING', 'RETIRING', 'RETIRED'] as const;

/** What a process sees at the moment of the scrape. Those of PROGRESS are read from PostgreSQL by workers. */
export const GAUGES = {
  workerPolling: metric({
    name: 'causeway_worker_polling',
    help: '1 for each task queue that this process polls; 0 for one that it should poll and does not.',
    labels: { queue: ALL_QUEUES },
  }),
  progressRead: metric({
    name: 'causeway_progress_read_success',
    help: '1: the gauges of this worker that come from PostgreSQL are at most 15 s old. 0: PostgreSQL did not answer in time, and they are left out.',
    labels: {},
  }),
  openPayments: metric({
    name: 'causeway_open_payments',
    help: 'Unfinished payments, by status and detail. At most 100,000 of a status are counted.',
    labels: OPEN_PAYMENT,
  }),
  openPaymentOldest: metric({
    name: 'causeway_open_payment_oldest_seconds',
    help: 'How long the oldest of them has not moved. One for a later day counts from that day.',
    labels: OPEN_PAYMENT,
  }),
  unknownOutcomes: metric({
    name: 'causeway_unknown_outcomes',
    help: 'Payments whose outcome at the bank is unknown now.',
    labels: ENVIRONMENT,
  }),
  unknownOutcomeOldest: metric({
    name: 'causeway_unknown_outcome_oldest_seconds',
    help: 'How long the oldest of these outcomes has been unknown; 0 without one.',
    labels: ENVIRONMENT,
  }),
  deliveryOldest: metric({
    name: 'causeway_webhook_delivery_oldest_seconds',
    help: 'How long the oldest delivery to an endpoint that does not fail has been due; 0 without one.',
    labels: ENVIRONMENT,
  }),
  failingEndpoints: metric({
    name: 'causeway_webhook_endpoints_failing',
    help: 'Enabled webhook endpoints whose last attempts failed.',
    labels: ENVIRONMENT,
  }),
  failingEndpointOldest: metric({
    name: 'causeway_webhook_endpoint_failing_oldest_seconds',
    help: 'How long the endpoint that has failed for longest has failed; 0 without one.',
    labels: ENVIRONMENT,
  }),
  openExceptions: metric({
    name: 'causeway_open_exceptions',
    help: 'Exceptions of statement lines that concern no payment and have not ended, by kind. Of the newest 5,000.',
    labels: { ...ENVIRONMENT, kind: EXCEPTIONS },
  }),
  openExceptionOldest: metric({
    name: 'causeway_open_exception_oldest_seconds',
    help: 'How long the oldest of them has been open.',
    labels: { ...ENVIRONMENT, kind: EXCEPTIONS },
  }),
  waiting: metric({
    name: 'causeway_waiting_items',
    help: "What waits for operators, by kind: the console's inbox. At most 1,001 of a kind are counted.",
    labels: { kind: WAITING_KINDS },
  }),
  waitingOldest: metric({
    name: 'causeway_waiting_oldest_seconds',
    help: 'How long the oldest of a kind has waited; 0 without one.',
    labels: { kind: WAITING_KINDS },
  }),
  openNonces: metric({
    name: 'causeway_signer_nonces_open',
    help: 'Signed transactions that no block has taken, by network.',
    labels: SIGNERS,
  }),
  openNonceOldest: metric({
    name: 'causeway_signer_nonce_oldest_seconds',
    help: 'How long the oldest of them has been under way.',
    labels: SIGNERS,
  }),
  signerAccounts: metric({
    name: 'causeway_signer_accounts',
    help: 'Signer accounts, by network and status.',
    labels: { ...SIGNERS, status: SIGNER_STATUSES },
  }),
  waitingMails: metric({
    name: 'causeway_mails_waiting',
    help: 'Mails that wait to be sent. At most 10,000 are counted.',
    labels: {},
  }),
  waitingMailOldest: metric({
    name: 'causeway_mail_waiting_oldest_seconds',
    help: 'How long the oldest of them has waited; 0 without one.',
    labels: {},
  }),
  statementAge: metric({
    name: 'causeway_statement_newest_age_seconds',
    help: 'The time since the newest statement of a connector was listed. Left out until the first one.',
    labels: { ...ENVIRONMENT, connector: ['http-bank'] },
  }),
  unsealedOldest: metric({
    name: 'causeway_audit_unsealed_oldest_seconds',
    help: 'The age of the oldest row of the audit log without a seal; 0 without one.',
    labels: {},
  }),
} as const;

export type GaugeName = keyof typeof GAUGES;

/** Set by workers from what PostgreSQL says. */
export const PROGRESS = (Object.keys(GAUGES) as GaugeName[]).filter(
  (name) => name !== 'workerPolling' && name !== 'progressRead',
);
