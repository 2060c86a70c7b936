import { UNSIGNED_COUNTS } from '../../support/unsigned-counts.ts';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  passkeyRemoval,
  removePasskeys,
} from '../../../src/modules/customers/access/remove-passkeys.ts';
import { decideApproval } from '../../../src/modules/approvals/decide-approval.ts';
import { proposeApproval } from '../../../src/modules/approvals/propose-approval.ts';
import { newId } from '../../../src/db/client/new-id.ts';
import {
  insertPasskey,
  listPasskeys,
  removePasskey,
} from '../../../src/db/customers/passkey-store.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createTestClock } from '../../support/test-clock.ts';
import { addCustomer } from '../../support/test-customer.ts';
import { addTestOperator, addTestUser, logIn } from '../../support/test-people.ts';
import { createTestVault } from '../../support/test-vault.ts';

describe.each(['user', 'operator'] as const)('lost passkeys of a %s', (kind) => {
  let database: TestDatabase;
  let personId: string;
  let customerId: string | null;
  let operators: readonly string[];
  const clock = createTestClock();
  const vault = createTestVault();
  const deps = () => ({ db: database.people, vault, clock, operatorKeys: UNSIGNED_COUNTS });
  const people = () => ({ people: database.people, vault, clock });
  const surface = kind === 'user' ? 'dashboard' : 'console';

  beforeAll(async () => {
    database = await createTestDatabase();
    const two = [1, 2].map(async () => (await addTestOperator(people(), 'COMPLIANCE')).id);
    operators = await Promise.all(two);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    customerId = kind === 'user' ? await database.db.system((tx) => addCustomer(tx)) : null;
    const person =
      customerId === null
        ? addTestOperator(people(), 'SUPPORT')
        : addTestUser(people(), customerId, 'OWNER');
    personId = (await person).id;
    await add();
    await add();
  });

  const add = () =>
    database.people.system((tx) =>
      insertPasskey(tx, {
        ...{ id: newId('psk'), credentialId: randomBytes(32), publicKey: randomBytes(77) },
        ...{ counter: 0n, transports: ['internal'], browser: 'Chrome on Linux' },
        ...{ createdAt: clock.now(), personId, customerId },
      }),
    );
  const count = async () =>
    (await database.people.system((tx) => listPasskeys(tx, personId))).length;
  const propose = async () => {
    const removal = await database.people.system((tx) => passkeyRemoval(tx, personId));
    if (removal === null) throw new Error('there is that person');
    const act = { operator: operators[0] ?? '', reason: 'lost the phone' };
    return (await proposeApproval(deps(), removal.scope, removal.content, act)) ?? '';
  };
  const approve = (id: string, operator = operators[1] ?? '') =>
    decideApproval(deps(), id, 'APPROVED', { operator, reason: 'spoken with them' });

  it('are removed by two operators, and their person is logged out', async () => {
    const sessions = () =>
      database.people.system((tx) =>
        tx.query(
          'SELECT FROM sessions WHERE (user_id = $1 OR operator_id = $1) AND ended_at IS NULL',
          [personId],
        ),
      );
    await logIn(people(), surface, personId);
    expect(await sessions()).toHaveLength(1);
    expect(await removePasskeys(deps(), await approve(await propose()))).toBe(2);
    expect([await count(), (await sessions()).length]).toEqual([0, 0]);
  });

  it('stay where the same operator approves, where it was approved before, and without an approval', async () => {
    const id = await propose();
    await expect(approve(id, operators[0])).rejects.toThrow('cannot approve it');
    expect(await count()).toBe(2);
    const approval = await approve(id);
    await removePasskeys(deps(), approval);
    await add();
    await expect(removePasskeys(deps(), approval)).rejects.toThrow('changed since');
    expect(await count()).toBe(1);
    await expect(
      database.people.system((tx) =>
        tx.query('SELECT remove_passkeys($1, $2)', [personId, clock.now()]),
      ),
    ).rejects.toThrow('its person removes it, or two operators');
    expect(await count()).toBe(1);
  });

  it('stay where the person has changed between proposal and approval', async () => {
    const id = await propose();
    await add();
    await expect(removePasskeys(deps(), await approve(id))).rejects.toThrow('changed since');
    expect(await count()).toBe(3);
  });

  it('are removed one by one in a live session of their person, and in no other', async () => {
    const [first] = await database.people.system((tx) => listPasskeys(tx, personId));
    const other = await addTestOperator(people(), 'ADMIN');
    await logIn(people(), 'console', other.id);
    await logIn(people(), surface, personId);
    const sessionOf = async (id: string) => {
      const rows = await database.people.system((tx) =>
        tx.query<{ id: string }>('SELECT id FROM sessions WHERE user_id = $1 OR operator_id = $1', [
          id,
        ]),
      );
      return rows[0]?.id ?? '';
    };
    const remove = async (sessionId: string) =>
      database.people.system((tx) =>
        removePasskey(tx, { personId, sessionId }, first?.id ?? '', clock.now()),
      );
    await expect(remove(await sessionOf(other.id))).rejects.toThrow('its person removes it');
    expect(await remove(await sessionOf(personId))).toBe(true);
    expect(await remove(await sessionOf(personId))).toBe(false);
    expect(await count()).toBe(1);
  });

  it('are out of reach of API and worker', async () => {
    for (const sql of ['SELECT * FROM passkeys', 'DELETE FROM passkeys', 'SELECT * FROM devices']) {
      await expect(database.db.system((tx) => tx.query(sql))).rejects.toThrow('permission denied');
    }
  });
});
