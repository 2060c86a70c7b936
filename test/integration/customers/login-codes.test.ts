import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  hasCodeBudget,
  issueCode,
  judgeTypedCode,
  takeCodeBudget,
  type LoginAttempt,
} from '../../../src/modules/customers/access/login-codes.ts';
import { createDatabase, type Database } from '../../../src/db/client/database.ts';
import { createPool } from '../../../src/db/client/pool.ts';
import { createTestClock } from '../../support/test-clock.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createTestVault } from '../../support/test-vault.ts';

let database: TestDatabase;
/** The console's role, whose statements need no transaction around them, over ten connections. */
let asConsole: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  const { url } = database;
  const pool = (connectionsMax: number) =>
    createPool({ url, role: 'causeway_console', connectionsMax, onError: () => undefined });
  asConsole = createDatabase({
    ...{ appPool: pool(10), systemPool: pool(1), runAfterCommit: () => undefined },
  });
});
afterAll(async () => {
  await asConsole.close();
  await database.close();
});

const clock = createTestClock();
const deps = { vault: createTestVault(), clock };
let count = 0;
/** An address and a browser of the test's own. */
const attempt = (): LoginAttempt => {
  count += 1;
  const address = `user${String(count)}@partner.example`;
  return { surface: 'dashboard', address, browser: `browser-${String(count)}` };
};
const issue = (from: LoginAttempt) => issueCode(deps, asConsole, from);
const judge = async (from: LoginAttempt, typed: string) =>
  (await judgeTypedCode(deps, asConsole, from, typed)).verdict;
/** Another code than the right one. */
const wrong = (code: string, add = 1) =>
  String((Number(code) + add) % 100_000_000).padStart(8, '0');

const times = <Result>(number: number, work: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: number }, (_none, index) => work(index)));

describe('a code', () => {
  it('is right once, with a space in its middle or without', async () => {
    const from = attempt();
    const { code } = await issue(from);
    expect(code).toMatch(/^[0-9]{8}$/);
    expect(await judge(from, ` ${code.slice(0, 4)} ${code.slice(4)}\n`)).toEqual({ kind: 'RIGHT' });
    expect(await judge(from, code)).toEqual({ kind: 'OVER' });
  });

  it('opens one session, of a hundred who send it at once', async () => {
    const from = attempt();
    const { code } = await issue(from);
    const verdicts = await times(100, () => judge(from, code));
    expect(verdicts.filter(({ kind }) => kind === 'RIGHT')).toHaveLength(1);
  });

  it('is judged five times, of a thousand at once, and the right one is then too late', async () => {
    const from = attempt();
    const { code } = await issue(from);
    const verdicts = await times(1_000, (index) => judge(from, wrong(code, index + 1)));
    const left = verdicts.flatMap((one) => (one.kind === 'WRONG' ? [one.triesLeft] : []));
    // The fifth says that the code is over, as all behind it do.
    expect(left.sort()).toEqual([1, 2, 3, 4]);
    expect(await judge(from, code)).toEqual({ kind: 'OVER' });
  });

  it('is good for five minutes', async () => {
    const [first, second] = [attempt(), attempt()];
    const { code, expiresAt } = await issue(first);
    const { code: other } = await issue(second);
    expect(expiresAt.getTime() - clock.now().getTime()).toBe(300_000);
    clock.advance(299_999);
    expect(await judge(first, code)).toEqual({ kind: 'RIGHT' });
    clock.advance(1);
    expect(await judge(second, other)).toEqual({ kind: 'OVER' });
  });

  it('counts only in the browser that asked, for its address and on its surface', async () => {
    const from = attempt();
    const { code } = await issue(from);
    for (const other of [
      { ...from, browser: 'another' },
      { ...from, address: 'another@partner.example' },
      { ...from, surface: 'console' as const },
    ]) {
      expect(await judge(other, code)).toEqual({ kind: 'OVER' });
      await issue(other);
      expect(await judge(other, code)).toMatchObject({ kind: 'WRONG' });
    }
    expect(await judge(from, code)).toEqual({ kind: 'RIGHT' });
  });

  it('ends the last one of its browser, and no other browser\u2019s', async () => {
    const mine = attempt();
    const stranger = { ...mine, browser: 'a stranger' };
    const { code: first } = await issue(mine);
    await issue(stranger);
    const { code: second } = await issue(mine);
    if (first !== second) expect(await judge(mine, first)).toMatchObject({ kind: 'WRONG' });
    await issue(stranger);
    expect(await judge(mine, second)).toEqual({ kind: 'RIGHT' });
  });

  it.each(['', '1234567', '123456789', '1234567a', '١٢٣٤٥٦٧٨', "1' OR 1=1"])(
    'costs no try where %j was typed',
    async (typed) => {
      const from = attempt();
      const { code } = await issue(from);
      expect(await judge(from, typed)).toEqual({ kind: 'NO_CODE' });
      expect(await judge(from, wrong(code))).toEqual({ kind: 'WRONG', triesLeft: 4 });
    },
  );

  it('is in no column, nor is the address or the browser', async () => {
    const from = attempt();
    const { code } = await issue(from);
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query<{ all: string }>(
      `SELECT string_agg(row_to_json(c)::text, '') || string_agg(encode(code_hash, 'escape'), '')
       AS all FROM login_challenges c`,
    );
    await client.end();
    expect(rows[0]?.all.length).toBeGreaterThan(100);
    for (const plain of [code, from.address, from.browser]) {
      expect(rows[0]?.all).not.toContain(plain);
    }
  });
});

describe('codes of an hour', () => {
  const take = (asker: Parameters<typeof takeCodeBudget>[2]) =>
    takeCodeBudget(deps, database.people, asker);
  const stranger = (address: string, network: string, wideNetwork = network) =>
    ({ kind: 'STRANGER', address, network, wideNetwork }) as const;

  it('are twenty for an address, however many ask at once, and none keeps a known device out', async () => {
    const taken = await times(40, (index) => take(stranger('a@x.example', `n${String(index)}`)));
    expect(taken.filter(Boolean)).toHaveLength(20);
    const device = { kind: 'KNOWN_DEVICE', device: 'mine' } as const;
    const mine = await times(12, () => take(device));
    expect(mine.filter(Boolean)).toHaveLength(10);
  });

  it('are five for an address from one network, which leaves the others their share', async () => {
    const taken = await times(40, () => take(stranger('d@x.example', 'flooding')));
    expect(taken.filter(Boolean)).toHaveLength(5);
    expect(await take(stranger('d@x.example', 'home'))).toBe(true);
  });

  it('are eighty for a /48, however many /64 it has', async () => {
    const taken = await times(100, (index) =>
      take(stranger(`e${String(index)}@x.example`, `e${String(index)}/64`, 'e/48')),
    );
    expect(taken.filter(Boolean)).toHaveLength(80);
  });

  it('cost no lock where they are spent: a request that is refused waits for no other one', async () => {
    const asker = stranger('f@x.example', 'locked');
    await times(6, () => take(asker));
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query('BEGIN');
    await client.query('SELECT FROM access_counters FOR UPDATE');
    expect(await hasCodeBudget(deps, database.people, asker)).toBe(false);
    expect(await take(asker)).toBe(false);
    await client.query('ROLLBACK');
    await client.end();
  });

  it('are twenty for a network, whatever the address', async () => {
    const taken = await times(40, (index) => take(stranger(`b${String(index)}@x.example`, 'one')));
    expect(taken.filter(Boolean)).toHaveLength(20);
  });

  it('come again with the next hour', async () => {
    const asker = stranger('c@x.example', 'another');
    await times(6, () => take(asker));
    expect(await take(asker)).toBe(false);
    clock.advance(3_600_000);
    expect(await take(asker)).toBe(true);
  });
});

describe('the tables of codes', () => {
  it.each(['causeway_app', 'causeway_system', 'causeway_dashboard', 'causeway_console'])(
    'are shut to %s but for what the functions do',
    async (role) => {
      const client = new pg.Client({
        connectionString: database.url,
        options: `-c role=${role}`,
      });
      await client.connect();
      const refused = async (text: string) =>
        client.query(text).then(
          () => 'done',
          (error: unknown) => (error instanceof Error ? error.message : ''),
        );
      for (const table of ['login_challenges', 'access_counters']) {
        expect(await refused(`SELECT * FROM ${table}`)).toContain('permission denied');
        expect(await refused(`DELETE FROM ${table}`)).toContain('permission denied');
      }
      const ask = await refused(`SELECT take_access_budget(sha256('x'), now(), 1)`);
      const isOfPeople = role === 'causeway_dashboard' || role === 'causeway_console';
      expect(ask).toContain(isOfPeople ? 'done' : 'permission denied');
      const judge = await refused(
        `SELECT judge_login_code('console', sha256('x'), sha256('x'), sha256('x'), now())`,
      );
      expect(judge).toContain(role === 'causeway_console' ? 'done' : 'permission denied');
      await client.end();
    },
  );
});
