import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createPaymentHarness,
  type PaymentHarness,
  type Payer,
} from '../../support/payment-harness.ts';
import { addCustomer } from '../../support/test-customer.ts';

let harness: PaymentHarness;
let app: pg.Client;
let live: Payer;
let stranger: Payer;
let scopedTables: string[];
beforeAll(async () => {
  harness = await createPaymentHarness();
  const customerId = await harness.database.db.system((tx) => addCustomer(tx));
  stranger = await harness.addPayer({ customerId, environment: 'test' });
  live = await harness.addPayer({ ...harness.scope, environment: 'live' });
  for (const { endUserId, bankAccountId, token } of [harness.payer, stranger, live]) {
    const body = { endUserId, bankAccountId, amount: '10.00', currency: 'EUR' };
    expect((await harness.pay(body, 'one', token)).statusCode).toBe(201);
    const hook = { url: 'https://hooks.example.com/x' };
    const made = await harness.ask({
      method: 'POST',
      url: '/webhook-endpoints',
      body: hook,
      token,
    });
    expect(made.statusCode).toBeLessThan(500);
  }
  scopedTables = (
    await harness.rows<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
         AND a.attname = 'customer_id' AND NOT a.attisdropped ORDER BY 1`,
    )
  ).map(({ name }) => name);
  app = new pg.Client({ connectionString: harness.database.url, options: '-c role=causeway_app' });
  await app.connect();
});
afterAll(async () => {
  await app.end();
  await harness.close();
});

/** One transaction of the application's role in a scope; always rolled back. */
async function inScope<Result>(
  scope: { customerId: string; environment: string } | null,
  work: () => Promise<Result>,
): Promise<Result> {
  await app.query('BEGIN');
  try {
    if (scope !== null) {
      await app.query(
        `SELECT set_config('causeway.customer', $1, true),
           set_config('causeway.environment', $2, true)`,
        [scope.customerId, scope.environment],
      );
    }
    return await work();
  } finally {
    await app.query('ROLLBACK');
  }
}

interface Owned {
  customer_id: string;
  environment?: string;
}

describe('row-level security alone', () => {
  it('is forced on every table that names a customer and that the application may touch', async () => {
    const touched = await harness.rows<{ name: string }>(
      `SELECT name FROM unnest($1::text[]) AS name, unnest($2::text[]) AS may
       WHERE has_table_privilege('causeway_app', name, may) GROUP BY name`,
      [scopedTables, ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']],
    );
    expect(touched.length).toBeGreaterThan(12);
    const forced = await harness.rows<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace
         AND relrowsecurity AND relforcerowsecurity`,
    );
    expect(forced.map(({ name }) => name)).toEqual(
      expect.arrayContaining(touched.map(({ name }) => name)),
    );
  });

  it('gives the application no table, function or right to get around it', async () => {
    const owned = await harness.rows(
      `SELECT relname FROM pg_class WHERE relowner = 'causeway_app'::regrole
       UNION ALL SELECT proname FROM pg_proc WHERE proowner = 'causeway_app'::regrole`,
    );
    expect(owned).toEqual([]);
    const [role] = await harness.rows<Record<string, boolean>>(
      `SELECT rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolcanlogin
       FROM pg_roles WHERE rolname = 'causeway_app'`,
    );
    expect(Object.values(role ?? {})).toEqual([false, false, false, false, false]);
    const [right] = await harness.rows<{ member: boolean }>(
      `SELECT pg_has_role('causeway_app', 'causeway_system', 'MEMBER') AS member`,
    );
    expect(right?.member).toBe(false);
  });

  it('shows a SELECT without WHERE the rows of its scope only', async () => {
    let seen = 0;
    for (const { scope } of [harness.payer, stranger, live]) {
      for (const table of scopedTables) {
        const isReadable = await harness.rows<{ may: boolean }>(
          `SELECT has_table_privilege('causeway_app', $1, 'SELECT') AS may`,
          [table],
        );
        if (isReadable[0]?.may !== true) continue;
        const { rows } = await inScope(scope, () => app.query<Owned>(`SELECT * FROM ${table}`));
        seen += rows.length;
        for (const row of rows) {
          expect(row.customer_id, table).toBe(scope.customerId);
          if ('environment' in row) expect(row.environment, table).toBe(scope.environment);
        }
      }
    }
    expect(seen).toBeGreaterThan(30);
  });

  it('shows nothing where the scope is not set, or set by halves', async () => {
    const halves = [
      null,
      { customerId: harness.scope.customerId, environment: '' },
      { customerId: '', environment: 'test' },
      { customerId: '%', environment: 'test' },
    ];
    for (const scope of halves) {
      for (const table of [
        'payments',
        'balances',
        'ledger_entries',
        'idempotency_keys',
        'events',
      ]) {
        const { rows } = await inScope(scope, () => app.query(`SELECT * FROM ${table}`));
        expect(rows, table).toEqual([]);
      }
    }
  });

  it('changes nothing of another scope, with a WHERE that names it', async () => {
    const table = ['balances', 'payments', 'end_users', 'bank_accounts', 'settlement_attempts'];
    for (const name of table) {
      const { rowCount } = await inScope(harness.scope, () =>
        app.query(`UPDATE ${name} SET environment = environment WHERE customer_id = $1`, [
          stranger.scope.customerId,
        ]),
      );
      expect(rowCount, name).toBe(0);
    }
  });

  it('refuses to write a row for another scope', async () => {
    for (const { scope } of [stranger, live]) {
      const writing = inScope(harness.scope, () =>
        app.query(
          `INSERT INTO balances (customer_id, environment, currency) VALUES ($1, $2, 'CHF')`,
          [scope.customerId, scope.environment],
        ),
      );
      await expect(writing).rejects.toThrow('row-level security');
      const moving = inScope(harness.scope, () =>
        app.query('UPDATE balances SET customer_id = $1, environment = $2', [
          ...[scope.customerId, scope.environment],
        ]),
      );
      await expect(moving).rejects.toThrow('row-level security');
    }
  });
});
