import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { advanceSandboxClock } from '../../../src/db/customers/sandbox-clock-store.ts';
import { localDay } from '../../../src/domain/payments/corridors/banking-days.ts';
import { approveEndUser, revokeApproval } from '../../support/approve-end-user.ts';
import { fund, publishRates, quote } from '../../support/quoted-harness.ts';
import { NEVER_SEEN, says } from '../../support/payments/scripted-bank.ts';
import { resumeRelease, stopRelease } from '../../support/payments/stop-release.ts';
import {
  startScriptedHarness,
  type ScriptedHarness,
} from '../../support/payments/settlement-harness.ts';

/** The clock of the installation stands still: what comes due does so by the sandbox's clock alone. */
let harness: ScriptedHarness;
beforeAll(async () => {
  harness = await startScriptedHarness();
  await publishRates(harness);
  await fund(harness, harness.scope, 'USD', 1_000_000n);
});
beforeEach(async () => {
  harness.bank.calls.length = 0;
  harness.bank.onPut = says('SETTLED');
  harness.bank.onGet = () => NEVER_SEEN;
  await harness.rows('DELETE FROM sandbox_clocks');
});
afterAll(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

const advance = (span: string, by: { key?: string; token?: string } = {}) =>
  harness.ask({ method: 'POST', url: '/sandbox/clock', body: { advance: span }, ...by });
const moved = async (span: string) => {
  // What was made at this moment ends a moment later.
  harness.clock.advance(10);
  const answer = await advance(span);
  expect(answer.statusCode, answer.body).toBe(200);
};
const shown = async (token?: string) =>
  (await harness.ask({ url: '/sandbox/clock', ...(token && { token }) })).json<object>();

const schedule = (days: number) => {
  const sepa = harness.deps.corridors.find('DE', 'EUR', 'SEPA');
  if (sepa === undefined) throw new Error('there is no corridor');
  const scheduledFor = localDay(sepa, harness.clock.now()).add({ days }).toString();
  return harness.accept({ scheduledFor });
};

describe('the clock of the sandbox', () => {
  it('is moved forward, in sum, and shown', async () => {
    expect(await shown()).toEqual({ advancedBy: 'PT0S', remaining: 'P400D', advancedAt: null });
    const advancedAt = harness.clock.now().toISOString();
    const first = await advance('P1DT12H');
    const once = { advancedBy: 'P1DT12H', remaining: 'P398DT12H', advancedAt };
    expect(first.json()).toEqual(once);
    await moved('PT12H');
    const last = harness.clock.now().toISOString();
    expect(await shown()).toEqual({ advancedBy: 'P2D', remaining: 'P398D', advancedAt: last });
  });

  it('moves once for a request that is repeated under its key', async () => {
    const first = await advance('P1D', { key: 'move-1' });
    const again = await advance('P1D', { key: 'move-1' });
    expect(again.json()).toEqual(first.json());
    expect(await shown()).toMatchObject({ advancedBy: 'P1D' });
  });

  it('adds up moves that come at once', async () => {
    await Promise.all(Array.from({ length: 8 }, () => moved('P1D')));
    expect(await shown()).toMatchObject({ advancedBy: 'P8D' });
  });

  it.each(['P1M', 'P1Y', 'PT0S', '-P1D', 'tomorrow', 'P01D'])(
    'refuses %s and names the field',
    async (span) => {
      const answer = await advance(span);
      expect(answer.statusCode, answer.body).toBe(400);
      const { details } = answer.json<{ details: object[] }>();
      expect(details).toMatchObject([{ path: '/advance', code: 'validation_failed' }]);
      expect(await shown()).toMatchObject({ advancedBy: 'PT0S' });
    },
  );

  it('moves by 400 days at most in sum, and by nothing where it would be more', async () => {
    await moved('P399D');
    const id = await schedule(3);
    const before = await harness.tell(id);
    const over = await advance('P1DT1S');
    expect(over.statusCode, over.body).toBe(409);
    expect(over.json()).toMatchObject({ error: 'limit_reached' });
    expect(await harness.tell(id)).toEqual(before);
    await moved('P1D');
    expect(await shown()).toMatchObject({ remaining: 'PT0S' });
    expect((await advance('PT1S')).statusCode).toBe(409);
    expect((await advance('P999999999W')).json()).toMatchObject({ error: 'limit_reached' });
    await harness.ask({ method: 'POST', url: `/payments/${id}/cancel` });
  });

  it('does not exist in live, for the API and for the database', async () => {
    const scope = { ...harness.scope, environment: 'live' } as const;
    const { token } = await harness.addPayer(scope);
    expect((await advance('P1D', { token })).statusCode).toBe(404);
    expect((await harness.ask({ url: '/sandbox/clock', token })).statusCode).toBe(404);
    const inLive = harness.database.db.write(scope, (tx) =>
      advanceSandboxClock(tx, 86_400, harness.clock.now()),
    );
    await expect(inLive).rejects.toMatchObject({ code: '23514' });
  });

  it('lets the role of the application write neither the clock nor a due time by itself', async () => {
    await moved('P1D');
    const id = await schedule(3);
    for (const sql of [
      'UPDATE sandbox_clocks SET advanced_seconds = 1',
      'UPDATE sandbox_clocks SET version = version + 1',
      'DELETE FROM sandbox_clocks',
      "UPDATE payments SET release_at = release_at - interval '1 day'",
      "UPDATE payments SET held_since = now() - interval '1 day'",
    ]) {
      const asApp = harness.database.db.write(harness.scope, (tx) => tx.query(sql));
      await expect(asApp, sql).rejects.toMatchObject({
        code: expect.stringMatching(/42501|23514/),
      });
    }
    await harness.ask({ method: 'POST', url: `/payments/${id}/cancel` });
  });

  it('moves nothing of another customer, nor of live', async () => {
    const live = await harness.addPayer({ ...harness.scope, environment: 'live' });
    const times = () =>
      harness.rows(
        `SELECT id, release_at, updated_at FROM payments WHERE environment = 'live' ORDER BY id`,
      );
    const { endUserId, bankAccountId, token } = live;
    const day = new Date(harness.clock.now().getTime() + 5 * 86_400_000);
    const scheduledFor = day.toISOString().slice(0, 10);
    const accepted = await harness.pay(
      harness.order({ endUserId, bankAccountId, scheduledFor }),
      undefined,
      token,
    );
    expect(accepted.statusCode, accepted.body).toBe(201);
    const before = await times();
    await moved('P400D');
    expect(await times()).toEqual(before);
  });
});

describe('moving the clock of the sandbox', () => {
  it('releases a scheduled payment when its day has come, and not a second before; it is sent once', async () => {
    const id = await schedule(3);
    const { releaseAt } = (await harness.tell(id)).payment;
    const seconds = Math.ceil(((releaseAt?.getTime() ?? 0) - harness.clock.now().getTime()) / 1000);
    await moved(`PT${String(seconds - 1)}S`);
    expect(await harness.settle(id)).toMatchObject({ kind: 'WAIT' });
    expect(harness.bank.puts()).toHaveLength(0);
    await moved('PT1S');
    expect((await harness.drive(id)).payment.status).toBe('COMPLETED');
    expect(harness.bank.puts()).toHaveLength(1);
  });

  it('beside claims of the same payments pays none twice', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, () => schedule(3)));
    const claims = (id: string) =>
      Array.from({ length: 3 }, () => harness.settle(id).catch(() => null));
    const moves = Array.from({ length: 4 }, () => moved('P1D'));
    await Promise.all([...moves, ...ids.flatMap(claims)]);
    for (const id of ids) expect((await harness.drive(id)).payment.status).toBe('COMPLETED');
    const references = harness.bank.puts().map(({ reference }) => reference);
    expect(references).toHaveLength(ids.length);
    expect(new Set(references).size).toBe(ids.length);
  });

  it('ends quotes that nobody used', async () => {
    const { id: quoteId, targetAmount: amount } = await quote(harness, { lockFor: '15m' });
    const status = async () =>
      (await harness.ask({ url: `/quotes/${quoteId}` })).json<{ status: string }>().status;
    await moved('PT14M59S');
    const before = await status();
    await moved('PT1S');
    expect([before, await status()]).toEqual(['ACTIVE', 'EXPIRED']);
    const late = await harness.pay(harness.order({ quoteId, amount }));
    expect(late.body).toContain('quote_expired');
  });

  it('ends the rate of a payment that is held, which fails and is not sent', async () => {
    const { id: quoteId, targetAmount: amount } = await quote(harness);
    await stopRelease(harness);
    const id = await harness.accept({ quoteId, amount });
    expect(await harness.settle(id)).toMatchObject({ kind: 'WAIT' });
    expect((await harness.tell(id)).payment.statusDetail).toBe('RELEASE_STOPPED');
    await moved('PT1H');
    expect((await harness.drive(id)).payment).toMatchObject({
      ...{ status: 'FAILED', statusDetail: 'QUOTE_EXPIRED', fundsStatus: 'BACK_IN_BALANCE' },
    });
    await resumeRelease(harness);
    expect(harness.bank.puts()).toHaveLength(0);
  });

  it('ends the time in which a payment is priced anew', async () => {
    const { id: quoteId, targetAmount: amount } = await quote(harness);
    const maximum = { sourceCurrency: 'USD', onQuoteExpiry: 'REQUOTE', maxSourceAmount: '12.00' };
    const id = await harness.accept({ quoteId, amount, ...maximum });
    await publishRates(harness, { EUR: '0.5' });
    await moved('PT1H');
    expect(await harness.settle(id)).toMatchObject({ kind: 'WAIT' });
    expect((await harness.tell(id)).payment.statusDetail).toBe('AWAITING_RATE');
    await moved('P1D');
    expect((await harness.drive(id)).payment).toMatchObject({
      ...{ status: 'FAILED', statusDetail: 'QUOTE_EXPIRED', fundsStatus: 'BACK_IN_BALANCE' },
    });
    expect(harness.bank.puts()).toHaveLength(0);
    await publishRates(harness);
  });

  it('ends holds after their 30 days', async () => {
    const id = await harness.accept();
    await revokeApproval(harness.database.db, harness.scope, harness.payer, harness.clock.now());
    expect(await harness.settle(id)).toMatchObject({ kind: 'WAIT' });
    await moved('P29DT23H59M59S');
    await harness.settle(id);
    expect((await harness.tell(id)).payment.status).toBe('ON_HOLD');
    await moved('PT1S');
    expect((await harness.drive(id)).payment).toMatchObject({
      ...{ status: 'FAILED', statusDetail: 'KYC_WITHDRAWN', fundsStatus: 'BACK_IN_BALANCE' },
    });
    const { database, scope, payer, clock } = harness;
    await approveEndUser(database.db, scope, payer.endUserId, clock.now());
    expect(harness.bank.puts()).toHaveLength(0);
  });

  it('closes return windows, without a version of the payment', async () => {
    const id = await harness.accept();
    const { payment } = await harness.drive(id);
    expect(payment.finalDueAt?.getTime()).toBeGreaterThan(harness.clock.now().getTime() + 1_000);
    await moved('P10D');
    const finalDueAt = harness.clock.now();
    expect((await harness.tell(id)).payment).toEqual({ ...payment, finalDueAt });
  });

  it('lets KYC approvals end', async () => {
    const { endUserId } = harness.payer;
    const end = new Date(harness.clock.now().getTime() + 10 * 86_400_000);
    await approveEndUser(harness.database.db, harness.scope, endUserId, harness.clock.now(), end);
    const due = () =>
      harness.rows<{ check: Date; user: Date }>(
        `SELECT k.expires_at AS "check", e.kyc_expires_at AS "user"
         FROM kyc_checks k JOIN end_users e ON e.id = k.end_user_id
         WHERE e.id = $1 AND k.round = e.kyc_round`,
        [endUserId],
      );
    await moved('P4D');
    const left = new Date(end.getTime() - 4 * 86_400_000);
    expect(await due()).toEqual([{ check: left, user: left }]);
    await moved('P7D');
    expect(await due()).toEqual([{ check: harness.clock.now(), user: harness.clock.now() }]);
    const late = await harness.pay(harness.order());
    expect(late.statusCode, late.body).toBe(422);
    await approveEndUser(harness.database.db, harness.scope, endUserId, harness.clock.now());
  });

  it('ages idempotency keys, but those of payments, which are bound for ever', async () => {
    const ask = (amount: string) =>
      harness.ask({
        ...{ method: 'POST', url: '/quotes', key: 'aged' },
        body: { sourceCurrency: 'USD', targetCurrency: 'EUR', targetAmount: amount, lockFor: '1m' },
      });
    expect((await ask('10.00')).statusCode).toBe(201);
    expect((await harness.pay(harness.order(), 'for-ever')).statusCode).toBe(201);
    await moved('P29D');
    expect((await ask('11.00')).json()).toMatchObject({ error: 'idempotency_key_mismatch' });
    await moved('P1D');
    expect((await ask('11.00')).statusCode).toBe(201);
    await moved('P300D');
    const other = await harness.pay(harness.order({ amount: '11.00' }), 'for-ever');
    expect(other.json()).toMatchObject({ error: 'idempotency_key_mismatch' });
  });

  it('makes retries of webhooks due', async () => {
    await harness.rows(
      `INSERT INTO webhook_endpoints (id, customer_id, environment, url, types, secret, created_at, updated_at)
       VALUES ('we_sample', $1, 'test', 'https://hooks.example.com', '{*}', '', now(), now())`,
      [harness.scope.customerId],
    );
    const id = await harness.accept();
    const now = harness.clock.now();
    const inHours = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
    await harness.rows('UPDATE webhook_deliveries SET attempts = 3, next_attempt_at = $1', [
      inHours(8),
    ]);
    await harness.rows('UPDATE webhook_endpoints SET probe_at = $1', [inHours(3)]);
    await moved('PT5H');
    const due = await harness.rows<{ next: Date; probe: Date }>(
      `SELECT d.next_attempt_at AS next, e.probe_at AS probe
       FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id LIMIT 1`,
    );
    expect(due).toEqual([{ next: inHours(3), probe: harness.clock.now() }]);
    await harness.ask({ method: 'POST', url: `/payments/${id}/cancel` });
  });

  it('changes nothing else: attempts, history, events, ledger, audit, API keys, and what was ordered', async () => {
    harness.bank.onPut = says('ACCEPTED');
    const sent = await harness.accept();
    await harness.settle(sent);
    await schedule(3);
    const { id: quoteId, targetAmount: amount } = await quote(harness);
    await harness.accept({ quoteId, amount });
    const everything = async () => {
      const moves = `'{release_at,rate_held_until,requote_until,final_due_at,held_since}'::text[]`;
      const tables = ['settlement_attempts', 'payment_history', 'events', 'ledger_entries'];
      const others = ['ledger_transactions', 'audit_log', 'customers', 'bank_accounts', 'balances'];
      const kept = await Promise.all(
        [...tables, ...others].map((table) =>
          harness.rows(`SELECT to_jsonb(t) AS row FROM ${table} t ORDER BY to_jsonb(t)::text`),
        ),
      );
      const payments = await harness.rows(
        `SELECT to_jsonb(p) - ${moves} AS row FROM payments p ORDER BY id`,
      );
      const keys = await harness.rows(
        `SELECT to_jsonb(k) - 'last_used_at' - 'last_used_ip' AS row FROM api_keys k ORDER BY id`,
      );
      return { kept, payments, keys };
    };
    const before = await everything();
    await moved('P40D');
    expect(await everything()).toEqual(before);
  });
});
