import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ONE_STATEMENT } from '../../../src/db/client/database.ts';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';

let harness: PaymentHarness;
beforeAll(async () => {
  harness = await createPaymentHarness();
});
afterAll(() => harness.close());

const TRANSACTION = 'SELECT pg_current_xact_id()::text AS id';

describe('work of the system role that is one statement', () => {
  it('sees every scope, in a transaction of its own', async () => {
    const { db } = harness.deps;
    const seen = await db.system(
      (tx) =>
        tx.query<{ id: string }>('SELECT id FROM customers WHERE id = $1', [
          harness.scope.customerId,
        ]),
      ONE_STATEMENT,
    );
    expect(seen).toHaveLength(1);
    const ask = () => db.system((tx) => tx.query<{ id: string }>(TRANSACTION), ONE_STATEMENT);
    const [[one], [other]] = [await ask(), await ask()];
    expect(one?.id).not.toBe(other?.id);
  });

  it('runs no second statement, which would be in another transaction', async () => {
    const { db } = harness.deps;
    const twice = db.system(async (tx) => {
      await tx.query(TRANSACTION);
      return tx.query(TRANSACTION);
    }, ONE_STATEMENT);
    await expect(twice).rejects.toThrow('this work is one statement');
  });

  it('fails as any work does, and the next one is served', async () => {
    const { db } = harness.deps;
    const refused = db.system((tx) => tx.query('SELECT 1 / $1::integer', [0]), ONE_STATEMENT);
    await expect(refused).rejects.toMatchObject({ code: '22012' });
    await expect(db.system((tx) => tx.query(TRANSACTION), ONE_STATEMENT)).resolves.toHaveLength(1);
  });
});
