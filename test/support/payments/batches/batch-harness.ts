import { expect } from 'vitest';
import {
  createPaymentBatchActivities,
  type PaymentBatchActivityDeps,
} from '../../../../activities/payments/payment-batches.ts';
import type { BatchProgress } from '../../../../src/modules/payments/batches/judge-payment-batch.ts';
import type { Database } from '../../../../src/db/client/database.ts';
import {
  createPaymentHarness,
  type PaymentHarness,
  type PaymentHarnessOverrides,
  type Payer,
} from '../../payment-harness.ts';

export interface Batch {
  readonly id: string;
  readonly status: string;
  readonly counts: Readonly<Record<'total' | 'pending' | 'accepted' | 'refused', number>>;
  readonly totals: readonly { currency: string; amount: string; accepted: string }[];
  readonly version: number;
  readonly completedAt: string | null;
}

export interface Item {
  readonly index: number;
  readonly idempotencyKey: string;
  readonly state: string;
  readonly paymentId: string | null;
  readonly error: {
    readonly error: string;
    readonly message: string;
    readonly details: readonly { path: string; code: string }[];
  } | null;
}

export interface BatchHarness extends PaymentHarness {
  /** Payments whose workflow the worker started. */
  readonly started: string[];
  readonly faults: unknown[];
  /** An item of a batch: 10.00 EUR unless told otherwise. */
  item(idempotencyKey: string, more?: object): Record<string, unknown>;
  /** POST /payment-batches. */
  send(
    items: readonly object[] | string,
    more?: { readonly key?: string; readonly token?: string },
  ): ReturnType<PaymentHarness['ask']>;
  /** A batch that was taken. */
  take(items: readonly object[] | string): Promise<Batch>;
  /** A turn of a worker of its own. */
  turn(batchId: string, options?: TurnOptions): Promise<BatchProgress>;
  /** Turns until the batch is done. */
  finish(batchId: string, options?: TurnOptions): Promise<Batch>;
  read(batchId: string, token?: string): Promise<Batch>;
  /** Every item, page by page. */
  items(batchId: string): Promise<Item[]>;
  events(batchId: string): Promise<{ type: string; version: number; body: string }[]>;
}

export interface TurnOptions {
  readonly db?: Database;
  readonly after?: number;
  readonly payer?: Payer;
  readonly deps?: Partial<PaymentBatchActivityDeps>;
}

/** Everything between a POST and the worker, without Temporal: turns are taken by the test. */
export async function createBatchHarness(
  overrides: PaymentHarnessOverrides = {},
): Promise<BatchHarness> {
  const harness = await createPaymentHarness(overrides);
  const started: string[] = [];
  const faults: unknown[] = [];

  const own: Omit<BatchHarness, keyof PaymentHarness> = {
    started,
    faults,
    item: (idempotencyKey, more = {}) => ({ idempotencyKey, ...harness.order(more) }),
    send: (items, { key, token } = {}) =>
      harness.ask({
        ...{ method: 'POST', url: '/payment-batches' },
        body: typeof items === 'string' ? items : { items },
        ...(key === undefined ? {} : { key }),
        ...(token === undefined ? {} : { token }),
      }),
    async take(items) {
      const answer = await own.send(items);
      expect(answer.statusCode, answer.body).toBe(201);
      return answer.json<Batch>();
    },
    async turn(batchId, { db = harness.database.db, after = -1, payer, deps } = {}) {
      const { customerId, environment } = (payer ?? harness.payer).scope;
      const { judgeBatch } = createPaymentBatchActivities({
        ...{ db, vault: harness.vault, clock: harness.clock },
        ...{ corridors: harness.deps.corridors, encoderFor: harness.deps.encoderFor },
        networks: harness.deps.networks,
        settings: harness.deps.settings,
        workflows: { startPayment: async (_id, { paymentId }) => void started.push(paymentId) },
        onFault: (_about, error) => faults.push(error),
        ...deps,
      });
      return judgeBatch({ customerId, environment, batchId, after });
    },
    async finish(batchId, options) {
      let after = -1;
      for (;;) {
        const step = await own.turn(batchId, { ...options, after });
        if (step.kind === 'MORE') after = step.after;
        else {
          expect(step).toEqual({ kind: 'DONE' });
          return own.read(batchId, options?.payer?.token);
        }
      }
    },
    async read(batchId, token) {
      const url = `/payment-batches/${batchId}`;
      const answer = await harness.ask({ url, ...(token === undefined ? {} : { token }) });
      expect(answer.statusCode, answer.body).toBe(200);
      return answer.json<Batch>();
    },
    async items(batchId) {
      const all: Item[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const more = cursor === '' ? '' : `&cursor=${cursor}`;
        const answer = await harness.ask({
          url: `/payment-batches/${batchId}/items?limit=100${more}`,
        });
        expect(answer.statusCode, answer.body).toBe(200);
        const page = answer.json<{ data: Item[]; nextCursor: string | null }>();
        all.push(...page.data);
        cursor = page.nextCursor;
      }
      return all;
    },
    events: (batchId) =>
      harness.rows(
        `SELECT type, resource_version AS version, body FROM events
         WHERE resource_type = 'payment_batch' AND resource_id = $1 ORDER BY resource_version`,
        [batchId],
      ),
  };
  return { ...harness, ...own };
}
