import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertDepositAddress } from '../../../src/db/parties/deposit-address-store.ts';
import { newId } from '../../../src/db/client/new-id.ts';
import { beginRestoreMode, endRestoreMode } from '../../../src/db/operations/restore-mode-store.ts';
import {
  ADDRESSES_MAX,
  ADDRESSES_OF_END_USER_MAX,
  ADDRESSES_WATCHED_MAX,
} from '../../../src/modules/parties/deposit-addresses/require-room.ts';
import { addRecipient } from '../../support/add-recipient.ts';
import {
  createPaymentHarness,
  type PaymentHarness,
  type Payer,
} from '../../support/payment-harness.ts';
import { someAddress } from '../../support/sample-networks.ts';
import { addCustomer } from '../../support/test-customer.ts';

let harness: PaymentHarness;
beforeAll(async () => {
  harness = await createPaymentHarness();
});
afterAll(() => harness.close());

const add = (body: object, by: { token?: string } = {}) =>
  harness.ask({ method: 'POST', url: '/deposit-addresses', body, ...by });
const disable = (id: string) =>
  harness.ask({ method: 'POST', url: `/deposit-addresses/${id}/disable` });

type Answer = Awaited<ReturnType<typeof add>>;

/** As a client does: what is 503 is sent again. */
async function addInTheEnd(body: object, by: { token?: string }): Promise<Answer> {
  for (;;) {
    const answer = await add(body, by);
    if (answer.statusCode !== 503) return answer;
  }
}

const addAtOnce = (body: object, token?: string) =>
  Promise.all([1, 2, 3].map(() => addInTheEnd(body, token === undefined ? {} : { token })));

async function addOther(): Promise<Payer> {
  const customerId = await harness.database.db.system((tx) => addCustomer(tx));
  return harness.addPayer({ customerId, environment: 'test' });
}

/** Runs statements by hand: no rule is asked. */
async function byHand(sql: string, values: readonly unknown[]): Promise<void> {
  const client = new pg.Client({ connectionString: harness.database.url });
  await client.connect();
  try {
    await client.query('SET session_replication_role = replica');
    await client.query(sql, [...values]);
  } finally {
    await client.end();
  }
}

const fill = (
  { scope }: Payer,
  endUserId: string | null,
  count: number,
  status: 'ACTIVE' | 'DISABLED' = 'ACTIVE',
) =>
  byHand(
    `INSERT INTO deposit_addresses (id, customer_id, environment, end_user_id, min_amount, address,
       status, created_at, updated_at)
     SELECT 'da_' || gen_random_uuid(), $1, $2, $3, 0, '0x' || encode(sha256(random()::text::bytea), 'hex')::char(40),
       $5, $6, $6 FROM generate_series(1, $4::integer)`,
    [scope.customerId, scope.environment, endUserId, count, status, harness.clock.now()],
  );

/** Stores one more, whatever the API would say. */
const store = ({ scope }: Payer) =>
  harness.database.db.write(scope, (tx) =>
    insertDepositAddress(
      tx,
      scope,
      {
        ...{ id: newId('da'), address: someAddress(), minAmount: 0n },
        ...{ endUserId: null, bankAccountId: null, walletId: null },
      },
      harness.clock.now(),
    ),
  );
const refusedByDatabase = { constraint: 'deposit_addresses_at_most' };

describe('the deposit addresses in use', () => {
  const inUse = async ({ scope }: Payer, endUserId: string | null) =>
    (
      await harness.rows(
        `SELECT FROM deposit_addresses WHERE customer_id = $1 AND environment = $2 AND status = 'ACTIVE'
           AND ($3::text IS NULL OR end_user_id = $3)`,
        [scope.customerId, scope.environment, endUserId],
      )
    ).length;

  it('of an end-user are fifty at the most, also when some ask at once for the last place', async () => {
    const { endUserId } = await addRecipient(harness);
    await fill(harness.payer, endUserId, ADDRESSES_OF_END_USER_MAX - 1);
    const answers = await addAtOnce({ endUserId });
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409]);
    expect(answers.find(({ statusCode }) => statusCode === 409)?.json()).toMatchObject({
      ...{ error: 'limit_reached', details: [{ path: '/endUserId', code: 'limit_reached' }] },
    });
    expect(await inUse(harness.payer, endUserId)).toBe(ADDRESSES_OF_END_USER_MAX);
    expect((await add({ endUserId: harness.payer.endUserId })).statusCode).toBe(201);
    const made = answers.find(({ statusCode }) => statusCode === 201)?.json<{ id: string }>();
    expect((await disable(made?.id ?? '')).statusCode).toBe(200);
    expect((await add({ endUserId })).statusCode).toBe(201);
  });

  it('of a customer are ten thousand at the most, and the database itself refuses one more', async () => {
    const payer = await addOther();
    await fill(payer, null, ADDRESSES_MAX - 1);
    const answers = await addAtOnce({}, payer.token);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409]);
    expect(await inUse(payer, null)).toBe(ADDRESSES_MAX);
    await expect(store(payer)).rejects.toMatchObject(refusedByDatabase);
    expect((await add({})).statusCode).toBe(201);
  });
});

describe('the deposit addresses that are looked at', () => {
  it('are twenty thousand of a customer at the most, those disabled within 30 days included', async () => {
    const payer = await addOther();
    await fill(payer, null, ADDRESSES_WATCHED_MAX - 1, 'DISABLED');
    const answers = await addAtOnce({}, payer.token);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409]);
    expect(answers.find(({ statusCode }) => statusCode === 409)?.json()).toMatchObject({
      error: 'limit_reached',
    });
    await expect(store(payer)).rejects.toMatchObject(refusedByDatabase);
    await byHand(
      `UPDATE deposit_addresses SET updated_at = updated_at - interval '721 hours'
       WHERE customer_id = $1 AND status = 'DISABLED'`,
      [payer.scope.customerId],
    );
    expect((await addInTheEnd({}, { token: payer.token })).statusCode).toBe(201);
    await expect(store(payer)).resolves.toMatchObject({ status: 'ACTIVE' });
  });

  it('are given back after a loss of data, beyond what may be in use, and not without end', async () => {
    const payer = await addOther();
    const { token } = payer;
    await fill(payer, null, ADDRESSES_MAX);
    await fill(payer, payer.endUserId, ADDRESSES_OF_END_USER_MAX);
    const act = {
      ...{ actor: { kind: 'OPERATOR', name: 'ada' } as const, at: harness.clock.now() },
      reason: 'restored',
    };
    const { db } = harness.database;
    await db.system((tx) => beginRestoreMode(tx, act));
    try {
      const { endUserId } = payer;
      expect((await addInTheEnd({ endUserId }, { token })).statusCode).toBe(201);
      await fill(payer, null, 2 * ADDRESSES_WATCHED_MAX - ADDRESSES_MAX, 'DISABLED');
      expect((await addInTheEnd({}, { token })).statusCode).toBe(409);
      await expect(store(payer)).rejects.toMatchObject(refusedByDatabase);
    } finally {
      await db.system((tx) => endRestoreMode(tx, act));
    }
    expect((await addInTheEnd({}, { token })).statusCode).toBe(409);
    await expect(store(payer)).rejects.toMatchObject(refusedByDatabase);
  });
});

describe('addresses of one customer that are made at once', () => {
  it('wait for one another for a moment only, and can be asked for again', async () => {
    const payer = await addOther();
    const { customerId, environment } = payer.scope;
    const holder = new pg.Client({ connectionString: harness.database.url });
    await holder.connect();
    try {
      await holder.query(
        `SELECT pg_advisory_lock(hashtextextended('deposit-addresses:' || $1 || ':' || $2, 0))`,
        [customerId, environment],
      );
      const busy = await add({}, { token: payer.token });
      expect([busy.statusCode, busy.headers['retry-after']]).toEqual([503, '1']);
      expect(busy.json()).toMatchObject({
        ...{ error: 'service_unavailable' },
        message:
          'Your earlier writes did not finish in time. Repeat the request with the same Idempotency-Key.',
      });
      expect((await add({})).statusCode).toBe(201);
    } finally {
      await holder.end();
    }
    expect((await addInTheEnd({}, { token: payer.token })).statusCode).toBe(201);
  });
});
