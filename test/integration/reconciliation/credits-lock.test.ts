import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/db/client/new-id.ts';
import {
  applied,
  createReturnsDesk,
  type ReturnsDesk,
} from '../../support/reconciliation/returns-desk.ts';
import { until } from '../../support/until.ts';

/** Of src/db/ledger/early-reversal-store.ts. */
const CREDITS_LOCK = `SELECT pg_advisory_xact_lock(hashtextextended('credits:test:http-bank', 0))`;

let desk: ReturnsDesk;
beforeAll(async () => {
  desk = await createReturnsDesk(83_000);
});
afterAll(async () => {
  await desk.expectBooksToHold();
  await desk.close();
});

/** Less than the 10 seconds after which a transaction stops waiting for a lock. */
const WAIT_MS = 8_000;

/** Whether a transaction holds the customer's balance. */
async function isBalanceLocked(): Promise<boolean> {
  const client = new pg.Client({ connectionString: desk.url });
  await client.connect();
  try {
    await client.query('SELECT FROM balances WHERE customer_id = $1 FOR UPDATE NOWAIT', [
      desk.customer.scope.customerId,
    ]);
    return false;
  } catch (error) {
    if ((error as { code?: string }).code === '55P03') return true;
    throw error;
  } finally {
    await client.end();
  }
}

describe('an act about a line, while a statement of its bank is applied', () => {
  it('waits for the lock of credits before it locks a balance, so that neither waits for the other', async () => {
    await desk.paid(desk.newAmount());
    const ref = await desk.shows({ amount: desk.newAmount(), bankReference: newId('back') });
    const customer = ['--customer', desk.customer.scope.customerId];
    const { id } = await desk.propose(...applied(ref, 'RECOVER', ...customer));
    await desk.whileHeld(CREDITS_LOCK, async (release) => {
      const approving = desk.approve(id);
      await desk.somebodyWaits('the act at the credits', ['advisory']);
      expect(await isBalanceLocked()).toBe(false);
      await release();
      expect(await approving).toMatchObject({ code: 0 });
    });
  });

  it('is reversed in the same order', async () => {
    const ref = await desk.shows({ amount: desk.newAmount(), bankReference: newId('back') });
    const customer = ['--customer', desk.customer.scope.customerId];
    const act = await desk.done(...applied(ref, 'RECOVER', ...customer));
    const { id } = await desk.propose('exceptions', 'reverse', act);
    await desk.whileHeld(CREDITS_LOCK, async (release) => {
      const approving = desk.approve(id);
      await desk.somebodyWaits('the reversal at the credits', ['advisory']);
      expect(await isBalanceLocked()).toBe(false);
      await release();
      expect(await approving).toMatchObject({ code: 0 });
    });
  });
});

describe('a statement with a return, while credits of its bank are decided', () => {
  it('applies payments without a return meanwhile', async () => {
    const [whole, odd] = [desk.newAmount(), desk.newAmount()];
    const returned = await desk.paid(odd);
    const payment = await desk.pay('COMPLETED', { amount: BigInt(whole.replace('.', '')) });
    const back = desk.marked({ reference: returned.reference, amount: odd });
    const ref = await desk.list({
      entries: [
        { reference: payment.reference, amount: whole, bankReference: newId('back') },
        back,
      ],
    });
    await desk.activities.readStatement(ref);
    await desk.whileHeld(CREDITS_LOCK, async (release) => {
      const reconciling = desk.activities.reconcileStatement(ref);
      await desk.somebodyWaits('the return at the credits', ['advisory']);
      await until(
        'the payment without a return',
        async () => {
          const { reconciliation } = await desk.payment(payment.id);
          return reconciliation === 'RECONCILED' ? true : null;
        },
        WAIT_MS,
      );
      expect(await desk.payment(returned.id)).toMatchObject({ status: 'COMPLETED' });
      await release();
      await reconciling;
    });
    expect(await desk.outcomes(ref)).toEqual(['RECONCILED', 'RETURN']);
  });
});
