import { WorkflowNotFoundError, type Client, type WorkflowStartOptions } from '@temporalio/client';
import {
  TypedSearchAttributes,
  WorkflowExecutionAlreadyStartedError,
  type SearchAttributePair,
} from '@temporalio/common';
import { chainWorkflowId, type ChainPlace } from '../../domain/onchain/network.ts';
import type { Environment } from '../../domain/scope.ts';
import type {
  AccessRequestRef,
  EndpointRef,
  KycCheckRef,
  PaymentBatchRef,
  PaymentRef,
  PaymentToStart,
  ScreeningRef,
} from '../../domain/workflows/work-refs.ts';
import { TASK_QUEUES } from '../../domain/workflows/task-queues.ts';
import {
  ATTENTION,
  CUSTOMER,
  ENVIRONMENT,
  PAYMENT,
} from '../../domain/workflows/search-attributes.ts';
import type { StartedFor, WorkflowClient } from '../../domain/workflows/workflow-client.ts';
import { STARTED_FOR } from '../../domain/workflows/started-for.ts';

/** A call that Temporal has not answered after this long is left to the reconciler. */
const CALL_DEADLINE_MS = 2_000;

/**
 * The same for the first start of a workflow. Temporal counts a task that comes back with the answer as
 * given out: where the caller no longer waits for the answer, it gives it out again only after the task's 10 s.
 */
const FIRST_START_DEADLINE_MS = 10_000;

/**
 * The same for the wake of an endpoint, for which nobody waits. A burst can keep Temporal from answering for some
 * seconds, and an endpoint that is not woken waits for the reconciler.
 */
const ENDPOINT_WAKE_DEADLINE_MS = 10_000;

const paymentFollowUpId = (paymentId: string, reportId: string): string =>
  `return/${paymentId}/${reportId}`;
export const kycCheckId = (check: KycCheckRef): string =>
  `kyc/${check.endUserId}/${String(check.round)}`;
const paymentBatchId = (batchId: string): string => `payment-batch/${batchId}`;
const mailWorkflowId = (mailId: string): string => `mail/${mailId}`;
const onboardingWorkflowId = (requestId: string): string => `onboarding/${requestId}`;
export const depositsWorkflowId = ({ environment, network }: ChainPlace): string =>
  `deposits/${environment}/${network}`;
const endpointWorkflowId = (endpointId: string): string => `webhook-endpoint/${endpointId}`;

/** An id that runs is left running, one that ended well is not run again: for the first start. */
const ONCE = {
  workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
  workflowIdConflictPolicy: 'USE_EXISTING',
} as const;

/**
 * An id that runs is left running, one that has ended is run again: for starts of what PostgreSQL
 * says is unfinished. A run that finds nothing to do ends at once.
 */
const AGAIN = {
  workflowIdReusePolicy: 'ALLOW_DUPLICATE',
  workflowIdConflictPolicy: 'USE_EXISTING',
} as const;

type StartOptions = Pick<
  WorkflowStartOptions,
  | 'workflowId'
  | 'taskQueue'
  | 'typedSearchAttributes'
  | 'memo'
  | 'staticSummary'
  | 'requestEagerStart'
>;

/** Starts and wakes workflows over a client. `getClient` may change with the connection. */
export function createWorkflowClient(deps: {
  readonly getClient: () => Client;
  /**
   * Whether the client shares the connection of workers in this process: then Temporal may hand a new
   * payment's first task back with its start. STARTS_MAX of them are under way at a time.
   */
  readonly isEager: () => boolean;
  /** Whether the environment's bank answers soon enough to be called inside a workflow task. */
  readonly isBankQuick: (environment: Environment) => boolean;
}): WorkflowClient {
  const within = <Result>(
    call: (client: Client) => Promise<Result>,
    deadlineMs = CALL_DEADLINE_MS,
  ): Promise<Result> => {
    const client = deps.getClient();
    return client.connection.withDeadline(Date.now() + deadlineMs, () => call(client));
  };

  async function start(
    policies: typeof ONCE | typeof AGAIN,
    type: string,
    options: StartOptions,
    args: unknown[],
  ): Promise<void> {
    const deadlineMs = policies === ONCE ? FIRST_START_DEADLINE_MS : CALL_DEADLINE_MS;
    try {
      await within(
        (client) => client.workflow.start(type, { ...options, ...policies, args }),
        deadlineMs,
      );
    } catch (error) {
      // It ran before and ended well: nothing is left to start.
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
  }

  /** Signals a workflow; false where none of that id is open. */
  async function wake(workflowId: string): Promise<boolean> {
    try {
      await within((client) => client.workflow.getHandle(workflowId).signal('wake'));
      return true;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
  }

  const refOf = ({ customerId, environment, paymentId }: PaymentRef): PaymentRef => ({
    ...{ customerId, environment, paymentId },
  });
  const summaryOf = ({ rail, currency }: PaymentToStart) => ({
    staticSummary: `${currency} by ${rail}`,
  });
  const paymentOptions = (workflowId: string, payment: PaymentRef, startedFor?: StartedFor) => ({
    workflowId,
    ...memoOf(startedFor),
    taskQueue: TASK_QUEUES.payments[payment.environment],
    typedSearchAttributes: paymentAttributes(payment),
  });
  const kycOptions = (workflowId: string, check: KycCheckRef, startedFor?: StartedFor) => ({
    workflowId,
    ...memoOf(startedFor),
    taskQueue: TASK_QUEUES.engine,
    typedSearchAttributes: scopeAttributes(check),
  });

  return {
    startPayment: (workflowId, payment, startedFor) =>
      start(
        ONCE,
        'payment',
        {
          ...paymentOptions(workflowId, payment, startedFor),
          ...summaryOf(payment),
          requestEagerStart: deps.isEager(),
        },
        [
          deps.isBankQuick(payment.environment)
            ? { ...refOf(payment), isBankQuick: true }
            : refOf(payment),
        ],
      ),

    // Not eager, as all below: what was lost may be much, and any worker may take it.
    restartPayment: (workflowId, payment, startedFor) =>
      start(
        AGAIN,
        'payment',
        { ...paymentOptions(workflowId, payment, startedFor), ...summaryOf(payment) },
        [refOf(payment)],
      ),

    async wakePayment(workflowId, payment, reportId, startedFor) {
      if (await wake(workflowId)) return;
      const followUpId = paymentFollowUpId(payment.paymentId, reportId);
      await start(AGAIN, 'paymentFollowUp', paymentOptions(followUpId, payment, startedFor), [
        refOf(payment),
      ]);
    },

    startPaymentBatch: (batch: PaymentBatchRef, startedFor) =>
      start(
        AGAIN,
        'paymentBatch',
        {
          workflowId: paymentBatchId(batch.batchId),
          taskQueue: TASK_QUEUES.engine,
          typedSearchAttributes: scopeAttributes(batch),
          ...memoOf(startedFor),
        },
        [batch],
      ),

    startKycCheck: (check, startedFor) =>
      start(ONCE, 'kycCheck', kycOptions(kycCheckId(check), check, startedFor), [check]),

    restartKycCheck: (check, startedFor) =>
      start(AGAIN, 'kycCheck', kycOptions(kycCheckId(check), check, startedFor), [check]),

    async wakeKycCheck(check, reportId, startedFor) {
      if (await wake(kycCheckId(check))) return;
      const followUpId = `${kycCheckId(check)}/${reportId}`;
      await start(AGAIN, 'kycFollowUp', kycOptions(followUpId, check, startedFor), [check]);
    },

    startScreening: (party: ScreeningRef, startedFor) =>
      start(
        AGAIN,
        'screenParty',
        {
          workflowId: `screening/${party.id}`,
          taskQueue: TASK_QUEUES.engine,
          typedSearchAttributes: scopeAttributes(party),
          ...memoOf(startedFor),
        },
        [party],
      ),

    startMail: (mailId, startedFor) =>
      start(
        AGAIN,
        'mail',
        {
          workflowId: mailWorkflowId(mailId),
          // As of most work, its workflow is the engine's; only what may hang has a queue of its own.
          taskQueue: TASK_QUEUES.engine,
          ...memoOf(startedFor),
        },
        [{ mailId }],
      ),

    async wakeOnboarding(request: AccessRequestRef, startedFor) {
      await within((client) =>
        client.workflow.signalWithStart('onboarding', {
          workflowId: onboardingWorkflowId(request.requestId),
          taskQueue: TASK_QUEUES.engine,
          ...memoOf(startedFor),
          args: [request],
          signal: 'wake',
          signalArgs: [],
        }),
      );
    },

    startChain: (place, startedFor) =>
      start(
        AGAIN,
        'chain',
        {
          workflowId: chainWorkflowId(place),
          taskQueue: TASK_QUEUES.engine,
          ...memoOf(startedFor),
        },
        [placeOnly(place)],
      ),

    async wakeChain(place) {
      await within((client) =>
        client.workflow.signalWithStart('chain', {
          workflowId: chainWorkflowId(place),
          taskQueue: TASK_QUEUES.engine,
          args: [placeOnly(place)],
          signal: 'wake',
          signalArgs: [],
        }),
      );
    },

    startDeposits: (place, startedFor) =>
      start(
        AGAIN,
        'deposits',
        {
          workflowId: depositsWorkflowId(place),
          taskQueue: TASK_QUEUES.engine,
          ...memoOf(startedFor),
        },
        [placeOnly(place)],
      ),

    async wakeDeposits(place) {
      await within((client) =>
        client.workflow.signalWithStart('deposits', {
          workflowId: depositsWorkflowId(place),
          taskQueue: TASK_QUEUES.engine,
          args: [placeOnly(place)],
          signal: 'wake',
          signalArgs: [],
        }),
      );
    },

    async wakeEndpoint(endpoint: EndpointRef) {
      await within(
        (client) =>
          client.workflow.signalWithStart('webhookEndpoint', {
            workflowId: endpointWorkflowId(endpoint.endpointId),
            taskQueue: TASK_QUEUES.webhooks,
            typedSearchAttributes: scopeAttributes(endpoint),
            args: [endpoint],
            signal: 'wake',
            signalArgs: [],
          }),
        ENDPOINT_WAKE_DEADLINE_MS,
      );
    },
  };
}

const placeOnly = ({ environment, network }: ChainPlace): ChainPlace => ({ environment, network });

const memoOf = (startedFor?: StartedFor) =>
  startedFor === undefined ? {} : { memo: { [STARTED_FOR]: startedFor } };

type ScopeRef = Pick<PaymentRef, 'customerId' | 'environment'>;

const scopePairs = (ref: ScopeRef): SearchAttributePair[] => [
  { key: CUSTOMER, value: ref.customerId },
  { key: ENVIRONMENT, value: ref.environment },
];

const scopeAttributes = (ref: ScopeRef) => new TypedSearchAttributes(scopePairs(ref));

const paymentAttributes = (payment: PaymentRef) =>
  new TypedSearchAttributes([
    ...scopePairs(payment),
    { key: PAYMENT, value: payment.paymentId },
    { key: ATTENTION, value: 'NONE' },
  ]);
