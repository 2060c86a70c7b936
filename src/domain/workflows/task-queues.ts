/** One queue an environment, so that a hanging bank or provider of test never holds a slot of live. */
const byEnvironment = <Name extends string>(name: Name) =>
  ({ test: `${name}-test`, live: `${name}-live` }) as const;

/**
 * Where each kind of work queues. What may hang for long (a bank, a KYC provider, a webhook receiver,
 * a statement) has slots of its own, so that it delays nothing else. How many: src/server/temporal/worker-slots.ts.
 */
export const TASK_QUEUES = {
  /** Payments: workflows and activities. */
  payments: byEnvironment('payments'),
  /** Workflows of everything that is below, and what only needs PostgreSQL and Temporal: the reconciler. */
  engine: 'engine',
  /** Questions to the KYC and the screening provider. */
  kyc: byEnvironment('kyc'),
  /** Payment batches, item by item. */
  paymentBatches: byEnvironment('payment-batches'),
  /** The bank's statements, fetched and judged. */
  reconciliation: byEnvironment('reconciliation'),
  /** Webhook endpoints: workflows, and deliveries to receivers that answer quickly. */
  webhooks: 'webhooks',
  /** Deliveries to receivers that fail or are slow. */
  webhooksSlow: 'webhooks-slow',
  /** Mails to the relay, which may hang. */
  mail: 'mail',
  /** Chains read for deposits: their nodes may hang. */
  deposits: byEnvironment('deposits'),
  /** Looks at chains, and signatures: only processes that hold keys work on it. */
  chain: 'chain',
} as const;
