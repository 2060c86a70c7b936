import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPaymentBatchActivities } from '../../../activities/payments/payment-batches.ts';
import { newId } from '../../../src/db/client/new-id.ts';
import type { LimitDecision } from '../../../src/db/payments/payment-limit-store.ts';
import { passLimits } from '../../../src/modules/payments/limits/pass-limits.ts';
import { withLockedPayment } from '../../../src/modules/payments/lock-payment.ts';
import { decidePayment } from '../../../src/modules/payments/limits/decide-payment.ts';
import { fund, publishRates, quote } from '../../support/quoted-harness.ts';
import { NEVER_SEEN, says } from '../../support/payments/scripted-bank.ts';
import {
  startScriptedHarness,
  type ScriptedHarness,
  type Told,
} from '../../support/payments/settlement-harness.ts';
import { addApiKey } from '../../support/test-customer.ts';

const DAY_MS = 24 * 3_600_000;
const WAITS = 'ON_HOLD/CUSTOMER_APPROVAL';
const AUTHOR = 'usr_01k6b7q0e8f1htx9n3r5p7v2aa';
const OTHER = 'usr_01k6b7q0e8f1htx9n3r5p7v2ab';

let harness: ScriptedHarness;
beforeEach(async () => {
  harness = await startScriptedHarness();
  harness.bank.onPut = says('SETTLED');
  harness.bank.onGet = () => NEVER_SEEN;
});
afterEach(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

interface Limit {
  readonly key?: string | null;
  readonly currency?: string;
  readonly perPayment?: number | null;
  readonly perDay?: number | null;
  readonly allowedOnly?: boolean;
}

/** In minor units, as the dashboard sets it. */
async function limit(given: Limit): Promise<void> {
  const { customerId, environment } = harness.scope;
  const { key = null, currency = 'EUR', perPayment = null, perDay = null } = given;
  await harness.rows(
    `INSERT INTO payment_limits (id, customer_id, environment, api_key_id, currency, per_payment, per_day,
       allowed_beneficiaries_only, set_by, set_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'user:usr_1', now())
     ON CONFLICT (customer_id, environment, api_key_id, currency)
       DO UPDATE SET per_payment = excluded.per_payment, per_day = excluded.per_day`,
    [
      ...[newId('lim'), customerId, environment, key, currency, perPayment, perDay],
      given.allowedOnly ?? false,
    ],
  );
}

/** A second key of the customer, or one that a user made. */
async function addKey(createdBy: string | null = null) {
  const { customerId, environment } = harness.scope;
  const key = await harness.database.db.system((tx) =>
    addApiKey(tx, harness.vault, { customerId, environment }),
  );
  if (createdBy !== null) {
    await harness.rows('ALTER TABLE api_keys DISABLE TRIGGER guard_api_key');
    await harness.rows('UPDATE api_keys SET created_by = $2 WHERE id = $1', [
      key.id,
      `user:${createdBy}`,
    ]);
    await harness.rows('ALTER TABLE api_keys ENABLE TRIGGER guard_api_key');
    await harness.rows(
      `INSERT INTO audit_log (at, actor, action, customer_id, environment, subject, details)
       SELECT created_at, created_by, 'api_key.created', customer_id, environment, id, '{}'
       FROM api_keys WHERE id = $1`,
      [key.id],
    );
  }
  return key;
}

async function acceptBy(token: string, overrides: object = {}): Promise<string> {
  const answer = await harness.pay(harness.order(overrides), randomUUID(), token);
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<{ id: string }>().id;
}

const isWaiting = ({ story }: Told): boolean => story.at(-1) === WAITS;
const drive = async (id: string) => (await harness.drive(id, isWaiting)).story.at(-1);
const accept = (amount: string, overrides: object = {}) => harness.accept({ amount, ...overrides });

const decide = (id: string, decision: LimitDecision, userId = OTHER) =>
  harness.database.people.write(harness.scope, (tx) =>
    decidePayment(harness.deps, tx, harness.scope, {
      ...{ paymentId: id, decision, user: { kind: 'USER', id: userId } },
      requireVersion: () => undefined,
    }),
  );

const counted = async (key = '') => {
  const rows = await harness.rows<{ amount: string }>(
    'SELECT amount::text FROM payment_limit_days WHERE api_key_id = $1 ORDER BY day',
    [key],
  );
  return rows.map(({ amount }) => amount);
};

describe('a customer without limits', () => {
  it('pays as before, and nothing is counted', async () => {
    expect(await drive(await accept('900000.00'))).toBe('COMPLETED/DELIVERED');
    expect(await counted()).toEqual([]);
    expect(await harness.rows('SELECT payment_id FROM payment_limit_checks')).toEqual([]);
  });
});

describe('a limit of a customer', () => {
  it('lets go what is within it, and holds what is over it with its funds reserved', async () => {
    await limit({ perPayment: 10_000 });
    expect(await drive(await accept('100.00'))).toBe('COMPLETED/DELIVERED');
    expect(await drive(await accept('100.01'))).toBe(WAITS);
    expect(await harness.balance()).toMatchObject({ reserved: '10001' });
    expect(await counted()).toEqual(['10000']);
  });

  it('of a day lets two payments at once pass only if both are within it', async () => {
    await limit({ perDay: 10_000 });
    const ids = [await accept('60.00'), await accept('60.00')];
    await Promise.all(ids.map((id) => harness.settle(id)));
    const ends = await Promise.all(ids.map((id) => drive(id)));
    expect(ends.sort()).toEqual(['COMPLETED/DELIVERED', WAITS]);
    expect(await counted()).toEqual(['6000']);
  });

  it('of a day lets a payment wait for the count of one that is being claimed', async () => {
    await limit({ perDay: 10_000 });
    const [one, other] = [await accept('60.00'), await accept('60.00')];
    const pass = (id: string, before: () => Promise<void> = async () => undefined) =>
      withLockedPayment(harness.deps, harness.scope, id, async (locked) => {
        const mayGo = await passLimits(locked);
        await before();
        return mayGo;
      });
    let second: Promise<boolean> | undefined;
    const first = await pass(one, async () => {
      second = pass(other);
      await expect
        .poll(async () => {
          const [row] = await harness.rows<{ n: number }>(
            `SELECT count(*)::integer AS n FROM pg_stat_activity
             WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          );
          return row?.n;
        })
        .toBe(1);
    });
    expect([first, await second]).toEqual([true, false]);
    expect(await counted()).toEqual(['6000']);
  });

  it('of a day is over for the rest of the day, and not on the next one', async () => {
    await limit({ perDay: 10_000 });
    for (let nth = 0; nth < 10; nth += 1) {
      expect(await drive(await accept('10.00'))).toBe('COMPLETED/DELIVERED');
    }
    const over = await accept('0.02');
    expect(await drive(over)).toBe(WAITS);
    harness.clock.advance(DAY_MS);
    expect(await drive(await accept('100.00'))).toBe('COMPLETED/DELIVERED');
    // What waits is not let go by a new day: a stolen key would pay a day's amount on each day.
    expect((await harness.settle(over)).kind).toBe('WAIT');
    expect((await harness.tell(over)).story.at(-1)).toBe(WAITS);
  });

  it('counts a payment once, however often it is looked at and sent', async () => {
    await limit({ perDay: 10_000 });
    harness.bank.onPut = says('REJECTED', 'BANK_UNAVAILABLE');
    harness.bank.onGet = says('REJECTED', 'BANK_UNAVAILABLE');
    const id = await accept('60.00');
    await harness.drive(id, ({ attempts }) => attempts.length > 1);
    expect(await counted()).toEqual(['6000']);
  });

  it('is not lifted by removing it while a payment waits', async () => {
    await limit({ perPayment: 1_000 });
    const id = await accept('60.00');
    expect(await drive(id)).toBe(WAITS);
    await harness.rows('DELETE FROM payment_limits');
    await harness.settle(id);
    expect((await harness.tell(id)).story.at(-1)).toBe(WAITS);
    expect(await drive(await accept('60.00'))).toBe('COMPLETED/DELIVERED');
  });

  it('holds what was accepted before it was set, and not what was sent', async () => {
    const queued = await accept('60.00');
    harness.bank.onPut = says('ACCEPTED');
    const sent = await accept('60.00');
    await harness.settle(sent);
    await limit({ perPayment: 1_000 });
    expect(await drive(queued)).toBe(WAITS);
    harness.bank.onGet = says('SETTLED');
    expect((await harness.drive(sent)).story.at(-1)).toBe('COMPLETED/DELIVERED');
  });

  it('ends after 7 days as FAILED, with the funds back', async () => {
    await limit({ perPayment: 1_000 });
    const id = await accept('60.00');
    expect(await drive(id)).toBe(WAITS);
    harness.clock.advance(7 * DAY_MS);
    const { payment } = await harness.drive(id);
    expect(payment).toMatchObject({
      ...{ status: 'FAILED', statusDetail: 'APPROVAL_EXPIRED', fundsStatus: 'BACK_IN_BALANCE' },
      failure: { code: 'approval_expired', category: 'CUSTOMER' },
    });
    expect(await harness.balance()).toMatchObject({ reserved: '0' });
    expect(await decide(id, 'APPROVED')).toBe('NOT_WAITING');
  });
});

describe('a limit of an API key', () => {
  it('holds payments of that key alone, and that of the customer counts all', async () => {
    const [one, other] = [await addKey(), await addKey()];
    await limit({ key: one.id, perDay: 5_000 });
    await limit({ perDay: 20_000 });
    expect(await drive(await acceptBy(one.token, { amount: '50.00' }))).toBe('COMPLETED/DELIVERED');
    expect(await drive(await acceptBy(one.token, { amount: '0.02' }))).toBe(WAITS);
    expect(await drive(await acceptBy(other.token, { amount: '150.00' }))).toBe(
      'COMPLETED/DELIVERED',
    );
    expect(await drive(await acceptBy(other.token, { amount: '0.02' }))).toBe(WAITS);
    expect([await counted(one.id), await counted(other.id), await counted()]).toEqual([
      ['5000'],
      ['15000'],
      ['20000'],
    ]);
  });
});

describe('the decision of a user', () => {
  it('lets an approved payment go on, and counts it on that day', async () => {
    await limit({ perDay: 10_000 });
    const id = await accept('150.00');
    expect(await drive(id)).toBe(WAITS);
    harness.clock.advance(DAY_MS);
    expect(await decide(id, 'APPROVED')).toBe('DONE');
    const { story } = await harness.drive(id);
    expect(story.slice(-3)).toEqual([WAITS, 'PROCESSING/QUEUED', 'COMPLETED/DELIVERED']);
    expect(await counted()).toEqual(['0', '15000']);
    expect(await drive(await accept('0.02'))).toBe(WAITS);
  });

  it('cancels a declined payment, with its funds back', async () => {
    await limit({ perPayment: 1_000 });
    const id = await accept('60.00');
    await drive(id);
    expect(await decide(id, 'DECLINED')).toBe('DONE');
    expect((await harness.tell(id)).payment).toMatchObject({
      ...{ status: 'CANCELED', fundsStatus: 'BACK_IN_BALANCE' },
    });
    expect(await harness.balance()).toMatchObject({ reserved: '0' });
    expect(await decide(id, 'APPROVED')).toBe('NOT_WAITING');
  });

  it('is not to approve for the user who made the key; the database refuses it too', async () => {
    const key = await addKey(AUTHOR);
    await limit({ perPayment: 1_000 });
    const id = await acceptBy(key.token, { amount: '60.00' });
    await drive(id);
    expect(await decide(id, 'APPROVED', AUTHOR)).toBe('OWN_KEY');
    await expect(
      harness.rows(
        `UPDATE payment_limit_checks SET decision = 'APPROVED', decided_by = $2, decided_at = now()
         WHERE payment_id = $1`,
        [id, `user:${AUTHOR}`],
      ),
    ).rejects.toMatchObject({ constraint: 'approved_by_another_user' });
    expect(await decide(id, 'APPROVED', OTHER)).toBe('DONE');
    expect((await harness.drive(id)).story.at(-1)).toBe('COMPLETED/DELIVERED');
  });

  it('comes once: of two at once one is told that nothing waits', async () => {
    await limit({ perPayment: 1_000 });
    const id = await accept('60.00');
    await drive(id);
    const outcomes = await Promise.all([decide(id, 'APPROVED'), decide(id, 'DECLINED')]);
    expect(outcomes.sort()).toEqual(['DONE', 'NOT_WAITING']);
  });

  it('finds nothing that waits once the API canceled the payment', async () => {
    await limit({ perPayment: 1_000 });
    const id = await accept('60.00');
    await drive(id);
    const answer = await harness.ask({
      ...{ method: 'POST', url: `/payments/${id}/cancel`, key: randomUUID() },
    });
    expect(answer.json()).toMatchObject({ status: 'CANCELED' });
    expect(await decide(id, 'APPROVED')).toBe('NOT_WAITING');
    expect(await counted()).toEqual(['0']);
  });

  it('is not taken from API or worker: their login has no right to write one', async () => {
    await limit({ perPayment: 1_000 });
    const id = await accept('60.00');
    await drive(id);
    const write = (sql: string) =>
      harness.database.db.write(harness.scope, (tx) => tx.query(sql, [id]));
    for (const sql of [
      `UPDATE payment_limit_checks SET decision = 'APPROVED', decided_by = 'user:usr_1', decided_at = now()
       WHERE payment_id = $1`,
      `DELETE FROM payment_limit_checks WHERE payment_id = $1`,
      `UPDATE payment_limits SET per_payment = NULL WHERE $1 <> ''`,
      `DELETE FROM payment_limits WHERE $1 <> ''`,
      `INSERT INTO allowed_beneficiaries SELECT customer_id, environment, bank_account_id, 'user:usr_1', now()
       FROM payments WHERE id = $1`,
      `UPDATE customers SET has_payment_limits = false WHERE $1 <> ''`,
    ]) {
      await expect(write(sql), sql).rejects.toMatchObject({ code: '42501' });
    }
  });
});

describe('a stolen key', () => {
  it('pays no other account where only allowed beneficiaries are paid without approval', async () => {
    await limit({ allowedOnly: true });
    expect(await drive(await accept('1.00'))).toBe(WAITS);
    const { customerId, environment } = harness.scope;
    await harness.rows(
      `INSERT INTO allowed_beneficiaries VALUES ($1, $2, $3, 'user:usr_1', now())`,
      [...[customerId, environment, harness.payer.bankAccountId]],
    );
    expect(await drive(await accept('1.00'))).toBe('COMPLETED/DELIVERED');
  });

  it('pays from no other currency than those with a limit', async () => {
    await publishRates(harness);
    await fund(harness, harness.scope, 'USD', 1_000_000n);
    await limit({ perPayment: 10_000 });
    expect(await drive(await accept('1.00', { sourceCurrency: 'USD' }))).toBe(WAITS);
    await limit({ currency: 'USD' });
    expect(await drive(await accept('1.00', { sourceCurrency: 'USD' }))).toBe(
      'COMPLETED/DELIVERED',
    );
  });

  it('is counted by the most that a payment may cost', async () => {
    await publishRates(harness);
    await fund(harness, harness.scope, 'USD', 1_000_000n);
    await limit({ currency: 'USD', perPayment: 1_150 });
    const { id: quoteId, targetAmount: amount } = await quote(harness, { lockFor: '1m' });
    const source = { sourceCurrency: 'USD', onQuoteExpiry: 'REQUOTE', maxSourceAmount: '12.00' };
    expect(await drive(await accept(amount, { quoteId, ...source }))).toBe(WAITS);
    const next = await quote(harness, { lockFor: '1m' });
    expect(await drive(await accept(next.targetAmount, { quoteId: next.id }))).toBe(
      'COMPLETED/DELIVERED',
    );
  });

  it('is counted when a payment for a later day leaves', async () => {
    await limit({ perDay: 10_000 });
    const scheduledFor = new Date(harness.clock.now().getTime() + 7 * DAY_MS)
      .toISOString()
      .slice(0, 10);
    const ids = [await accept('60.00', { scheduledFor }), await accept('60.00', { scheduledFor })];
    const ends = [];
    for (const id of ids) ends.push(await drive(id));
    expect(ends).toEqual(['COMPLETED/DELIVERED', WAITS]);
  });

  it('is held for items of a batch, and for many small payments', async () => {
    const key = await addKey();
    await limit({ key: key.id, perDay: 2_500 });
    const items = ['a', 'b', 'c', 'd'].map((name) => ({
      idempotencyKey: `${name}-${randomUUID()}`,
      ...harness.order({ amount: '10.00' }),
    }));
    const answer = await harness.ask({
      ...{ method: 'POST', url: '/payment-batches', body: { items }, token: key.token },
    });
    expect(answer.statusCode, answer.body).toBe(201);
    const { id: batchId } = answer.json<{ id: string }>();
    const { deps, vault, clock } = harness;
    const { judgeBatch } = createPaymentBatchActivities({
      ...{ db: harness.database.db, vault, clock, corridors: deps.corridors },
      ...{ encoderFor: deps.encoderFor, networks: deps.networks, settings: deps.settings },
      workflows: { startPayment: () => Promise.resolve() },
      onFault: (_about, error) => {
        throw error;
      },
    });
    await judgeBatch({ ...harness.scope, batchId, after: -1 });
    const paid = await harness.rows<{ id: string }>('SELECT id FROM payments ORDER BY id');
    expect(paid).toHaveLength(4);
    await Promise.all(paid.map(({ id }) => harness.settle(id)));
    const ends = [];
    for (const { id } of paid) ends.push(await drive(id));
    expect(ends.sort()).toEqual([
      ...['COMPLETED/DELIVERED', 'COMPLETED/DELIVERED'],
      ...[WAITS, WAITS],
    ]);
    expect(await counted(key.id)).toEqual(['2000']);
  });

  it('has no route that changes a limit or decides a payment', async () => {
    const answer = await harness.app.inject({ method: 'GET', url: '/api/v1/openapi.json' });
    expect(answer.statusCode).toBe(200);
    const paths = Object.keys(answer.json<{ paths: object }>().paths);
    expect(paths.length).toBeGreaterThan(20);
    expect(paths.filter((path) => /limit|approv|declin|beneficiar/.test(path))).toEqual([]);
  });
});
