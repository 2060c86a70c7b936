import { TASK_QUEUES } from '../../domain/workflows/task-queues.ts';

/**
 * What one worker process takes of one task queue at a time. Fixed, so that a burst queues in Temporal
 * and not in our memory.
 */
export interface QueueSlots {
  readonly taskQueue: string;
  /** Activities under way at a time. */
  readonly activities: number;
  /** Null: the queue has activities only, which costs neither a V8 isolate nor a cache. */
  readonly workflows: {
    /** Workflow tasks, and local activities, under way at a time. */
    readonly tasks: number;
    /** Workflows whose state is kept in memory between tasks: about 0.2 MB each. */
    readonly cached: number;
  } | null;
  /**
   * Long polls of each kind that are open at a time. All of a process's share one HTTP/2 connection
   * with its other calls, and proxies allow 100 streams on one: the sum stays below 80.
   */
  readonly polls: number;
}

/**
 * Workflow tasks, and local activities, of a queue of payments at a time. A start brings the first task
 * back only where a slot is free: of 40, most starts of a burst found none.
 */
const PAYMENT_TASKS = 150;

/**
 * Starts of workflows under way at a time. One of a payment holds a slot of its queue until Temporal has
 * answered: fewer than half of the slots, or tasks that are polled for would wait behind starts.
 */
export const STARTS_MAX = 64;

/**
 * Where one process accepts and settles, a burst of requests is accepted before it is settled: see docs/adr/0116. During
 * a burst 10 workflows start a second, and none waits more than 5 s.
 */
export const STARTS_GIVE_WAY = { requests: 8, quietMs: 100, everyMs: 100, longestMs: 5_000 };

/**
 * Only four queues run workflows, for each of these takes a thread with a V8 isolate: about 50 MB. A worker
 * process takes 350 MB when it begins, and 700 MB with as many workflows in memory and under way as it may
 * have: measured, so measure again with other numbers.
 * A slot that waits for a bank holds no database connection, so there may be more slots than those.
 */
export const DEFAULT_SLOTS: readonly QueueSlots[] = [
  // A call of a bank that hangs holds its slot for the bank timeout: a first one that of a task where the
  // bank is quick, any other that of an activity.
  {
    taskQueue: TASK_QUEUES.payments.live,
    activities: 40,
    workflows: { tasks: PAYMENT_TASKS, cached: 4 * PAYMENT_TASKS },
    polls: 10,
  },
  {
    taskQueue: TASK_QUEUES.payments.test,
    activities: 40,
    workflows: { tasks: PAYMENT_TASKS, cached: 2 * PAYMENT_TASKS },
    polls: 10,
  },
  // Nothing here waits for another's server but the look at exchange rates, which is one.
  {
    taskQueue: TASK_QUEUES.engine,
    activities: 20,
    workflows: { tasks: 20, cached: 100 },
    polls: 5,
  },
  // A provider may take ten seconds.
  { taskQueue: TASK_QUEUES.kyc.live, activities: 10, workflows: null, polls: 2 },
  { taskQueue: TASK_QUEUES.kyc.test, activities: 10, workflows: null, polls: 2 },
  // Batches take turns of ten seconds, so a few are enough. A turn may want a connection for each of the
  // 25 items that it judges at a time.
  { taskQueue: TASK_QUEUES.paymentBatches.live, activities: 4, workflows: null, polls: 1 },
  { taskQueue: TASK_QUEUES.paymentBatches.test, activities: 2, workflows: null, polls: 1 },
  // A statement is read and judged in flat memory, but with much of a processor.
  { taskQueue: TASK_QUEUES.reconciliation.live, activities: 3, workflows: null, polls: 2 },
  { taskQueue: TASK_QUEUES.reconciliation.test, activities: 2, workflows: null, polls: 2 },
  // A drain mostly waits for its receiver.
  {
    taskQueue: TASK_QUEUES.webhooks,
    activities: 100,
    workflows: { tasks: 40, cached: 200 },
    polls: 5,
  },
  { taskQueue: TASK_QUEUES.webhooksSlow, activities: 20, workflows: null, polls: 5 },
  // A try may take half a minute of a relay that hangs.
  { taskQueue: TASK_QUEUES.mail, activities: 20, workflows: null, polls: 2 },
  // One look a chain at a time, of five networks.
  { taskQueue: TASK_QUEUES.deposits.live, activities: 5, workflows: null, polls: 1 },
  { taskQueue: TASK_QUEUES.deposits.test, activities: 5, workflows: null, polls: 1 },
];

/** What the process takes that signs: one look a chain at a time, of five networks in two environments. */
export const CHAIN_SLOTS: readonly QueueSlots[] = [
  { taskQueue: TASK_QUEUES.chain, activities: 20, workflows: null, polls: 2 },
];
