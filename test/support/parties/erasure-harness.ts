import { expect } from 'vitest';
import { closeEndUser } from '../close-end-user.ts';
import {
  createPaymentHarness,
  type PaymentHarness,
  type PaymentHarnessOverrides,
} from '../payment-harness.ts';

export interface ErasureHarness extends PaymentHarness {
  erase(endUserId: string, key?: string): ReturnType<PaymentHarness['ask']>;
  close(): Promise<void>;
  closeEndUser(endUserId: string): Promise<void>;
  /** Ends payments as nothing here would without a bank: the rows alone say so. */
  end(paymentIds: readonly string[], status: string, finality?: string): Promise<void>;
}

export async function createErasureHarness(
  overrides: PaymentHarnessOverrides = {},
): Promise<ErasureHarness> {
  const harness = await createPaymentHarness(overrides);
  return {
    ...harness,
    erase: (endUserId, key) =>
      harness.ask({ method: 'POST', url: `/end-users/${endUserId}/erase`, key }),
    closeEndUser: (endUserId) =>
      closeEndUser(harness.database.db, harness.scope, endUserId, harness.clock.now()),
    async end(paymentIds, status, finality = 'FINAL') {
      const ended = await harness.rows(
        `WITH quiet AS MATERIALIZED (SELECT set_config('session_replication_role', 'replica', true))
         UPDATE payments SET status = $2, finality = $3, final_at = $4, final_due_at = $4 FROM quiet
         WHERE id = ANY ($1) RETURNING id`,
        [paymentIds, status, finality, harness.clock.now()],
      );
      expect(ended).toHaveLength(paymentIds.length);
    },
  };
}
