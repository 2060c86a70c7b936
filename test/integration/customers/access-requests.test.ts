import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fundEveryCurrency } from '../../../src/modules/customers/onboard-customer.ts';
import {
  createAccessRequestHarness,
  DAY_MS,
  WILHELMINA,
  type AccessRequestHarness,
} from '../../support/customers/access-request-harness.ts';

let harness: AccessRequestHarness;
let operator: string;
let requestId: string;
beforeAll(async () => {
  harness = await createAccessRequestHarness();
  operator = (await harness.addOperator()).id;
  await harness.addOperator('SUPPORT');
});
afterAll(() => harness.close());
let count = 0;
let address = '';
beforeEach(async () => {
  await harness.sql('DELETE FROM mails');
  // Budgets and receipts are an address's.
  address = `w${String((count += 1))}@planted.example`;
  requestId = await harness.ask({ address });
});

const STATUS = async () => (await harness.rowOf(requestId))['status'];

describe('a request for access', () => {
  it('is told of once, to its sender and to the operators who decide, however often it is worked on', async () => {
    await Promise.all([1, 2, 3, 4].map(() => harness.advance(requestId)));
    expect((await harness.kinds()).sort()).toEqual(['OPS_REQUEST_RECEIVED', 'REQUEST_RECEIVED']);
    expect(await harness.advance(requestId)).toEqual({ kind: 'WAIT', waitMs: 2 * DAY_MS });
  });

  it('brings an address one receipt a day, however many requests name it', async () => {
    const more = await Promise.all([1, 2, 3].map(() => harness.ask({ address })));
    await Promise.all([requestId, ...more].map((id) => harness.advance(id)));
    const receipts = async () =>
      (await harness.kinds()).filter((kind) => kind === 'REQUEST_RECEIVED').length;
    expect(await receipts()).toBe(1);
    harness.clock.advance(DAY_MS + 1);
    await harness.advance(await harness.ask({ address }));
    expect(await receipts()).toBe(2);
  });

  it('brings an operator ten notices an hour and no more', async () => {
    for (let asked = 0; asked < 12; asked += 1) await harness.advance(await harness.ask());
    const notices = (await harness.kinds()).filter((kind) => kind === 'OPS_REQUEST_RECEIVED');
    expect(notices).toHaveLength(10);
  });

  it('is told of again after two days, once', async () => {
    await harness.advance(requestId);
    harness.clock.advance(2 * DAY_MS);
    await Promise.all([1, 2].map(() => harness.advance(requestId)));
    harness.clock.advance(DAY_MS);
    await harness.advance(requestId);
    const waiting = (await harness.kinds()).filter((kind) => kind === 'OPS_REQUEST_WAITING');
    expect(waiting).toHaveLength(1);
  });

  it('expires after 90 days, with everything that was told', async () => {
    await harness.advance(requestId);
    harness.clock.advance(90 * DAY_MS - 1);
    await harness.advance(requestId);
    expect(await STATUS()).toBe('WAITING');
    await harness.sql(`UPDATE mails SET status = 'SENT', contents = NULL, ended_at = created_at`);
    harness.clock.advance(1);
    expect(await harness.advance(requestId)).toEqual({ kind: 'DONE' });
    expect(await harness.rowOf(requestId)).toMatchObject({
      ...{ status: 'EXPIRED', details: null, address_hash: null, due_at: null },
    });
    expect(await harness.kinds()).not.toContain('REQUEST_RECEIVED');
    expect(await harness.approve(requestId, operator)).toBeNull();
  });

  it('that is declined is erased 30 days later, with the mails about it', async () => {
    await harness.advance(requestId);
    expect(await harness.decline(requestId, operator)).not.toBeNull();
    await harness.sql(`UPDATE mails SET status = 'SENT', contents = NULL, ended_at = created_at`);
    expect(await harness.advance(requestId)).toEqual({ kind: 'WAIT', waitMs: 30 * DAY_MS });
    harness.clock.advance(30 * DAY_MS);
    expect(await harness.advance(requestId)).toEqual({ kind: 'DONE' });
    expect(await harness.rowOf(requestId)).toMatchObject({ details: null, address_hash: null });
    expect(await harness.kinds()).toEqual(['OPS_REQUEST_RECEIVED']);
  });

  it('that is approved becomes a customer with funds, once, and is erased after 30 days', async () => {
    await harness.approve(requestId, operator);
    await Promise.all([1, 2, 3].map(() => harness.advance(requestId)));
    const { customer_id: customerId } = await harness.rowOf(requestId);
    const funds = await harness.sql(
      `SELECT currency, count(*)::int AS times FROM ledger_entries WHERE customer_id = $1
         AND account = 'available' GROUP BY currency`,
      [customerId],
    );
    expect(funds.length).toBeGreaterThan(3);
    expect(new Set(funds.map((row) => row['times']))).toEqual(new Set([1]));
    harness.clock.advance(30 * DAY_MS);
    expect(await harness.advance(requestId)).toEqual({ kind: 'DONE' });
    expect(await harness.rowOf(requestId)).toMatchObject({ status: 'APPROVED', details: null });
  });

  it('has exactly one outcome of decisions that come at once', async () => {
    const ends = await Promise.all([
      ...[1, 2, 3].map(() => harness.approve(requestId, operator)),
      ...[1, 2, 3].map(() => harness.decline(requestId, operator)),
    ]);
    expect(ends.filter((end) => end !== null)).toHaveLength(1);
    const acts = await harness.sql('SELECT action FROM audit_log WHERE subject = $1', [requestId]);
    expect(acts).toHaveLength(1);
    expect(['APPROVED', 'DECLINED']).toContain(await STATUS());
  });
});

describe('the database', () => {
  it('keeps a decision, what was asked, and the row', async () => {
    await harness.decline(requestId, operator);
    const refused = async (text: string) =>
      harness.sql(text, [requestId]).then(
        () => 'done',
        (error: unknown) => (error as Error).message,
      );
    expect(await refused(`UPDATE access_requests SET decided_at = now() WHERE id = $1`)).toContain(
      'it is decided',
    );
    expect(await refused(`UPDATE access_requests SET details = '\\x00' WHERE id = $1`)).toContain(
      'does not change',
    );
    expect(await refused(`DELETE FROM access_requests WHERE id = $1`)).toContain('append-only');
  });

  it('lets the worker decide, change and erase nothing before its time', async () => {
    const asWorker = (text: string) =>
      harness.database.db
        .system((tx) => tx.query(text, [requestId]))
        .then(
          ([row]) => (row === undefined ? 'done' : Object.values(row)[0]),
          (error: unknown) => (error as Error).message,
        );
    expect(
      await asWorker(`UPDATE access_requests SET status = 'APPROVED' WHERE id = $1`),
    ).toContain('permission denied');
    for (const step of ['REMIND', 'EXPIRE', 'FUND', 'ERASE']) {
      const text = `SELECT advance_access_request($1, '${step}', '${harness.clock.now().toISOString()}')`;
      expect(await asWorker(text), step).toBe(false);
    }
    expect(await STATUS()).toBe('WAITING');
  });

  it('lets neither API nor worker write a request, an invitation or a user', async () => {
    const insert = (table: string, role: 'app' | 'system') => {
      const text = `INSERT INTO ${table} (id) VALUES ($1)`;
      const { db } = harness.database;
      const scope = { customerId: 'cus_x', environment: 'test' } as const;
      const done =
        role === 'system'
          ? db.system((tx) => tx.query(text, ['x']))
          : db.write(scope, (tx) => tx.query(text, ['x']));
      return done.then(
        () => 'done',
        (error: unknown) => (error as Error).message,
      );
    };
    for (const table of ['access_requests', 'invitations', 'users']) {
      for (const role of ['app', 'system'] as const) {
        expect(await insert(table, role), `${role} ${table}`).toContain('permission denied');
      }
    }
  });

  it('makes no user ACTIVE who has not used the last link', async () => {
    const mailId = (await harness.approve(requestId, operator)) ?? '';
    const { user_id: userId } = await harness.rowOf(requestId);
    const activate = () =>
      harness.sql(`UPDATE users SET status = 'ACTIVE' WHERE id = $1`, [userId]).then(
        () => 'done',
        (error: unknown) => (error as Error).message,
      );
    expect(await activate()).toContain('not verified');
    const token = await harness.tokenIn(mailId);
    expect(await harness.accept(token)).toBe(true);
    const [user] = await harness.sql('SELECT status FROM users WHERE id = $1', [userId]);
    expect(user?.['status']).toBe('ACTIVE');
    const otherId = 'usr_00000000000000000000000000';
    await harness.sql(
      `INSERT INTO users SELECT $2, customer_id, sha256(address_hash), address, name, role, 'INVITED', 1,
         time_zone, theme, created_at FROM users WHERE id = $1`,
      [userId, otherId],
    );
    await harness.sql(`UPDATE users SET status = 'DISABLED' WHERE id = $1`, [userId]);
    // The link of before is no reason to come back.
    expect(await activate()).toContain('not verified');
  });
});

describe('test funds', () => {
  it('are given once, though two processes give them at the same time', async () => {
    await harness.approve(requestId, operator);
    const { customer_id: customerId } = await harness.rowOf(requestId);
    const scope = { customerId: String(customerId), environment: 'test' } as const;
    const deps = { db: harness.database.db, clock: harness.clock };
    await Promise.all([1, 2, 3, 4].map(() => fundEveryCurrency(deps, scope)));
    const [most] = await harness.sql(
      `SELECT max(available) AS most FROM balances WHERE customer_id = $1 AND currency = 'EUR'`,
      [customerId],
    );
    expect(most?.['most']).toBe('100000000');
  });
});

it('leaves nothing that was told in any column that is not sealed', async () => {
  await harness.advance(requestId);
  const mailId = (await harness.approve(requestId, operator)) ?? '';
  const token = await harness.tokenIn(mailId);
  const tables = await harness.sql(
    `SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename`,
  );
  expect(tables.length).toBeGreaterThan(20);
  const { company: _company, ...personal } = WILHELMINA;
  const planted = [...Object.values({ ...personal, address }), token];
  for (const { tablename } of tables) {
    const rows = await harness.sql(`SELECT t::text AS row FROM ${String(tablename)} t`);
    const text = rows.map(({ row }) => String(row)).join('\n');
    for (const plain of planted) {
      expect(text.includes(plain), `${String(tablename)} holds ${plain}`).toBe(false);
      expect(text.includes(Buffer.from(plain).toString('hex')), String(tablename)).toBe(false);
    }
  }
});
