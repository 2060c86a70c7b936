import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identifyKey } from '../../../src/api/judge-key.ts';
import { createKeyFinder } from '../../../src/api/find-key.ts';
import type { AnyTransaction, SystemTransaction } from '../../../src/db/client/database.ts';
import { updateAddress } from '../../../src/db/customers/own-settings-store.ts';
import { findLoginPeople } from '../../../src/db/customers/login-store.ts';
import {
  addOperator,
  addUser,
  hashAddress,
} from '../../../src/modules/customers/access/add-person.ts';
import { findAsker } from '../../../src/modules/customers/access/code-asker.ts';
import { keepDevice, newDevice } from '../../../src/modules/customers/access/devices.ts';
import {
  lookUpInvitation,
  writeInvitation,
} from '../../../src/modules/customers/access/invitations.ts';
import {
  issueCode,
  judgeTypedCode,
  takeCodeBudget,
} from '../../../src/modules/customers/access/login-codes.ts';
import { findPerson, openSession } from '../../../src/modules/customers/access/sessions.ts';
import { parseApiKeyToken } from '../../../src/modules/customers/api-key-token.ts';
import { answerOnce } from '../../../src/modules/idempotency/answer-once.ts';
import {
  countByPepper,
  raiseAllHashes,
} from '../../../src/modules/operations/resealing/raise-hashes.ts';
import { createVault, type Vault } from '../../../src/vault/vault.ts';
import { issueFormToken, readFormToken } from '../../../src/web/kit/forms/form-token.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createTestClock } from '../../support/test-clock.ts';
import { addApiKey, addCustomer } from '../../support/test-customer.ts';
import { addTestUser } from '../../support/test-people.ts';
import { peppersOf, samplePepper } from '../../support/test-vault.ts';
import { startScreeningHarness } from '../../support/payments/screening-harness.ts';
import { until } from '../../support/until.ts';

const [OLD, NEW] = [samplePepper(2), `1:${samplePepper(3)}`];
const vaultOf = (peppers: string): Vault =>
  createVault({
    ...{ encryption: new Map([[1, Buffer.alloc(32, 1)]]), currentKeyId: 1 },
    peppers: peppersOf(peppers),
  });

/** Processes of a rotation, in its order. At any time those of two neighboring steps run. */
const [before, told, rotating, retired] = [
  vaultOf(OLD),
  vaultOf(`${NEW},${OLD}`),
  vaultOf(`${OLD},${NEW}`),
  vaultOf(`${OLD}:retired,${NEW}`),
] as const;

const clock = createTestClock();
let database: TestDatabase;
let admin: pg.Client;
let customerId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  customerId = await database.db.system((tx) => addCustomer(tx));
});
afterAll(async () => {
  await admin.end();
  await database.close();
});

/** Two at once, each in its transaction: the second begins while the first one has not committed. */
async function atOnce<Result>(
  first: (tx: SystemTransaction) => Promise<Result>,
  second: (tx: SystemTransaction) => Promise<Result>,
): Promise<readonly [Result, Result]> {
  let commit = (): void => undefined;
  const mayCommit = new Promise<void>((resolve) => (commit = resolve));
  let begun = (): void => undefined;
  const hasBegun = new Promise<void>((resolve) => (begun = resolve));
  const one = database.people.system(async (tx) => {
    const result = await first(tx);
    begun();
    await mayCommit;
    return result;
  });
  await hasBegun;
  const other = database.people.system(second);
  // Either it waits for the first one, or it has got through.
  await Promise.race([other, until('a lock that is waited for', isWaiting)]);
  commit();
  return Promise.all([one, other]);
}

async function isWaiting(): Promise<true | null> {
  const { rows } = await admin.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return (rows[0]?.count ?? 0) > 0 ? true : null;
}

const user = (address: string) =>
  ({ address, name: 'Ada Sample', customerId, role: 'VIEWER', status: 'INVITED' }) as const;
const addWith = (vault: Vault, address: string) => (tx: AnyTransaction) =>
  addUser({ vault, clock }, tx, user(address));

describe('while processes hash under different peppers, one address', () => {
  it.each([
    ['the old one first', told, rotating],
    ['the new one first', rotating, told],
  ] as const)(
    'is given to one of two users who are added at once: %s',
    async (name, one, other) => {
      const address = `${name.replaceAll(' ', '-')}@partner.example`;
      const [first, second] = await atOnce(addWith(one, address), addWith(other, address));
      expect(first).toMatch(/^usr_/);
      expect(second).toBeNull();
    },
  );

  it('is given to one of two operators who are added at once', async () => {
    const operator = { address: 'ada@causeway.example', name: 'Ada', role: 'SUPPORT' } as const;
    const add = (vault: Vault) => (tx: SystemTransaction) =>
      addOperator({ vault, clock }, tx, operator);
    const [first, second] = await atOnce(add(rotating), add(told));
    expect(first).toMatch(/^opr_/);
    expect(second).toBeNull();
  });

  it('is given to one of a user who changes theirs and one who is added', async () => {
    const address = 'changed@partner.example';
    const deps = { people: database.people, vault: before, clock };
    const { id } = await addTestUser(deps, customerId, 'VIEWER');
    const sealed = rotating.seal(Buffer.from(address), `users/${id}/address`);
    const change = (tx: SystemTransaction) =>
      updateAddress(tx, id, { addressHash: hashAddress(rotating, address), address: sealed });
    const add = async (tx: SystemTransaction) => (await addWith(told, address)(tx)) !== null;
    expect(await atOnce(change, add)).toEqual([true, false]);
    const other = await addTestUser(deps, customerId, 'VIEWER');
    const late = (tx: SystemTransaction) =>
      updateAddress(tx, other.id, { addressHash: hashAddress(told, address), address: sealed });
    expect(await database.people.system(late)).toBe(false);
  });

  it('that is taken under the old pepper is not given out under the new one', async () => {
    const address = 'taken@partner.example';
    expect(await database.people.system(addWith(before, address))).toMatch(/^usr_/);
    expect(await database.people.system(addWith(told, address))).toBeNull();
    expect(await database.people.system(addWith(rotating, address))).toBeNull();
  });
});

describe('what one process has hashed, a process of the next step and of the one before finds', () => {
  const neighbors = [
    ['told of the new pepper, and before', told, before],
    ['with the new pepper, and told of it', rotating, told],
    ['told of the new pepper, and with it', told, rotating],
    ['without the old pepper, and with both', retired, rotating],
    ['with both, and without the old one', rotating, retired],
  ] as const;
  const deps = (vault: Vault) => ({
    ...{ vault, clock, db: database.db, operatorsNeedPasskeys: false },
    rebuild: () => Promise.reject(new Error('nothing is erased')),
  });
  const system = <Result>(work: (tx: SystemTransaction) => Promise<Result>) =>
    database.people.system(work);

  /** Everything that a person, a key or a form is known by, made by one process. */
  async function make(maker: Vault, name: string) {
    const people = { people: database.people, vault: maker, clock };
    const person = await addTestUser(people, customerId, 'OWNER', `${name}@partner.example`);
    const invited = await addTestUser(
      ...([people, customerId, 'VIEWER', `${name}-invited@partner.example`, 'INVITED'] as const),
    );
    const device = newDevice();
    await system((tx) => keepDevice({ vault: maker, clock }, tx, person.id, device));
    const invitation = await system((tx) =>
      writeInvitation({ vault: maker, clock }, tx, { customerId, userId: invited.id }),
    );
    const session = { surface: 'dashboard', personId: person.id, browser: 'Firefox' } as const;
    const token = await system((tx) => openSession({ vault: maker, clock }, tx, session));
    const scope = { customerId, environment: 'test' } as const;
    const key = await database.db.system((tx) => addApiKey(tx, maker, scope));
    await ask(maker, name);
    const binding = { surface: 'dashboard', session: 'one', path: '/users' };
    const form = issueFormToken(maker, binding, clock.now());
    return { person, device, invitation, token: token ?? '', key, binding, form, name };
  }

  /** A request under a key; its answer says how often it was carried out. */
  const ask = async (vault: Vault, key: string) => {
    const scope = { customerId, environment: 'test' } as const;
    const request = { idempotencyKey: key, fingerprint: Buffer.from(key) };
    const { isReplay } = await answerOnce(deps(vault), scope, request, () =>
      Promise.resolve({ status: 200, text: 'done', subject: null }),
    );
    return isReplay;
  };

  async function expectFound(vault: Vault, made: Awaited<ReturnType<typeof make>>): Promise<void> {
    const { person, device, invitation, token, key, binding, form, name } = made;
    const hashes = vault.keyedHashes('mail-address', person.address);
    const found = await system((tx) => findLoginPeople(tx, 'dashboard', hashes));
    expect(found).toMatchObject([{ id: person.id }]);
    const from = { surface: 'dashboard', address: person.address, browser: 'one', device } as const;
    const networks = { network: '192.0.2.0/24', wideNetwork: '192.0.2.0/24' };
    const asker = await system((tx) => findAsker({ vault, clock }, tx, { ...from, ...networks }));
    expect(asker.kind).toBe('KNOWN_DEVICE');
    expect(await system((tx) => keepDevice({ vault, clock }, tx, person.id, device))).toBe(false);
    const invited = await system((tx) => lookUpInvitation({ vault, clock }, tx, invitation.token));
    expect(invited?.customerId).toBe(customerId);
    const seen = await findPerson(deps(vault), database.people, 'dashboard', token, true);
    expect(seen?.id).toBe(person.id);
    const stored = await createKeyFinder(database.db)(parseApiKeyToken(key.token)?.publicId ?? '');
    expect(identifyKey(vault, stored, key.token).customerId).toBe(customerId);
    expect(await ask(vault, name)).toBe(true);
    expect(() => readFormToken(vault, binding, form, clock.now())).not.toThrow();
  }

  it.each(neighbors)('%s', async (name, maker, finder) => {
    const made = await make(maker, name.replaceAll(/[ ,]+/g, '-'));
    if (finder === retired || maker === retired) await moveAll();
    await expectFound(finder, made);
    await moveAll();
  });

  it('nor is anything lost when hashes move, and none counts under the retired pepper afterwards', async () => {
    const made = await make(before, 'moved');
    await moveAll();
    await expectFound(told, made);
    await expectFound(rotating, made);
    // Sessions and forms are not moved: they are over when the old pepper is retired.
    const { form, binding, token, ...stored } = made;
    expect(() => readFormToken(retired, binding, form, clock.now())).toThrow();
    const find = (text: string) =>
      findPerson(deps(retired), database.people, 'dashboard', text, true);
    expect(await find(token)).toBeNull();
    const session = { surface: 'dashboard', personId: made.person.id, browser: 'Firefox' } as const;
    const open = (tx: SystemTransaction) => openSession({ vault: retired, clock }, tx, session);
    const later = (await system(open)) ?? '';
    const anew = issueFormToken(retired, binding, clock.now());
    await expectFound(retired, { ...stored, binding, form: anew, token: later });

    // Who knows the old pepper alone, and may write rows, gets nowhere.
    const forge = (sql: string, hash: Buffer) => admin.query(sql, [hash, made.person.id]);
    await admin.query(`SET session_replication_role = 'replica'`);
    await forge(
      'UPDATE sessions SET token_hash = $1 WHERE user_id = $2 AND ended_at IS NULL AND octet_length(token_hash) = 33',
      before.keyedHash('session:dashboard', later),
    );
    await forge(
      'UPDATE users SET address_hash = $1 WHERE id = $2',
      before.keyedHash('mail-address', made.person.address),
    );
    await admin.query('UPDATE api_keys SET token_hmac = $1 WHERE id = $2', [
      ...[before.keyedHash('api-key', made.key.token), made.key.id],
    ]);
    await admin.query(`SET session_replication_role = 'origin'`);
    expect(await find(later)).toBeNull();
    const hashes = retired.keyedHashes('mail-address', made.person.address);
    expect(await system((tx) => findLoginPeople(tx, 'dashboard', hashes))).toEqual([]);
    const publicId = parseApiKeyToken(made.key.token)?.publicId ?? '';
    const key = await createKeyFinder(database.db)(publicId);
    expect(() => identifyKey(retired, key, made.key.token)).toThrow();
  });

  it('a code is judged once by either, and both count one budget', async () => {
    const attempt = {
      surface: 'dashboard',
      address: 'codes@partner.example',
      browser: 'one',
    } as const;
    for (const [issuer, judge] of [
      [told, rotating],
      [rotating, told],
      [before, told],
    ] as const) {
      const issue = (vault: Vault) => system((tx) => issueCode({ vault, clock }, tx, attempt));
      const last = await issue(judge);
      const { code } = await issue(issuer);
      const judged = async (vault: Vault, typed: string) =>
        (await system((tx) => judgeTypedCode({ vault, clock }, tx, attempt, typed))).verdict.kind;
      if (last.code !== code) expect(await judged(judge, last.code)).toBe('WRONG');
      expect(await judged(judge, code)).toBe('RIGHT');
      expect(await judged(issuer, code)).toBe('OVER');
    }
    const stranger = {
      kind: 'STRANGER',
      address: 'dashboard:many',
      network: 'n',
      wideNetwork: 'n',
    } as const;
    const taken: boolean[] = [];
    for (let n = 0; n < 40; n += 1) {
      const vault = n % 2 === 0 ? told : rotating;
      taken.push(await system((tx) => takeCodeBudget({ vault, clock }, tx, stranger)));
    }
    const alone: boolean[] = [];
    for (let n = 0; n < 40; n += 1) {
      const one = { ...stranger, address: 'dashboard:few', network: 'm', wideNetwork: 'm' };
      alone.push(await system((tx) => takeCodeBudget({ vault: told, clock }, tx, one)));
    }
    expect(taken).toEqual(alone);
  });
});

/** As the command does. No row is left. */
async function moveAll(): Promise<void> {
  const deps = { db: database.resealing, vault: rotating, showProgress: () => undefined };
  expect((await raiseAllHashes(deps)).taken).toEqual([]);
  for (const { place, byKey } of await countByPepper(deps)) expect(byKey.has(0), place).toBe(false);
}

it('a release of a name that was screened under the old pepper holds under the new one', async () => {
  const harness = await startScreeningHarness();
  try {
    await harness.putList({ id: 'one', names: ['Jo Qpeppered'] });
    const { endUserId } = await harness.addParty({ firstName: 'Jo', lastName: 'Qpeppered' });
    await harness.rows(`SET session_replication_role = 'replica'`);
    await harness.rows(
      `WITH released AS (UPDATE screening_cases SET outcome = 'RELEASED', decided_by = 'operator:ada',
         decided_at = now(), reason = 'Another person.' WHERE end_user_id = $1)
       UPDATE end_users SET screening_status = 'RELEASED' WHERE id = $1`,
      [endUserId],
    );
    await harness.rows(`SET session_replication_role = 'origin'`);
    for (const vault of [rotating, told]) {
      await harness.putList({ id: 'one', names: ['Jo Qpeppered'] });
      await harness.rescreen(undefined, vault);
      expect((await harness.screeningOf(endUserId)).status).toBe('RELEASED');
      expect(await harness.cases()).toHaveLength(1);
    }
  } finally {
    await harness.close();
  }
});
