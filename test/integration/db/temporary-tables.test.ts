import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createTestClock } from '../../support/test-clock.ts';
import { addApiKey, addCustomer } from '../../support/test-customer.ts';
import { addTestOperator } from '../../support/test-people.ts';
import { createTestVault } from '../../support/test-vault.ts';

/** Roles that may make a temporary table where the database still allows it, and the tables' owner. */
const ROLES = [
  ...(['causeway_system', 'causeway_console', 'causeway_effects', 'causeway_dashboard'] as const),
  'NONE',
] as const;

let database: TestDatabase;
let superuser: pg.Client;
let customerId: string;
let addressId: string;
let operatorId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  superuser = new pg.Client({ connectionString: database.url });
  await superuser.connect();
});
afterAll(async () => {
  await superuser.end();
  await database.close();
});
beforeEach(async () => {
  const vault = createTestVault();
  customerId = await database.db.system((tx) =>
    addCustomer(tx, { status: 'SUSPENDED', hasLiveAccess: false }),
  );
  const key = { customerId, environment: 'live', pendingRanges: ['203.0.113.0/24'] } as const;
  const { id } = await database.people.system((tx) => addApiKey(tx, vault, key));
  const [address] = await rows('SELECT id FROM api_key_addresses WHERE api_key_id = $1', [id]);
  addressId = address?.['id'] as string;
  const people = { people: database.people, vault, clock: createTestClock() };
  operatorId = (await addTestOperator(people, 'SUPPORT')).id;
  await superuser.query('BEGIN');
});
afterEach(() => superuser.query('ROLLBACK'));

const rows = async (sql: string, values: unknown[] = []) =>
  (await superuser.query<Record<string, unknown>>(sql, values)).rows;

/**
 * In a transaction: what the rights of a role would let pass is let pass, so that a guard alone is asked; then
 * the role makes tables of its own with the names that guards read, and does `sql`. Answers the refusal's SQLSTATE.
 */
async function lieAs(
  role: (typeof ROLES)[number],
  lies: readonly (readonly [table: string, row: object])[],
  sql: string,
  values: unknown[],
): Promise<string> {
  const all = 'causeway_app, causeway_system, causeway_dashboard, causeway_console';
  await superuser.query(`GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA public TO ${all}`);
  await superuser.query(
    `SELECT set_config('causeway.customer', $1, true),
    set_config('causeway.environment', 'live', true)`,
    [customerId],
  );
  for (const table of [
    'customers',
    'approvals',
    'approval_uses',
    'api_key_addresses',
    'passkeys',
  ]) {
    await superuser.query(`ALTER TABLE public.${table} NO FORCE ROW LEVEL SECURITY`);
    await superuser.query(`ALTER TABLE public.${table} DISABLE ROW LEVEL SECURITY`);
  }
  await superuser.query(`SET LOCAL ROLE ${role}`);
  for (const [table, row] of lies) {
    await superuser.query(`CREATE TEMP TABLE IF NOT EXISTS ${table} (LIKE public.${table})`);
    for (const { attname: column } of await rows(
      `SELECT attname FROM pg_attribute WHERE attrelid = $1::regclass AND attnotnull AND attnum > 0`,
      [`pg_temp.${table}`],
    )) {
      await superuser.query(`ALTER TABLE pg_temp.${table} ALTER ${String(column)} DROP NOT NULL`);
    }
    await superuser.query(
      `INSERT INTO pg_temp.${table} SELECT * FROM jsonb_populate_record(NULL::pg_temp.${table}, $1)`,
      [row],
    );
    if (table === 'approval_uses') {
      await superuser.query(
        'UPDATE pg_temp.approval_uses SET used_by_transaction = pg_current_xact_id()',
      );
    }
  }
  return superuser.query(sql, values).then(
    ({ rowCount }) => `done: ${String(rowCount)}`,
    (error: unknown) => (error as pg.DatabaseError).code ?? '',
  );
}

/** Lies that say: two operators approved this, and this transaction uses it. */
const approved = (action: string, subject: string, version: number, content: object = {}) => {
  const two = { proposed_by: 'opr_one', decided_by: 'opr_two', customer_id: customerId };
  const of = { action, subject_id: subject, subject_version: version, environment: 'live' };
  return [
    ['approvals', { id: 'apr_lie', decision: 'APPROVED', content, ...two, ...of }],
    ['approval_uses', { approval_id: 'apr_lie', used_at: '2026-11-22T00:00:00Z' }],
  ] as const;
};

describe.each(ROLES)('%s that has tables of its own under the names that guards read', (role) => {
  it('resumes no customer', async () => {
    const lies = approved('CUSTOMER_RESUMPTION', customerId, 1);
    const sql = `UPDATE public.customers SET status = 'ACTIVE' WHERE id = $1`;
    expect(await lieAs(role, lies, sql, [customerId])).toBe('23514');
  });

  it('gives no customer live access', async () => {
    const company = { id: 'eu_lie', customer_id: 'cus_platform', environment: 'live' };
    const lies = [
      ...approved('LIVE_ACCESS', 'lar_lie', 1),
      [
        'live_access_requests',
        {
          ...{ id: 'lar_lie', customer_id: customerId, company_id: 'eu_lie', company_version: 1 },
          ...{ kyc_check_id: 'kyc_lie', terms_version: 1 },
        },
      ],
      [
        'end_users',
        {
          ...{ ...company, external_id: customerId, identity_version: 1, type: 'BUSINESS' },
          ...{ status: 'ACTIVE', kyc_status: 'APPROVED', kyc_round: 1, screening_status: 'CLEAR' },
        },
      ],
      ['kyc_checks', { id: 'kyc_lie', end_user_id: 'eu_lie', round: 1 }],
      ['live_terms', { version: 1 }],
      ['users', { customer_id: customerId, role: 'OWNER', status: 'ACTIVE' }],
    ] as const;
    const sql = 'UPDATE public.customers SET live_access = true WHERE id = $1';
    expect(await lieAs(role, lies, sql, [customerId])).toBe('23514');
  });

  it('approves no address of a live key', async () => {
    const [key] = await rows(
      'SELECT api_key_id AS id FROM public.api_key_addresses WHERE id = $1',
      [addressId],
    );
    const content = { apiKeyId: key?.['id'], range: '203.0.113.0/24' };
    const lies = [
      ...approved('ADDRESS', addressId, 1, content),
      ['operators', { id: 'opr_one', status: 'ACTIVE', role: 'COMPLIANCE' }],
      ['operators', { id: 'opr_two', status: 'ACTIVE', role: 'COMPLIANCE' }],
    ] as const;
    const sql = `UPDATE public.api_key_addresses SET status = 'APPROVED', version = 2, decided_by = 'x',
      decided_at = now() WHERE id = $1`;
    expect(await lieAs(role, lies, sql, [addressId])).toBe('23514');
  });

  it('makes no live key of a customer without live access', async () => {
    const lies = [['customers', { id: customerId, live_access: true }]] as const;
    const sql = `INSERT INTO public.api_keys (id, customer_id, environment, public_id, name, token_hmac,
      last4, scopes, expires_at, created_at) VALUES ('key_x', $1, 'live', 'abcdefabcdef', 'x',
      sha256('x'), 'abcd', '{*}', now() + interval '1 day', now())`;
    expect(await lieAs(role, lies, sql, [customerId])).toBe('23514');
  });

  it('proposes nothing under the right of an operator who has none', async () => {
    const lies = [
      ['operators', { id: operatorId, status: 'ACTIVE', role: 'ADMIN' }],
      ['approval_actions', { action: 'ADDRESS', roles: ['ADMIN'] }],
    ] as const;
    const sql = `INSERT INTO public.approvals (id, customer_id, environment, action, subject_id,
        subject_version, content, content_hash, proposed_by, proposed_at, reason, expires_at)
      VALUES ('apr_x', $1, 'live', 'ADDRESS', $2, 1, '{}', '', $3, now(), 'x', now() + interval '1 day')`;
    expect(await lieAs(role, lies, sql, [customerId, addressId, operatorId])).toBe('23514');
  });

  it('uses no approval that was not given', async () => {
    await superuser.query(
      `INSERT INTO public.approvals (id, customer_id, environment, action, subject_id, subject_version,
         content, content_hash, submitted_by, proposed_at, reason, expires_at)
       VALUES ('apr_lie', $1, 'live', 'ADDRESS', $2, 1, '{}', '', 'ada', now(), 'x',
         now() + interval '1 day')`,
      [customerId, addressId],
    );
    const lies = [
      [
        'approvals',
        {
          ...{ id: 'apr_lie', decision: 'APPROVED', proposed_by: 'opr_one', decided_by: 'opr_two' },
          expires_at: '2126-01-01T00:00:00Z',
        },
      ],
    ] as const;
    const sql = `INSERT INTO public.approval_uses (approval_id, customer_id, environment, used_at)
      VALUES ('apr_lie', $1, 'live', now())`;
    // These may write no use at all.
    const refusal = ['causeway_system', 'causeway_dashboard'].includes(role) ? '42501' : '23514';
    expect(await lieAs(role, lies, sql, [customerId])).toBe(refusal);
  });

  it('removes no passkey of an operator', async () => {
    await superuser.query(
      `INSERT INTO public.passkeys (id, credential_id, public_key, counter, transports, operator_id,
         browser, created_at)
       VALUES ('psk_00000000000000000000000000', 'x', 'x', 0, '{}', $1, 'x', now())`,
      [operatorId],
    );
    const session = { id: 'ses_lie', operator_id: operatorId, expires_at: '2126-01-01T00:00:00Z' };
    const sql = `UPDATE public.passkeys SET removed_at = now(), removed_in = 'ses_lie'
      WHERE operator_id = $1`;
    expect(await lieAs(role, [['sessions', session]], sql, [operatorId])).toBe('23514');
  });
});
