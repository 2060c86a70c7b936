import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setCustomerStatus } from '../../../support/set-customer-status.ts';
import { addApiKey, addCustomer, setLiveAccess } from '../../../support/test-customer.ts';
import {
  createBatchHarness,
  type Batch,
  type BatchHarness,
} from '../../../support/payments/batches/batch-harness.ts';

const MINUTE_MS = 60_000;

let harness: BatchHarness;
beforeAll(async () => {
  harness = await createBatchHarness();
});
afterAll(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

const errorsOf = async (batchId: string) =>
  (await harness.items(batchId)).map(({ state, error }) => error?.error ?? state);

describe('the customer or key that sent a batch may lose the right to pay while it runs', () => {
  it('suspended: what is left is refused; what was paid stays paid', async () => {
    await harness.pay(harness.order(), 'suspended-0');
    const { id } = await harness.take([harness.item('suspended-0'), harness.item('suspended-1')]);
    const set = (status: string) =>
      setCustomerStatus(harness.database.url, harness.scope.customerId, status);
    await set('SUSPENDED');
    await harness.turn(id);
    await set('ACTIVE');
    expect(await errorsOf(id)).toEqual(['ACCEPTED', 'customer_suspended']);
  });

  it('a revoked key: the same', async () => {
    const { scope, vault } = harness;
    const stolen = await harness.database.db.system((tx) => addApiKey(tx, vault, scope));
    await harness.pay(harness.order(), 'revoked-0');
    await harness.pay(harness.order(), 'revoked-2');
    const items = [
      ...[harness.item('revoked-0'), harness.item('revoked-1')],
      harness.item('revoked-2', { amount: '11.00' }),
    ];
    const { id } = (await harness.send(items, { token: stolen.token })).json<Batch>();
    await harness.rows('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [stolen.id]);
    const before = await harness.balance();
    expect((await harness.finish(id)).counts).toMatchObject({ accepted: 1, refused: 2 });
    expect(await errorsOf(id)).toEqual(['ACCEPTED', 'api_key_revoked', 'idempotency_key_mismatch']);
    expect(await harness.balance()).toEqual(before);
  });

  it('an expired key: nothing, for it was valid when the batch was sent', async () => {
    const { scope, vault } = harness;
    const expiring = await harness.database.db.system((tx) => addApiKey(tx, vault, scope));
    const items = [harness.item('expired-0'), harness.item('expired-1')];
    const { id } = (await harness.send(items, { token: expiring.token })).json<Batch>();
    await harness.rows(`UPDATE api_keys SET expires_at = '2000-01-01T00:00:00Z' WHERE id = $1`, [
      expiring.id,
    ]);
    expect((await harness.send(items, { token: expiring.token })).statusCode).toBe(401);
    expect((await harness.finish(id)).counts).toMatchObject({ accepted: 2, refused: 0 });
  });

  it('a key revoked in the middle: what is not paid is refused, and another key may send it', async () => {
    const { scope, vault } = harness;
    const leaked = await harness.database.db.system((tx) => addApiKey(tx, vault, scope));
    // 25 at a time: the revocation finds the first ones paid and the others not begun.
    const items = Array.from({ length: 28 }, (_none, n) => harness.item(`leaked-${String(n)}`));
    const { id } = (await harness.send(items, { token: leaked.token })).json<Batch>();
    const startPayment = async () => {
      await harness.rows('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [leaked.id]);
    };
    await harness.turn(id, { deps: { workflows: { startPayment } } });
    expect(await errorsOf(id)).toEqual([
      ...Array.from({ length: 25 }, () => 'ACCEPTED'),
      ...Array.from({ length: 3 }, () => 'api_key_revoked'),
    ]);
    const again = await harness.take(items.slice(25));
    await harness.turn(again.id);
    expect(await errorsOf(again.id)).toEqual(['ACCEPTED', 'ACCEPTED', 'ACCEPTED']);
  });

  it('without live access: nothing of live, and test goes on', async () => {
    const customerId = await harness.database.db.system((tx) => addCustomer(tx));
    for (const [environment, told] of [
      ['live', 'live_access_not_granted'],
      ['test', null],
    ] as const) {
      const payer = await harness.addPayer({ customerId, environment });
      const { endUserId, bankAccountId, token } = payer;
      const body = { endUserId, bankAccountId, amount: '10.00', currency: 'EUR' };
      const items = [{ idempotencyKey: 'access', ...body }];
      const { id } = (await harness.send(items, { token })).json<Batch>();
      const grant = (isGranted: boolean) =>
        harness.database.db.system((tx) => setLiveAccess(tx, customerId, isGranted));
      await grant(false);
      await harness.turn(id, { payer });
      await grant(true);
      const { data } = (await harness.ask({ url: `/payment-batches/${id}/items`, token })).json<{
        data: { error: { error: string } | null }[];
      }>();
      expect(data.map(({ error }) => error?.error ?? null)).toEqual([told]);
    }
  });
});

describe('an error that may pass', () => {
  /** Holds an item's key as a request does that is still running. */
  async function holdKey(key: string): Promise<() => Promise<void>> {
    const client = new pg.Client({ connectionString: harness.database.url });
    await client.connect();
    const { customerId, environment } = harness.scope;
    await client.query(
      `SELECT pg_advisory_lock(hashtextextended('idempotency:' || $1 || ':' || $2 || ':' || $3, 0))`,
      [customerId, environment, key],
    );
    return () => client.end();
  }

  it('keeps its item pending and no other; the item is paid once it has passed', async () => {
    const release = await holdKey('busy-0');
    const { id } = await harness.take([harness.item('busy-0'), harness.item('busy-1')]);
    expect(await harness.turn(id)).toEqual({ kind: 'WAITING' });
    expect(await errorsOf(id)).toEqual(['PENDING', 'ACCEPTED']);
    expect(await harness.read(id)).toMatchObject({ status: 'PROCESSING', version: 1 });
    await release();
    await harness.finish(id);
    expect(await errorsOf(id)).toEqual(['ACCEPTED', 'ACCEPTED']);
  });

  it('refuses the item with it after 15 minutes, counted from its first try', async () => {
    const { id } = await harness.take([harness.item('busy-2')]);
    // No worker for an hour is no error of the item.
    harness.clock.advance(60 * MINUTE_MS);
    const release = await holdKey('busy-2');
    await harness.turn(id);
    harness.clock.advance(14 * MINUTE_MS);
    expect(await harness.turn(id)).toEqual({ kind: 'WAITING' });
    harness.clock.advance(MINUTE_MS);
    expect(await harness.turn(id)).toEqual({ kind: 'DONE' });
    await release();
    expect(await errorsOf(id)).toEqual(['idempotency_key_in_progress']);
  });

  it('a fault of our own is told to the log, tried again, and refuses nothing but its item', async () => {
    const { id } = await harness.take([harness.item('fault-0'), harness.item('fault-1')]);
    const encode = harness.deps.encoderFor('test', 'SEPA');
    let orders = 0;
    const encoderFor = () => (order: Parameters<NonNullable<typeof encode>>[0]) => {
      orders += 1;
      if (orders === 1) throw new Error('a fault');
      if (encode === null) throw new Error('SEPA is served');
      return encode(order);
    };
    expect(await harness.turn(id, { deps: { encoderFor } })).toEqual({ kind: 'WAITING' });
    expect(harness.faults.splice(0)).toMatchObject([{ message: 'a fault' }]);
    expect(await errorsOf(id)).toEqual(['PENDING', 'ACCEPTED']);
    await harness.finish(id);
    expect(await errorsOf(id)).toEqual(['ACCEPTED', 'ACCEPTED']);
  });
});

describe('a turn', () => {
  it('ends after ten seconds, and the next one goes on behind it', async () => {
    const items = Array.from({ length: 60 }, (_none, n) => harness.item(`turn-${String(n)}`));
    const { id } = await harness.take(items);
    let started = 0;
    const startPayment = async () => {
      started += 1;
      if (started % 25 === 0) harness.clock.advance(5_000);
    };
    const step = await harness.turn(id, { deps: { workflows: { startPayment } } });
    expect(step).toEqual({ kind: 'MORE', after: 49 });
    expect((await harness.read(id)).counts).toMatchObject({ pending: 10, accepted: 50 });
    expect(await harness.turn(id, { after: 49 })).toEqual({ kind: 'DONE' });
  });

  it('of a batch that does not exist does nothing: its transaction may have been undone', async () => {
    expect(await harness.turn('pba_01k6b7q0e8f1htx9n3r5p7v2ab')).toEqual({ kind: 'DONE' });
  });
});
