import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/db/client/database.ts';
import { createCountedDatabase } from '../../support/payments/counted-database.ts';
import { finalise } from '../../support/finalise.ts';
import type { Seeded } from '../../support/seed-payments.ts';
import {
  createFinalityHarness,
  type FinalityHarness,
} from '../../support/payments/finality-harness.ts';

let harness: FinalityHarness;
beforeAll(async () => {
  harness = await createFinalityHarness();
});
afterAll(() => harness.close());
// What one test leaves due must not be counted by the next.
afterEach(() => harness.finalise());

const WINDOW_MS = 10_000;

describe('a delivered payment is final', () => {
  it('when its statement came first and its return window is over, not a millisecond before', async () => {
    const paid = await harness.complete();
    const completedAt = harness.clock.now();
    await harness.showPayouts([paid]);
    const dueAt = new Date(completedAt.getTime() + WINDOW_MS);
    harness.clock.advance(WINDOW_MS - 1);
    await harness.finalise();
    expect(await harness.finality(paid.id)).toMatchObject({ finality: 'PROVISIONAL', dueAt });
    harness.clock.advance(1);
    const { version } = await harness.finality(paid.id);
    await harness.finalise();
    expect(await harness.finality(paid.id)).toMatchObject({
      ...{ status: 'COMPLETED', finality: 'FINAL', finalAt: harness.clock.now(), dueAt },
      ...{ version: version + 1, reconciliation: 'RECONCILED' },
    });
  });

  it('when its window was over first and its statement comes, with the next run', async () => {
    const paid = await harness.complete();
    harness.clock.advance(WINDOW_MS);
    await harness.finalise();
    expect(await harness.finality(paid.id)).toMatchObject({ finality: 'PROVISIONAL' });
    await harness.showPayouts([paid]);
    await harness.finalise();
    expect(await harness.finality(paid.id)).toMatchObject({ finality: 'FINAL' });
  });

  it('told by one event, the last one, and by no second one however often the schedule runs', async () => {
    const paid = await harness.final();
    const told = await harness.events(paid.id);
    expect(told.slice(-3)).toEqual(['payment.completed', 'payment.reconciled', 'payment.final']);
    const once = await harness.fingerprint();
    await Promise.all([harness.finalise(), harness.finalise()]);
    await harness.finalise();
    expect(await harness.fingerprint()).toEqual(once);
  });

  it('never while something is wrong with it at the bank', async () => {
    const paid = await harness.complete();
    await harness.reconcile({ entries: [{ reference: paid.reference, amount: '9.00' }] });
    harness.clock.advance(WINDOW_MS * 100);
    await harness.finalise();
    expect(await harness.finality(paid.id)).toMatchObject({
      ...{ finality: 'PROVISIONAL', reconciliation: 'EXCEPTION' },
    });
  });

  it('not while the bank says that it came back and only a statement can tell how much', async () => {
    const paid = await harness.complete();
    await harness.showPayouts([paid]);
    await harness.callback(paid, { status: 'RETURNED', amount: '10.00' });
    harness.clock.advance(WINDOW_MS);
    await harness.finalise();
    // The report waits to be judged: the workflow that is woken for it does that, and this run does not guess.
    expect(await harness.finality(paid.id)).toMatchObject({ finality: 'PROVISIONAL' });
    await harness.rows(
      `UPDATE transfer_reports SET processed_at = now(), effect = 'AWAIT_STATEMENT'
       WHERE payment_id = $1`,
      [paid.id],
    );
    await harness.finalise();
    expect(await harness.finality(paid.id)).toMatchObject({ finality: 'PROVISIONAL' });
    await harness.showReturn(paid);
    expect(await harness.finality(paid.id)).toMatchObject({
      status: 'RETURNED',
      finality: 'FINAL',
    });
  });
});

describe('the database refuses', () => {
  const change = (id: string, set: string) =>
    harness.rows(`UPDATE payments SET ${set}, version = version + 1 WHERE id = $1`, [id]);

  it('to make a payment final that no statement shows, or before its window is over', async () => {
    const unseen = await harness.complete();
    const early = await harness.complete();
    await harness.showPayouts([early]);
    for (const { id } of [unseen, early]) {
      const set = "finality = 'FINAL', final_at = final_due_at - interval '1 ms'";
      await expect(change(id, set), id).rejects.toThrow('cannot be final');
    }
    await expect(change(unseen.id, "finality = 'FINAL', final_at = now()")).rejects.toThrow(
      'cannot be final',
    );
  });

  it('to forget when a provisional payment is due', async () => {
    const { id } = await harness.complete();
    await expect(change(id, 'final_due_at = NULL')).rejects.toThrow(
      'a_provisional_payment_has_a_due_time',
    );
  });

  it('to move a final payment, or to make it provisional again, whatever its attempt says', async () => {
    const { id } = await harness.final();
    await harness.db.write(harness.customer.scope, (tx) =>
      tx.query("UPDATE settlement_attempts SET phase = 'RETURNED' WHERE payment_id = $1", [id]),
    );
    for (const set of [
      "status = 'RETURNED'",
      "finality = 'PROVISIONAL', final_at = NULL",
      'final_at = now()',
    ]) {
      await expect(change(id, set), set).rejects.toThrow('is final as COMPLETED');
    }
  });
});

describe('under load', () => {
  async function completeMany(count: number) {
    const many: Seeded[] = [];
    for (let at = 0; at < count; at += 1) many.push(await harness.complete());
    await harness.showPayouts(many);
    harness.clock.advance(WINDOW_MS);
    return many;
  }
  const finalOf = async (ids: readonly string[]) => {
    const rows = await harness.rows<{ id: string }>(
      "SELECT id FROM payments WHERE id = ANY ($1) AND finality = 'FINAL'",
      [ids],
    );
    return rows.map(({ id }) => id).sort();
  };

  it('a hundred payments become final in thirty statements at the most', async () => {
    const ids = (await completeMany(100)).map(({ id }) => id);
    const counted = createCountedDatabase(harness.url);
    try {
      await finalise(counted.db, harness.clock);
      expect(counted.readStatements().length).toBeLessThanOrEqual(30);
    } finally {
      await counted.db.close();
    }
    expect(await finalOf(ids)).toEqual([...ids].sort());
  });

  it('a run that dies between two transactions is finished by the next, each payment once', async () => {
    const ids = (await completeMany(60)).map(({ id }) => id);
    let calls = 0;
    const dying: Database = {
      ...harness.db,
      async write(...args) {
        calls += 1;
        if (calls > 1) throw new Error('the process died');
        return harness.db.write(...args);
      },
    };
    await expect(finalise(dying, harness.clock)).rejects.toThrow('the process died');
    const before = await finalOf(ids);
    expect(before.length).toBeGreaterThan(0);
    expect(before.length).toBeLessThan(60);
    await harness.finalise();
    expect(await finalOf(ids)).toEqual([...ids].sort());
    const events = await harness.rows<{ count: bigint }>(
      "SELECT count(*) FROM events WHERE type = 'payment.final' AND resource_id = ANY ($1)",
      [ids],
    );
    expect(Number(events[0]?.count)).toBe(60);
  });

  it('one that cannot become final stops no other, and the run says so', async () => {
    const ids = (await completeMany(60)).map(({ id }) => id);
    const poisoned = ids[7] ?? '';
    // Its next version is taken by history: whatever tries to write it fails.
    await harness.rows(
      `INSERT INTO payment_history (customer_id, environment, payment_id, version, status,
         status_detail, funds_status, reconciliation_status, actor, at)
       SELECT customer_id, environment, id, version + 1, status, status_detail, funds_status,
         reconciliation_status, 'sample', updated_at FROM payments WHERE id = $1`,
      [poisoned],
    );
    await expect(harness.finalise()).rejects.toThrow('payment_history');
    expect(await finalOf(ids)).toEqual(ids.filter((id) => id !== poisoned).sort());
    // Mended, it is final with the next run.
    await harness.rows('UPDATE payments SET version = version + 1 WHERE id = $1', [poisoned]);
    await harness.finalise();
    expect(await finalOf(ids)).toEqual([...ids].sort());
  });
});
