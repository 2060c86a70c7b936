import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PaymentOrder } from '../../../src/modules/payments/payment-order.ts';
import { addRecipient, type Recipient } from '../../support/add-recipient.ts';
import { says } from '../../support/payments/scripted-bank.ts';
import {
  acceptMany,
  keyed,
  keys,
  startTogetherHarness,
  type TogetherHarness,
} from '../../support/payments/together-harness.ts';

const COUNT = 7;
const HELD = 3;

let harness: TogetherHarness;
let other: Recipient;
let admin: pg.Client;
beforeAll(async () => {
  harness = await startTogetherHarness();
  other = await addRecipient(harness);
  admin = new pg.Client({ connectionString: harness.database.url });
  await admin.connect();
});
let names: readonly string[];
let round = 0;
beforeEach(() => {
  harness.resetBank();
  round += 1;
  names = keys(`round ${String(round)}`, COUNT);
});
afterEach(async () => {
  await admin.query('ROLLBACK');
  await harness.endProcesses();
});
afterAll(async () => {
  await harness.expectAllWritten();
  await admin.end();
  await harness.close();
});

const toOther = (): Partial<PaymentOrder> => ({
  endUserId: other.endUserId,
  destination: { kind: 'BANK', bankAccountId: other.bankAccountId },
});
const requests = () =>
  names.map((name, n) => keyed(harness.payer, name, n === HELD ? toOther() : {}));
const lock = (table: string, id: string) =>
  admin.query(`SELECT FROM ${table} WHERE id = $1 FOR UPDATE`, [id]);
const waiting = () =>
  harness.rows(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );

/** Well below the 10 s that one alone waits for a lock, with time for a busy machine. */
const SOON = { timeout: 8_000 };

/** Waits for all of them but the one that is held; that one is not done yet. */
async function expectOthersDone(all: readonly Promise<unknown>[], place = HELD): Promise<void> {
  let isDone = false;
  const held = Promise.allSettled(all.slice(place, place + 1)).finally(() => (isDone = true));
  let done = 0;
  const others = all.toSpliced(place, 1);
  const count = (): void => void (done += 1);
  for (const one of others) void one.then(count, () => undefined);
  await expect.poll(() => done, SOON).toBe(others.length);
  expect(isDone).toBe(false);
  await admin.query('COMMIT');
  expect(await held).toMatchObject([{ status: 'fulfilled' }]);
}

describe('where a transaction of another holds one of them for longer than 1 s', () => {
  it('the other requests are accepted without it, and so are later ones', async () => {
    await admin.query('BEGIN');
    await lock('end_users', other.endUserId);
    const { accept } = harness.start();
    const all = requests().map(accept);
    const later = keys(`later ${String(round)}`, 3).map((name) => keyed(harness.payer, name));
    await expect.poll(waiting).not.toEqual([]);
    await expectOthersDone([...all, ...later.map(accept)]);
  });

  it('the other payments are claimed and paid without it, and so are later ones', async () => {
    const refs = await acceptMany(harness, COUNT);
    const later = await acceptMany(harness, 3);
    await admin.query('BEGIN');
    await lock('payments', refs[HELD]?.paymentId ?? '');
    const { settle } = harness.start();
    const all = refs.map(settle);
    await expect.poll(waiting).not.toEqual([]);
    await expectOthersDone([...all, ...later.map(settle)]);
    await harness.expectPaidOnce([...refs, ...later]);
    expect(harness.bank.puts()).toHaveLength(refs.length + later.length);
  });

  it('the other answers are written without it, and so are later ones', async () => {
    const refs = await acceptMany(harness, COUNT);
    const later = await acceptMany(harness, 3);
    const held = refs[HELD]?.paymentId ?? '';
    const { attempts } = await harness.tell(held);
    harness.bank.onPut = async (call) => {
      if (call.reference === attempts[0]?.reference) {
        await admin.query('BEGIN');
        await lock('payments', held);
      }
      return says('SETTLED')(call);
    };
    const { settle } = harness.start({ answersTogether: COUNT });
    const all = refs.map(settle);
    await expect.poll(waiting).not.toEqual([]);
    await expectOthersDone([...all, ...later.map(settle)]);
    await harness.expectPaidOnce([...refs, ...later]);
    expect(harness.bank.calls).toHaveLength(refs.length + later.length);
  });

  it('those behind a lone one that waits do not wait as long as it', async () => {
    await admin.query('BEGIN');
    await lock('end_users', other.endUserId);
    const { accept } = harness.start();
    const [held, ...others] = requests().toSorted((one) =>
      one.request.order.endUserId === other.endUserId ? -1 : 1,
    );
    if (held === undefined) throw new Error('there is no request');
    await expectOthersDone([held, ...others].map(accept), 0);
  });
});

describe('where a transaction of another wants what they have, and has what they want', () => {
  /** Of two transactions PostgreSQL undoes the one that looks for a deadlock first. */
  async function lookForDeadlocks(victim: 'OURS' | 'THE_OTHER'): Promise<void> {
    const name = new URL(harness.database.url).pathname.slice(1);
    const [ours, others] = victim === 'OURS' ? ['500ms', '60s'] : ['60s', '500ms'];
    await admin.query(`ALTER DATABASE ${name} SET deadlock_timeout = '${ours}'`);
    await admin.query(`SET deadlock_timeout = '${others}'`);
  }
  const balance = () =>
    admin.query('SELECT FROM balances WHERE customer_id = $1 FOR UPDATE', [
      harness.scope.customerId,
    ]);
  /** One of the two is undone; the other's part goes on. */
  const orUndone = (work: Promise<unknown>) =>
    work.then(
      () => admin.query('COMMIT'),
      () => admin.query('ROLLBACK'),
    );

  it.each(['OURS', 'THE_OTHER'] as const)(
    'each request is accepted once (%s is undone)',
    async (victim) => {
      await lookForDeadlocks(victim);
      const { acceptAll } = harness.start();
      await admin.query('BEGIN');
      await balance();
      const accepting = acceptAll(requests());
      await expect.poll(waiting).not.toEqual([]);
      await orUndone(lock('end_users', harness.payer.endUserId));
      const outcomes = await accepting;
      expect(outcomes.map(({ status }) => status)).toEqual(names.map(() => 'fulfilled'));
    },
  );

  it.each(['OURS', 'THE_OTHER'] as const)(
    'each payment is claimed once (%s is undone)',
    async (victim) => {
      await lookForDeadlocks(victim);
      const refs = await acceptMany(harness, COUNT);
      const [low, high] = refs
        .slice(1)
        .map(({ paymentId }) => paymentId)
        .sort();
      const { settleAll } = harness.start();
      await admin.query('BEGIN');
      await lock('payments', high ?? '');
      const settling = settleAll(refs);
      await expect.poll(waiting).not.toEqual([]);
      await orUndone(lock('payments', low ?? ''));
      await settling;
      await harness.expectPaidOnce(refs);
      expect(harness.bank.calls).toHaveLength(COUNT);
    },
  );

  it.each(['OURS', 'THE_OTHER'] as const)(
    'each answer is written once (%s is undone)',
    async (victim) => {
      await lookForDeadlocks(victim);
      const refs = await acceptMany(harness, COUNT);
      const { settleAll } = harness.start({ answersTogether: COUNT });
      let isHeld = false;
      harness.bank.onPut = async (call) => {
        if (!isHeld) {
          isHeld = true;
          await admin.query('BEGIN');
          await balance();
        }
        return says('SETTLED')(call);
      };
      const settling = settleAll(refs);
      await expect.poll(waiting).not.toEqual([]);
      const [first] = refs;
      await orUndone(lock('payments', first?.paymentId ?? ''));
      const steps = await settling;
      for (const step of steps) expect(step).toMatchObject({ value: { status: 'COMPLETED' } });
      await harness.expectPaidOnce(refs);
      expect(harness.bank.calls).toHaveLength(COUNT);
    },
  );
});
