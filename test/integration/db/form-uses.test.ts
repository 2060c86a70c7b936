import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SystemTransaction } from '../../../src/db/client/database.ts';
import { useForm } from '../../../src/db/customers/form-use-store.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { until } from '../../support/until.ts';

const NOW = new Date('2026-09-29T12:00:00Z');
const LONG_AGO = '2026-01-01T00:00:00Z';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const newForm = () => ({ id: randomBytes(16), expiresAt: new Date(NOW.getTime() + 3_600_000) });
const people = <Result>(work: (tx: SystemTransaction) => Promise<Result>) =>
  database.people.system(work);
const countOld = () =>
  people(async (tx) => {
    const sql = 'SELECT count(*)::int AS count FROM form_uses WHERE expires_at < $1';
    return (await tx.query<{ count: number }>(sql, [NOW]))[0]?.count;
  });
beforeEach(() =>
  people(async (tx) => {
    await tx.query(
      `INSERT INTO form_uses (form_id, expires_at)
       SELECT decode(md5(random()::text), 'hex'), $1::timestamptz + n * interval '1 second'
       FROM generate_series(1, 40) n`,
      [LONG_AGO],
    );
  }),
);

/** A transaction that has used a form and is held open. */
function openUse() {
  let finish: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (finish = resolve));
  let isUsed = false;
  const ended = people(async (tx) => {
    isUsed = await useForm(tx, newForm(), NOW);
    await held;
  });
  return { isUsed: () => isUsed, finish, ended };
}

describe('the use of a form', () => {
  it('waits for no other that is forgetting what has expired', async () => {
    const first = openUse();
    await until('the first use', () => (first.isUsed() ? true : null));
    const second = people(async (tx) => {
      await tx.query(`SET LOCAL lock_timeout = '2s'`);
      return useForm(tx, newForm(), NOW);
    }).finally(first.finish);
    expect(await second).toBe(true);
    await first.ended;
    expect(await countOld()).toBe(40 - 2 * 4);
  });

  it('of 100 at once, in transactions that use two each, is no deadlock', async () => {
    const uses = Array.from({ length: 100 }, () =>
      people(async (tx) => [await useForm(tx, newForm(), NOW), await useForm(tx, newForm(), NOW)]),
    );
    expect((await Promise.all(uses)).flat()).toEqual(Array.from({ length: 200 }, () => true));
    expect(await countOld()).toBe(0);
  });

  it('is one, however often it is sent at once', async () => {
    const form = newForm();
    const uses = Array.from({ length: 20 }, () => people((tx) => useForm(tx, form, NOW)));
    expect((await Promise.all(uses)).filter((isUsed) => isUsed)).toHaveLength(1);
  });

  it('stays used: neither surface brings its end forward, or puts it off', async () => {
    const form = { ...newForm(), expiresAt: new Date('2099-01-01T00:00:00Z') };
    await people((tx) => useForm(tx, form, NOW));
    const change = (end: string) =>
      people((tx) =>
        tx.query('UPDATE form_uses SET expires_at = $2 WHERE form_id = $1 RETURNING form_id', [
          ...[form.id, end],
        ]),
      );
    expect(await change(LONG_AGO)).toEqual([]);
    const expired = people((tx) =>
      tx.query('UPDATE form_uses SET expires_at = $1 WHERE expires_at < $2', [LONG_AGO, NOW]),
    );
    await expect(expired).rejects.toMatchObject({ code: '42501' });
    expect(await people((tx) => useForm(tx, form, NOW))).toBe(false);
  });
});
