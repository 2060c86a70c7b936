import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database, SystemTransaction } from '../../../src/db/client/database.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createTestClock } from '../../support/test-clock.ts';
import { addTestOperator, addUnconfirmedOperator } from '../../support/test-people.ts';
import { createTestVault } from '../../support/test-vault.ts';
import { waitForBlockedLock } from '../../support/webhooks/wait-for-blocked-lock.ts';

const ENDS = [
  ['disabled', `UPDATE operators SET status = 'DISABLED' WHERE id = $1`],
  ['given another role', `UPDATE operators SET role = 'COMPLIANCE' WHERE id = $1`],
] as const;
const REFUSED = { constraint: 'an_admin_stays' };

let database: TestDatabase;
let people: Database;
let first: string;
let second: string;
const deps = () => ({ people, vault: createTestVault(), clock: createTestClock() });
beforeEach(async () => {
  database = await createTestDatabase();
  people = database.people;
  first = (await addTestOperator(deps(), 'ADMIN')).id;
  second = (await addTestOperator(deps(), 'ADMIN')).id;
});
afterEach(() => database.close());

const admins = async () =>
  (
    await people.system((tx) =>
      tx.query<{ id: string }>(
        `SELECT id FROM operators WHERE role = 'ADMIN' AND status = 'ACTIVE'
           AND confirmed_at IS NOT NULL ORDER BY id`,
      ),
    )
  ).map(({ id }) => id);

describe.each(ENDS)('of admins who are %s', (_what, sql) => {
  const end = (tx: SystemTransaction, id: string) => tx.query(sql, [id]);

  it('the last one stays, where another one is there who is not confirmed or no admin', async () => {
    await addUnconfirmedOperator(deps(), 'ADMIN');
    await addTestOperator(deps(), 'COMPLIANCE');
    await people.system((tx) => end(tx, first));
    await expect(people.system((tx) => end(tx, second))).rejects.toMatchObject(REFUSED);
    expect(await admins()).toEqual([second]);
  });

  it('one stays of two who end each other’s accounts at once', async () => {
    const blocked = await people.system(async (tx) => {
      await end(tx, first);
      const other = people.system((inner) => end(inner, second));
      const refused = expect(other).rejects.toMatchObject(REFUSED);
      await waitForBlockedLock(database.db);
      return { refused };
    });
    await blocked.refused;
    expect(await admins()).toEqual([second]);
  });

  it('neither goes where one statement would end both', async () => {
    const both = people.system((tx) => tx.query(sql.replace('id = $1', `role = 'ADMIN'`)));
    await expect(both).rejects.toMatchObject(REFUSED);
    expect(await admins()).toEqual([first, second].sort());
  });
});

it('an admin who is not confirmed may be disabled, however few there are', async () => {
  const { id } = await addUnconfirmedOperator(deps(), 'ADMIN');
  await people.system((tx) =>
    tx.query(`UPDATE operators SET status = 'DISABLED' WHERE id = $1`, [first]),
  );
  await people.system((tx) =>
    tx.query(`UPDATE operators SET status = 'DISABLED' WHERE id = $1`, [id]),
  );
  expect(await admins()).toEqual([second]);
});
