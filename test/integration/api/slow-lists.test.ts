import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../support/test-app.ts';

let harness: TestApp;
let admin: pg.Client;
beforeAll(async () => {
  harness = await createTestApp();
  admin = new pg.Client({ connectionString: harness.database.url });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await harness.close();
});

const LISTS = {
  '/payments': 'payments',
  '/balance-transactions': 'ledger_entries',
  '/events': 'events',
  '/end-users': 'end_users',
  '/bank-accounts': 'bank_accounts',
  '/webhook-endpoints': 'webhook_endpoints',
} as const;

describe('a list that PostgreSQL cannot read in time', () => {
  it('is a 503 that says what to do', async () => {
    await admin.query('BEGIN');
    await admin.query(`LOCK TABLE ${Object.values(LISTS).join(', ')} IN ACCESS EXCLUSIVE MODE`);
    const answers = await Promise.all(
      Object.keys(LISTS).map((url) =>
        harness.app.inject({ url: `/api/v1${url}`, headers: harness.headers }),
      ),
    );
    await admin.query('ROLLBACK');
    for (const answer of answers) {
      expect(answer.statusCode).toBe(503);
      expect(answer.headers['retry-after']).toBe('1');
      expect(answer.json()).toMatchObject({
        error: 'service_unavailable',
        message: 'The list could not be read within 2 seconds. Narrow the filters, or try again.',
      });
    }
  });

  it('can be read again, and the limit stays with lists', async () => {
    for (const url of Object.keys(LISTS)) {
      const answer = await harness.app.inject({ url: `/api/v1${url}`, headers: harness.headers });
      expect(answer.statusCode).toBe(200);
    }
    const show = 'SELECT current_setting($1) AS limit';
    const values = ['statement_timeout'];
    const scope = { ...harness.scope };
    const inList = await harness.database.db.list(scope, (tx) => tx.query(show, values));
    const inRead = await harness.database.db.read(scope, (tx) => tx.query(show, values));
    expect([inList, inRead]).toEqual([[{ limit: '2s' }], [{ limit: '15s' }]]);
  });
});
