import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpLogger } from '../../../src/api/logger.ts';
import { requestMac } from '../../../src/modules/idempotency/request-mac.ts';
import { hashOfKey, keyOfWitness } from '../../../src/modules/payments/closed-key-witness.ts';
import { tryLockKeys } from '../../../src/db/idempotency/idempotency-store.ts';
import {
  createBatchHarness,
  type BatchHarness,
} from '../../support/payments/batches/batch-harness.ts';
import { addCustomer } from '../../support/test-customer.ts';

const DAY_MS = 24 * 3_600_000;

const lines: string[] = [];
let harness: BatchHarness;
beforeAll(async () => {
  const logger = createHttpLogger('info', { write: (line) => void lines.push(line) });
  harness = await createBatchHarness({ logger });
});
afterAll(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

const close = (idempotencyKey: string, token?: string) =>
  harness.ask({
    ...{ method: 'POST', url: '/idempotency-keys/close', body: { idempotencyKey } },
    ...(token === undefined ? {} : { token }),
  });

async function expectClosed(key: string, token?: string): Promise<void> {
  const answer = await close(key, token);
  expect(answer.statusCode, answer.body).toBe(200);
  expect(answer.json()).toEqual({ state: 'CLOSED' });
}

async function expectRefused(answer: ReturnType<BatchHarness['ask']>): Promise<void> {
  const { statusCode, body } = await answer;
  expect([statusCode, (JSON.parse(body) as { error: string }).error], body).toEqual([
    409,
    'idempotency_key_closed',
  ]);
}

const countPayments = async (key: string) =>
  (await harness.rows('SELECT FROM payments WHERE idempotency_key = $1', [key])).length;

const audited = (key: string) =>
  harness.rows<{ actor: string }>(
    `SELECT actor FROM audit_log WHERE action = 'idempotency_key.close' AND subject = $1`,
    [hashOfKey(harness.vault, harness.scope, key)],
  );

/** The witnesses that the log has of a key. */
const witnessesOf = (key: string) =>
  lines
    .filter((line) => line.includes(hashOfKey(harness.vault, harness.scope, key)))
    .map((line) => JSON.parse(line) as Parameters<typeof keyOfWitness>[1]);

describe('a closed key', () => {
  it('refuses every later POST, whatever its path and body, and stays closed for ever', async () => {
    await expectClosed('unused');
    const before = await harness.balance();
    await expectRefused(harness.pay(harness.order(), 'unused'));
    await expectRefused(harness.pay(harness.order({ amount: '10.01' }), 'unused'));
    await expectRefused(
      harness.ask({ method: 'POST', url: '/end-users', body: PERSON, key: 'unused' }),
    );
    await expectRefused(harness.send([harness.item('of its batch')], { key: 'unused' }));
    harness.clock.advance(40 * DAY_MS);
    await harness.database.db.system((tx) =>
      tx.query('DELETE FROM idempotency_keys WHERE expires_at <= $1', [harness.clock.now()]),
    );
    await expectRefused(harness.pay(harness.order(), 'unused'));
    expect(await harness.balance()).toEqual(before);
    expect(await countPayments('unused')).toBe(0);
  });

  it('is closed once: closing it again answers the same, is audited once, and witnessed each time', async () => {
    await expectClosed('twice');
    await expectClosed('twice');
    expect(await audited('twice')).toHaveLength(1);
    const witnesses = witnessesOf('twice');
    expect(witnesses).toHaveLength(2);
    for (const { customerId, environment, keyHash, sealedKey } of witnesses) {
      const witness = { customerId, environment, keyHash, sealedKey };
      expect(keyOfWitness(harness.vault, witness)).toBe('twice');
    }
  });

  it('is in neither log nor audit as it was sent', async () => {
    await expectClosed('ada-sample-salary');
    expect(lines.join('')).not.toContain('ada-sample');
    const entries = await harness.rows('SELECT * FROM audit_log');
    expect(JSON.stringify(entries)).not.toContain('ada-sample');
  });

  it('may be one that a refused request left free', async () => {
    const refused = await harness.pay(harness.order({ amount: '999999999' }), 'refused');
    expect(refused.statusCode).toBe(422);
    await expectClosed('refused');
    await expectRefused(harness.pay(harness.order(), 'refused'));
  });

  it('refuses the pending item of a batch, and the other items are paid', async () => {
    const { id } = await harness.take([harness.item('item closed'), harness.item('item open')]);
    await expectClosed('item closed');
    const done = await harness.finish(id);
    expect(done.counts).toEqual({ total: 2, pending: 0, accepted: 1, refused: 1 });
    const [closed] = await harness.items(id);
    expect(closed).toMatchObject({ state: 'REFUSED', error: { error: 'idempotency_key_closed' } });
    await expectClosed('item closed');
  });

  it('cannot be opened, changed or forgotten by any role', async () => {
    await expectClosed('kept');
    for (const change of [
      'UPDATE idempotency_keys SET closed = false',
      `UPDATE idempotency_keys SET expires_at = '2020-01-01T00:00:00Z'`,
      'DELETE FROM idempotency_keys',
    ]) {
      await expect(harness.rows(`${change} WHERE key = 'kept'`)).rejects.toThrow(/stays closed/);
    }
  });

  it('is bound to a request of nobody in the eyes of the release before, which refuses its POSTs', async () => {
    await expectClosed('seen by the release before');
    const [row] = await harness.rows<{ mac: Buffer; expires_at: Date | null; end_user_id: null }>(
      'SELECT request_mac AS mac, expires_at, end_user_id FROM idempotency_keys WHERE key = $1',
      ['seen by the release before'],
    );
    expect(row).toMatchObject({ expires_at: null, end_user_id: null });
    // That release compares this hash with a request's, and answers idempotency_key_mismatch where they differ.
    const mac = row?.mac ?? Buffer.alloc(32);
    expect(mac.equals(requestMac(harness.vault, Buffer.alloc(0)))).toBe(false);
    expect(mac).toHaveLength(0);
  });
});

const PERSON = { type: 'INDIVIDUAL', individual: { firstName: 'Ada', lastName: 'Sample' } };

describe('a key that is used', () => {
  it('answers its payment as it is now, and stays as it is', async () => {
    const made = await harness.pay(harness.order(), 'paid');
    const { id } = made.json<{ id: string }>();
    await harness.ask({ method: 'POST', url: `/payments/${id}/cancel`, body: {} });
    const answer = await close('paid');
    expect(answer.statusCode).toBe(200);
    const current = await harness.ask({ url: `/payments/${id}` });
    expect(answer.json()).toEqual({ state: 'PAYMENT', payment: current.json() });
    expect(answer.json()).toMatchObject({ payment: { status: 'CANCELED' } });
    expect((await harness.pay(harness.order(), 'paid')).body).toBe(made.body);
    expect(await audited('paid')).toEqual([]);
    expect(witnessesOf('paid')).toEqual([]);
  });

  it('answers the payment of a batch item', async () => {
    const { id } = await harness.take([harness.item('paid by a batch')]);
    await harness.finish(id);
    const [item] = await harness.items(id);
    expect((await close('paid by a batch')).json()).toMatchObject({
      ...{ state: 'PAYMENT', payment: { id: item?.paymentId } },
    });
  });

  it('of another resource says so for 30 days, and can be closed afterwards', async () => {
    const post = () =>
      harness.ask({ method: 'POST', url: '/end-users', body: PERSON, key: 'a person' });
    expect((await post()).statusCode).toBe(201);
    expect((await close('a person')).json()).toEqual({ state: 'OTHER_RESOURCE' });
    expect((await post()).headers['idempotent-replayed']).toBe('true');
    harness.clock.advance(31 * DAY_MS);
    await expectClosed('a person');
    await expectRefused(post());
  });

  it('by a request that still runs is told nothing of, and closed once that is gone', async () => {
    await harness.database.db.write(harness.scope, async (tx) => {
      await tryLockKeys(tx, harness.scope, ['running']);
      const answer = await close('running');
      expect(answer.statusCode).toBe(409);
      expect(answer.headers['retry-after']).toBe('1');
      expect(answer.json()).toMatchObject({ error: 'idempotency_key_in_progress', details: [] });
      expect(answer.json()).not.toHaveProperty('state');
    });
    await expectClosed('running');
  });

  it('whose row is lost, but not its payment, is never closed', async () => {
    const made = await harness.pay(harness.order(), 'row lost');
    await harness.rows(`CREATE TEMPORARY TABLE kept AS SELECT * FROM idempotency_keys
      WHERE key = 'row lost'; DELETE FROM idempotency_keys WHERE key = 'row lost'`);
    const answer = await close('row lost');
    await harness.rows('INSERT INTO idempotency_keys SELECT * FROM kept');
    expect(answer.json()).toMatchObject({
      ...{ state: 'PAYMENT', payment: { id: made.json<{ id: string }>().id } },
    });
  });
});

describe('a key is closed exactly as it is named', () => {
  it('not in another spelling, environment, or of another customer', async () => {
    const { customerId } = harness.scope;
    const live = await harness.addPayer({ customerId, environment: 'live' });
    const other = await harness.addPayer({
      customerId: await harness.database.db.system((tx) => addCustomer(tx)),
      environment: 'test',
    });
    await expectClosed('Invoice 1');
    for (const key of ['invoice 1', 'Invoice  1', 'Invoice 1/']) {
      expect((await harness.pay(harness.order(), key)).statusCode, key).toBe(201);
    }
    for (const { token, ...payer } of [live, other]) {
      const { endUserId, bankAccountId } = payer;
      const body = harness.order({ endUserId, bankAccountId });
      expect((await harness.pay(body, 'Invoice 1', token)).statusCode).toBe(201);
      const told = await close('Invoice 1', token);
      expect(told.json()).toMatchObject({ state: 'PAYMENT', payment: { endUserId } });
    }
    await expectRefused(harness.pay(harness.order(), 'Invoice 1'));
  });

  it.each([
    ['one of 255 characters', '~'.repeat(255)],
    ['one of quotes, wildcards and braces', `'"%_\\{}$1;--`],
    ['one that looks like the id of another table', 'idempotency_keys/cus_1/live/x'],
  ])('%s', async (_what, key) => {
    await expectClosed(key);
    await expectRefused(harness.pay(harness.order(), key));
  });

  it.each([
    ['none', {}, 'idempotency_key_required'],
    ['an empty one', { idempotencyKey: '' }, 'invalid_idempotency_key'],
    ['one of 256 characters', { idempotencyKey: 'k'.repeat(256) }, 'invalid_idempotency_key'],
    ['one that is not ASCII', { idempotencyKey: 'deposit·dep_1' }, 'invalid_idempotency_key'],
    [
      'one behind a space, which HTTP would have removed from a header',
      { idempotencyKey: ' a' },
      'invalid_idempotency_key',
    ],
    ['one before a space', { idempotencyKey: 'a ' }, 'invalid_idempotency_key'],
    ['one with a line break', { idempotencyKey: 'a\n' }, 'invalid_idempotency_key'],
    ['a number', { idempotencyKey: 4711 }, 'validation_failed'],
    ['a list', { idempotencyKey: ['a'] }, 'validation_failed'],
    ['a field more', { idempotencyKey: 'extra', state: 'CLOSED' }, 'validation_failed'],
  ])('%s is a 400 and closes nothing', async (_what, body, error) => {
    const before = await harness.rows('SELECT FROM idempotency_keys WHERE closed');
    const answer = await harness.ask({ method: 'POST', url: '/idempotency-keys/close', body });
    expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([400, error]);
    expect(await harness.rows('SELECT FROM idempotency_keys WHERE closed')).toHaveLength(
      before.length,
    );
  });

  it('and its own Idempotency-Key header is ignored, even where it names the same key', async () => {
    const body = { idempotencyKey: 'in both places' };
    const url = '/idempotency-keys/close';
    const answer = await harness.ask({ method: 'POST', url, body, key: 'in both places' });
    expect(answer.json()).toEqual({ state: 'CLOSED' });
    const again = await harness.ask({ method: 'POST', url, body, key: 'unused' });
    expect(again.json()).toEqual({ state: 'CLOSED' });
  });
});

describe('in restore mode', () => {
  it('no free key is closed: the bank may have executed a payment that the database has lost', async () => {
    await expectClosed('closed before');
    const made = await harness.pay(harness.order(), 'paid before');
    await harness.rows(
      `INSERT INTO restore_mode (reason, begun_by, begun_at) VALUES ('test', 'operator:ada', now())`,
    );
    try {
      const answer = await close('lost');
      expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '300']);
      await expectClosed('closed before');
      expect((await close('paid before')).json()).toMatchObject({
        payment: { id: made.json<{ id: string }>().id },
      });
    } finally {
      await harness.rows(
        `UPDATE restore_mode SET ended_by = 'operator:ada', ended_at = now(), end_reason = 'test'`,
      );
    }
    await expectClosed('lost');
  });
});
