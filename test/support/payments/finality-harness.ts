import { expect } from 'vitest';
import { newId } from '../../../src/db/client/new-id.ts';
import { createCorridorTable } from '../../../src/domain/payments/corridors/corridor-table.ts';
import { withLockedPayment } from '../../../src/modules/payments/lock-payment.ts';
import { storeBankCallback } from '../../../src/db/payments/transfer-report-store.ts';
import {
  createReconciliationHarness,
  type ReconciliationHarness,
} from '../reconciliation/reconciliation-harness.ts';
import { finalise } from '../finalise.ts';
import type { Seeded } from '../seed-payments.ts';

export interface Finality {
  readonly status: string;
  readonly finality: string;
  readonly finalAt: Date | null;
  readonly dueAt: Date | null;
  readonly reconciliation: string;
  readonly version: number;
  readonly evidence: Record<string, unknown> | null;
  readonly returned: Record<string, unknown> | null;
}

export type FinalityHarness = ReconciliationHarness & {
  /** Completed now: its return window of 10 s begins. */
  complete(amount?: bigint): Promise<Seeded>;
  /** What the schedule does, once. */
  finalise(): Promise<void>;
  finality(id: string): Promise<Finality>;
  /** A statement with the payout of each. */
  showPayouts(payments: readonly Seeded[]): Promise<void>;
  /** COMPLETED, on a statement, its window over, and final. */
  final(): Promise<Seeded>;
  /** Stores a callback that it came back, unread, dated now. */
  tellReturned(paid: Seeded): Promise<void>;
  /** What the payment's workflow, or its follow-up, does about stored callbacks. */
  applyCallbacks(paid: Seeded): Promise<unknown>;
  /** A statement with a return of the payment. */
  showReturn(paid: Seeded, amount?: string): ReturnType<ReconciliationHarness['reconcile']>;
  /** The types of a payment's events, in order of its versions. */
  events(id: string): Promise<string[]>;
  /** The ledger's accounts of the currency EUR, minor units by account. */
  accounts(): Promise<Record<string, bigint>>;
};

export async function createFinalityHarness(): Promise<FinalityHarness> {
  const harness = await createReconciliationHarness();
  const { clock, db } = harness;
  const complete = (amount?: bigint) =>
    harness.pay('COMPLETED', { at: clock.now(), ...(amount === undefined ? {} : { amount }) });
  const showPayouts = async (payments: readonly Seeded[]) => {
    const entries = payments.map(({ reference }) => ({ reference, amount: '10.00' }));
    await harness.reconcile({ entries });
  };
  const finality = async (id: string) => {
    const [row] = await harness.rows<Finality>(
      `SELECT status, finality, final_at AS "finalAt", final_due_at AS "dueAt", version,
         reconciliation_status AS reconciliation, reconciliation_evidence AS evidence,
         return_info AS returned
       FROM payments WHERE id = $1`,
      [id],
    );
    if (row === undefined) throw new Error(`there is no payment ${id}`);
    return row;
  };
  return {
    ...harness,
    complete,
    finalise: () => finalise(db, clock),
    finality,
    showPayouts,
    async final() {
      const paid = await complete();
      await showPayouts([paid]);
      clock.advance(10_000);
      await finalise(db, clock);
      expect(await finality(paid.id)).toMatchObject({ status: 'COMPLETED', finality: 'FINAL' });
      return paid;
    },
    async tellReturned({ reference }) {
      const at = clock.now();
      const said = { status: 'RETURNED', bankReference: null, reason: 'AC04' } as const;
      const report = { reportId: newId('rpt'), reference, amount: '10.00', at, ...said };
      await storeBankCallback(db, 'test', report, at);
    },
    applyCallbacks: ({ id }) =>
      withLockedPayment(
        { db, clock, corridors: createCorridorTable() },
        harness.customer.scope,
        id,
        ({ payment }) => Promise.resolve(payment),
      ),
    showReturn: ({ reference }, amount = '10.00') =>
      harness.reconcile({
        entries: [
          {
            ...{ reference, amount, direction: 'CRDT', returnReason: 'AC04' },
            bankReference: newId('back'),
          },
        ],
      }),
    async events(id) {
      const rows = await harness.rows<{ type: string }>(
        'SELECT type FROM events WHERE resource_id = $1 ORDER BY resource_version',
        [id],
      );
      return rows.map(({ type }) => type);
    },
    async accounts() {
      const rows = await harness.rows<{ account: string; sum: string }>(
        `SELECT account, sum(amount)::text AS sum FROM ledger_entries
         WHERE currency = 'EUR' GROUP BY account`,
      );
      return Object.fromEntries(rows.map(({ account, sum }) => [account, BigInt(sum)]));
    },
  };
}
