import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SystemTransaction } from '../../../src/db/client/database.ts';
import {
  findReleaseStop,
  insertReleaseStop,
  listReleaseStops,
  lockReleaseShared,
  resumeReleaseStops,
  type ReleaseFilter,
} from '../../../src/db/operations/release-stop-store.ts';
import {
  beginRestoreMode,
  endRestoreMode,
  findRestoreMode,
  mayPredateRestore,
} from '../../../src/db/operations/restore-mode-store.ts';
import type { Scope } from '../../../src/domain/scope.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { addCustomer } from '../../support/test-customer.ts';
import { until } from '../../support/until.ts';

const ALL: ReleaseFilter = { environment: null, rail: null, customerId: null };
const ACT = {
  actor: { kind: 'OPERATOR', name: 'ada' },
  at: new Date('2026-09-29T12:00:00.000Z'),
  reason: 'fraud',
} as const;

let database: TestDatabase;
let ada: Scope;
let bob: Scope;
beforeAll(async () => {
  database = await createTestDatabase();
  ada = { customerId: await system((tx) => addCustomer(tx)), environment: 'live' };
  bob = { customerId: await system((tx) => addCustomer(tx)), environment: 'live' };
});
afterAll(() => database.close());
beforeEach(async () => {
  for (const stop of await system((tx) => listReleaseStops(tx, 100))) {
    await system((tx) => resumeReleaseStops(tx, stop, ACT));
  }
});

const system = <Result>(work: (tx: SystemTransaction) => Promise<Result>) =>
  database.db.system(work);
const stop = (filter: Partial<ReleaseFilter>) =>
  system((tx) => insertReleaseStop(tx, { ...ALL, ...filter }, ACT));
/** Runs what a payment of the scope would meet before its first send. */
const look = (scope: Scope, rail = 'SEPA') =>
  database.db.write(scope, async (tx) => {
    await lockReleaseShared(tx);
    return findReleaseStop(tx, scope, rail);
  });
const inTest = (scope: Scope): Scope => ({ ...scope, environment: 'test' });

describe('a release stop', () => {
  it('of everything concerns every payment', async () => {
    const id = await stop({});
    for (const scope of [ada, bob, inTest(ada)]) {
      expect(await look(scope)).toEqual({
        id,
        ...ALL,
        reason: 'fraud',
        stoppedBy: 'operator:ada',
        stoppedAt: ACT.at,
      });
    }
  });

  it('concerns a payment only where customer, environment and rail all do', async () => {
    await stop({ customerId: ada.customerId, environment: 'live', rail: 'SEPA' });
    expect(await look(ada)).toMatchObject({ customerId: ada.customerId });
    expect(await look(ada, 'ACH')).toBeNull();
    expect(await look(inTest(ada))).toBeNull();
    expect(await look(bob)).toBeNull();
  });

  it('is over once it is resumed by the filter that it was made with, and by no other', async () => {
    await stop({ rail: 'SEPA' });
    await stop({ rail: 'SEPA', environment: 'live' });
    expect(await system((tx) => resumeReleaseStops(tx, ALL, ACT))).toEqual([]);
    const ended = await system((tx) => resumeReleaseStops(tx, { ...ALL, rail: 'SEPA' }, ACT));
    expect(ended).toMatchObject([{ rail: 'SEPA', environment: null }]);
    expect(await look(ada)).toMatchObject({ rail: 'SEPA', environment: 'live' });
    expect(await look(inTest(ada))).toBeNull();
    expect(await look(ada, 'ACH')).toBeNull();
  });

  it('answers the oldest of several', async () => {
    const first = await stop({ rail: 'SEPA' });
    await stop({});
    expect(await look(ada)).toMatchObject({ id: first });
  });

  it('waits for a release under way, and one that begins meanwhile sees it', async () => {
    const waiting = (count: number) =>
      until(`${String(count)} wait for the lock`, async () => {
        const [row] = await system((tx) =>
          tx.query<{ count: bigint }>(
            `SELECT count(*) FROM pg_locks JOIN pg_database d ON d.oid = pg_locks.database
             WHERE d.datname = current_database() AND locktype = 'advisory' AND NOT granted`,
          ),
        );
        return row?.count === BigInt(count) ? true : null;
      });
    const order: string[] = [];
    let stopped: Promise<unknown> = Promise.resolve();
    let seen: Promise<unknown> = Promise.resolve();
    await database.db.write(ada, async (tx) => {
      await lockReleaseShared(tx);
      expect(await findReleaseStop(tx, ada, 'SEPA')).toBeNull();
      stopped = stop({}).then(() => order.push('stopped'));
      await waiting(1);
      seen = look(bob).then((found) => order.push(found === null ? 'released' : 'held'));
      await waiting(2);
      expect(order).toEqual([]);
    });
    await Promise.all([stopped, seen]);
    expect(order.toSorted()).toEqual(['held', 'stopped']);
  });

  it('is hidden from a customer that it does not concern', async () => {
    await stop({ customerId: bob.customerId });
    await stop({ environment: 'test' });
    const seenBy = (scope: Scope) =>
      database.db.read(scope, (tx) =>
        tx.query('SELECT id FROM release_stops WHERE resumed_at IS NULL'),
      );
    expect(await seenBy(ada)).toEqual([]);
    expect(await seenBy(inTest(bob))).toHaveLength(2);
  });

  it.each([
    `INSERT INTO release_stops (reason, stopped_by, stopped_at) VALUES ('x', 'x', now())`,
    `UPDATE release_stops SET resumed_by = 'x', resumed_at = now(), resume_reason = 'x'`,
    `UPDATE restore_mode SET ended_by = 'x', ended_at = now(), end_reason = 'x'`,
  ])('cannot be made or ended by the application: %s', async (statement) => {
    const id = await stop({});
    await expect(database.db.write(ada, (tx) => tx.query(statement))).rejects.toThrow('denied');
    expect(await look(ada)).toMatchObject({ id });
  });

  it.each([
    "UPDATE release_stops SET reason = 'another'",
    "UPDATE release_stops SET rail = 'ACH', resumed_by = 'x', resumed_at = now(), resume_reason = 'x'",
    "UPDATE release_stops SET resumed_by = 'x'",
    'DELETE FROM release_stops',
  ])('is refused every change but its resume: %s', async (statement) => {
    const id = await stop({ rail: 'SEPA' });
    await expect(
      system((tx) => tx.query(`${statement} WHERE id = $1 RETURNING id`, [id])),
    ).rejects.toThrow(/only ever completed|denied/);
  });

  it('that was resumed is not changed again', async () => {
    const id = await stop({});
    await system((tx) => resumeReleaseStops(tx, ALL, ACT));
    await expect(
      system((tx) =>
        tx.query(
          'UPDATE release_stops SET resumed_by = NULL, resumed_at = NULL, resume_reason = NULL WHERE id = $1',
          [id],
        ),
      ),
    ).rejects.toThrow('only ever completed');
  });
});

describe('restore mode', () => {
  it('is begun once, seen by the application, and ended once', async () => {
    const isOn = () => database.db.read(ada, (tx) => mayPredateRestore(tx, ACT.at));
    expect(await isOn()).toBe(false);
    expect(await system((tx) => endRestoreMode(tx, ACT))).toBe(false);
    expect(await system((tx) => beginRestoreMode(tx, ACT))).toBe(true);
    expect(await system((tx) => beginRestoreMode(tx, { ...ACT, reason: 'again' }))).toBe(false);
    expect(await isOn()).toBe(true);
    expect(await system(findRestoreMode)).toEqual({
      reason: 'fraud',
      begunBy: 'operator:ada',
      begunAt: ACT.at,
    });
    expect(await system((tx) => endRestoreMode(tx, ACT))).toBe(true);
    expect(await isOn()).toBe(false);
    expect(await system((tx) => beginRestoreMode(tx, ACT))).toBe(true);
    expect(await system((tx) => endRestoreMode(tx, ACT))).toBe(true);
  });
});
