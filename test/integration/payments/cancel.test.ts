import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  insertReleaseStop,
  resumeReleaseStops,
} from '../../../src/db/operations/release-stop-store.ts';
import { beginRestoreMode, endRestoreMode } from '../../../src/db/operations/restore-mode-store.ts';
import { addCustomer } from '../../support/test-customer.ts';
import { NEVER_SEEN, says } from '../../support/payments/scripted-bank.ts';
import {
  startScriptedHarness,
  type ScriptedHarness,
} from '../../support/payments/settlement-harness.ts';

let harness: ScriptedHarness;
beforeAll(async () => {
  harness = await startScriptedHarness();
});
beforeEach(() => {
  harness.bank.calls.length = 0;
  harness.bank.onPut = says('SETTLED');
  harness.bank.onGet = () => NEVER_SEEN;
});
afterAll(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

const cancel = (id: string, more: { key?: string; token?: string; body?: object } = {}) =>
  harness.ask({ method: 'POST', url: `/payments/${id}/cancel`, ...more });
const read = async (id: string) =>
  (await harness.ask({ url: `/payments/${id}` })).json<{ cancelable: boolean; version: number }>();
const ledgerOf = async (id: string) =>
  (
    await harness.rows<{ kind: string }>(
      'SELECT kind FROM ledger_transactions WHERE payment_id = $1 ORDER BY seq',
      [id],
    )
  ).map(({ kind }) => kind);
const eventsOf = (id: string) =>
  harness.rows<{ type: string; version: number }>(
    'SELECT type, resource_version AS version FROM events WHERE resource_id = $1 ORDER BY seq',
    [id],
  );
const referenceOf = async (id: string) => (await harness.tell(id)).attempts[0]?.reference ?? '';
const refusalOf = (reason: string, more: object = {}) => ({
  error: 'payment_not_cancelable',
  details: [{ path: '', code: 'payment_not_cancelable', meta: { reason, ...more } }],
});

/** Refused, with nothing changed; and the payment says beforehand that it would be. */
async function expectRefused(id: string, reason: string, more: object = {}) {
  const before = await harness.tell(id);
  const balance = await harness.balance();
  expect((await read(id)).cancelable).toBe(false);
  const answer = await cancel(id);
  expect(answer.statusCode, answer.body).toBe(409);
  expect(answer.json()).toMatchObject(refusalOf(reason, more));
  const { payment } = await harness.tell(id);
  expect([payment.version, payment.status]).toEqual([
    before.payment.version,
    before.payment.status,
  ]);
  expect(await harness.balance()).toEqual(balance);
}

/** Canceled, the funds back, and nothing of it ever sent, no matter who settles it afterwards. */
async function expectCanceled(id: string, puts = 0) {
  expect((await read(id)).cancelable).toBe(true);
  const { version } = await read(id);
  const answer = await cancel(id);
  expect(answer.statusCode, answer.body).toBe(200);
  expect(answer.json()).toMatchObject({
    ...{ id, status: 'CANCELED', statusDetail: 'CANCELED_ON_REQUEST', version: version + 1 },
    ...{ fundsStatus: 'BACK_IN_BALANCE', cancelable: false, failure: null },
    finality: { state: 'FINAL', finalAt: harness.clock.now().toISOString() },
  });
  expect(await ledgerOf(id)).toEqual(['HOLD', 'RELEASE']);
  expect((await eventsOf(id)).at(-1)).toEqual({ type: 'payment.canceled', version: version + 1 });
  expect(await harness.applyTransferReports(id)).toEqual({ kind: 'DONE', status: 'CANCELED' });
  expect(await harness.settle(id)).toEqual({ kind: 'DONE', status: 'CANCELED' });
  expect(harness.bank.puts()).toHaveLength(puts);
}

describe('a payment of which nothing has left', () => {
  it('is canceled: funds back, its attempt closed, one event, by the key that asked', async () => {
    const before = await harness.balance();
    const id = await harness.accept();
    await expectCanceled(id);
    expect(await harness.balance()).toEqual(before);
    const { attempts, story } = await harness.tell(id);
    expect(attempts).toMatchObject([{ phase: 'REJECTED', reason: 'CANCELED_ON_REQUEST' }]);
    expect(story).toEqual(['PROCESSING/QUEUED', 'CANCELED/CANCELED_ON_REQUEST']);
    const [row] = await harness.rows<{ actor: string }>(
      'SELECT actor FROM payment_history WHERE payment_id = $1 AND version = 2',
      [id],
    );
    expect(row?.actor).toMatch(/^api-key:key_/);
  });

  it('answers the same again, however often and however many at once', async () => {
    const id = await harness.accept();
    const answers = await Promise.all(Array.from({ length: 50 }, () => cancel(id)));
    const bodies = new Set([...answers, await cancel(id)].map(({ body }) => body));
    expect([answers[0]?.statusCode, bodies.size]).toEqual([200, 1]);
    expect(await ledgerOf(id)).toEqual(['HOLD', 'RELEASE']);
    expect(await eventsOf(id)).toHaveLength(2);
  });

  it('is answered word for word under one Idempotency-Key, and takes no other use of it', async () => {
    const [id, other] = [await harness.accept(), await harness.accept()];
    const key = `cancel ${id}`;
    const first = await cancel(id, { key });
    const again = await cancel(id, { key });
    expect([again.headers['idempotent-replayed'], again.body]).toEqual(['true', first.body]);
    expect((await cancel(other, { key })).json()).toMatchObject({
      error: 'idempotency_key_mismatch',
    });
    expect((await harness.tell(other)).payment.status).toBe('PROCESSING');
  });

  it("is no other customer's or environment's to cancel: the same 404 as for none", async () => {
    const id = await harness.accept();
    const customerId = await harness.database.db.system((tx) => addCustomer(tx));
    const stranger = await harness.addPayer({ customerId, environment: 'test' });
    const live = await harness.addPayer({ ...harness.scope, environment: 'live' });
    const answers = [
      await cancel('pay_01k6b7q0e8f1htx9n3r5p7v2ab'),
      await cancel('nonsense'),
      await cancel(id, { token: stranger.token }),
      await cancel(id, { token: live.token }),
    ];
    const bodies = answers.map((answer) => {
      expect(answer.statusCode).toBe(404);
      return answer.body.replace(/req_[0-9a-z]+/, 'req_');
    });
    expect(new Set(bodies).size).toBe(1);
    expect((await harness.tell(id)).payment.version).toBe(1);
  });

  it('takes an empty body and If-Match, and nothing else', async () => {
    const id = await harness.accept();
    expect((await cancel(id, { body: { reason: 'wrong' } })).statusCode).toBe(400);
    const stale = await harness.app.inject({
      ...{ method: 'POST', url: `/api/v1/payments/${id}/cancel` },
      headers: { ...harness.headers, 'if-match': '"7"' },
    });
    expect(stale.statusCode).toBe(412);
    expect((await harness.tell(id)).payment.version).toBe(1);
    expect((await cancel(id, { body: {} })).statusCode).toBe(200);
  });

  it('is canceled while it waits for a bank that is down, and is not sent when it is back', async () => {
    await harness.bank.goDown();
    const id = await harness.accept();
    await harness.settle(id).catch(() => null);
    expect((await harness.tell(id)).attempts[0]?.phase).toBe('NOT_SENT');
    await harness.bank.comeBack();
    await expectCanceled(id);
  });

  it('is canceled out of a hold that no operator lifts, as of a stop of release', async () => {
    const act = () => ({
      ...{ actor: { kind: 'OPERATOR', name: 'ada' } as const, reason: 'sample' },
      at: harness.clock.now(),
    });
    const all = { environment: null, rail: null, customerId: null };
    await harness.database.db.system((tx) => insertReleaseStop(tx, all, act()));
    const id = await harness.accept();
    await harness.settle(id);
    expect((await harness.tell(id)).payment.statusDetail).toBe('RELEASE_STOPPED');
    await expectCanceled(id);
    await harness.database.db.system((tx) => resumeReleaseStops(tx, all, act()));
    expect(await harness.settle(id)).toEqual({ kind: 'DONE', status: 'CANCELED' });
    expect(harness.bank.puts()).toEqual([]);
  });

  it('frees its funds for the next payment', async () => {
    const funds = await harness.balance();
    const all = `${funds.available.slice(0, -2)}.${funds.available.slice(-2)}`;
    const id = await harness.accept({ amount: all });
    expect((await harness.pay(harness.order())).json()).toMatchObject({
      error: 'insufficient_balance',
    });
    await cancel(id);
    const next = await harness.accept();
    expect((await harness.drive(next)).payment.status).toBe('COMPLETED');
  });
});

describe('a payment that the bank may know', () => {
  it('is not canceled once it is claimed, sent, unclear, settled or ended', async () => {
    let reached: (value: unknown) => void = () => undefined;
    const arrived = new Promise((resolve) => (reached = resolve));
    let answer: (value: unknown) => void = () => undefined;
    const held = new Promise((resolve) => (answer = resolve));
    harness.bank.onPut = async (call) => {
      reached(call);
      await held;
      return says('ACCEPTED')(call);
    };
    const id = await harness.accept();
    const sending = harness.settle(id);
    await arrived;
    await expectRefused(id, 'SENT_TO_BANK', { status: 'PROCESSING', statusDetail: 'QUEUED' });
    answer(null);
    await sending;
    await expectRefused(id, 'SENT_TO_BANK', { status: 'SENT', statusDetail: 'IN_RAIL' });
    harness.bank.onGet = says('SETTLED');
    expect((await harness.drive(id)).payment.status).toBe('COMPLETED');
    await expectRefused(id, 'ALREADY_ENDED', { status: 'COMPLETED' });

    harness.bank.onPut = () => ({ status: 503 });
    harness.bank.onGet = () => ({ status: 500 });
    const unclear = await harness.accept();
    await harness.settle(unclear);
    await expectRefused(unclear, 'SENT_TO_BANK', { statusDetail: 'OUTCOME_UNKNOWN' });
    await harness.drive(unclear);
    await expectRefused(unclear, 'SENT_TO_BANK', { status: 'ON_HOLD', statusDetail: 'STALLED' });
    harness.bank.onGet = says('REJECTED', 'AC04');
    harness.clock.advance(60_000);
    expect((await harness.drive(unclear)).payment.status).toBe('FAILED');
    await expectRefused(unclear, 'ALREADY_ENDED', { status: 'FAILED' });
  });

  it('is not canceled between two attempts: the bank may change its mind about the first', async () => {
    harness.bank.onPut = says('REJECTED', 'BANK_UNAVAILABLE');
    harness.bank.onGet = says('REJECTED', 'BANK_UNAVAILABLE');
    const id = await harness.accept();
    await harness.settle(id);
    expect((await harness.tell(id)).payment.statusDetail).toBe('RETRYING');
    await expectRefused(id, 'SENT_TO_BANK', { status: 'PROCESSING' });
  });

  it.each(['ACCEPTED', 'SETTLED', 'REJECTED', 'RETURNED'])(
    'is not canceled while a callback that says %s is unread, and is judged by the bank',
    async (status) => {
      const id = await harness.accept();
      const reference = await referenceOf(id);
      expect(await harness.callback({ reference, status, reason: 'AC04' })).toBe(202);
      await expectRefused(id, 'SENT_TO_BANK');
      harness.bank.onGet = says('SETTLED');
      expect((await harness.drive(id)).payment.status).toBe('COMPLETED');
      expect(harness.bank.puts()).toEqual([]);
      expect(await ledgerOf(id)).toEqual(['HOLD', 'SETTLE']);
    },
  );

  it('is not canceled while a statement line that shows it is unread', async () => {
    const id = await harness.accept();
    const { customerId, environment } = harness.scope;
    await harness.rows(
      `INSERT INTO transfer_reports (customer_id, environment, payment_id, reference, source,
         report_id, status, received_at) VALUES ($1, $2, $3, $4, 'STATEMENT', $5, 'SETTLED', $6)`,
      [customerId, environment, id, await referenceOf(id), randomUUID(), harness.clock.now()],
    );
    await expectRefused(id, 'SENT_TO_BANK');
    harness.bank.onGet = says('SETTLED');
    expect((await harness.drive(id)).payment.status).toBe('COMPLETED');
  });

  it('and was canceled before the bank spoke of it: nothing moves, an operator is told', async () => {
    const id = await harness.accept();
    const reference = await referenceOf(id);
    await cancel(id);
    const balance = await harness.balance();
    await harness.callback({ reference, status: 'SETTLED' });
    expect(await harness.applyTransferReports(id)).toEqual({ kind: 'DONE', status: 'CANCELED' });
    expect((await harness.tell(id)).payment).toMatchObject({
      ...{ status: 'CANCELED', reconciliationStatus: 'EXCEPTION' },
    });
    expect(await harness.balance()).toEqual(balance);
    expect((await cancel(id)).statusCode).toBe(200);
  });

  it('in a restored database is canceled only after the bank was asked', async () => {
    const act = { actor: { kind: 'OPERATOR', name: 'ada' }, reason: 'sample' } as const;
    const { db } = harness.database;
    const id = await harness.accept();
    expect((await read(id)).cancelable).toBe(true);
    await db.system((tx) => beginRestoreMode(tx, { ...act, at: harness.clock.now() }));
    await expectRefused(id, 'BANK_MUST_BE_ASKED', { status: 'PROCESSING' });
    harness.clock.advance(1_000);
    await db.system((tx) => endRestoreMode(tx, { ...act, at: harness.clock.now() }));
    await expectRefused(id, 'BANK_MUST_BE_ASKED', { status: 'PROCESSING' });
    // It was paid before the restore.
    harness.bank.onGet = says('SETTLED');
    expect((await harness.drive(id)).payment.status).toBe('COMPLETED');
    expect(harness.bank.puts()).toEqual([]);
    harness.clock.advance(1_000);
    await expectCanceled(await harness.accept());
  });
});
