import type { Client } from '@temporalio/client';
import { Client as TemporalClient, Connection } from '@temporalio/client';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../src/cli/embedded/ports.ts';
import { addTestOperator } from '../../support/test-people.ts';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';
import { startSite, type Site } from '../../support/web/site.ts';

let payments: PaymentHarness;
let site: Site;
let connection: Connection;
beforeAll(async () => {
  payments = await createPaymentHarness();
  // Nothing listens there.
  connection = Connection.lazy({ address: `127.0.0.1:${String(await freePort())}` });
  const temporal: Client = new TemporalClient({ connection });
  const { database, clock } = payments;
  site = await startSite('console', { temporal, on: { database, clock } });
});
afterAll(async () => {
  await site.close();
  await connection.close();
  await payments.close();
});

/** By the tables' owner: no role of ours reads codes. */
async function count(table: string): Promise<number> {
  const owner = new pg.Client({ connectionString: payments.database.url });
  await owner.connect();
  const looked = owner.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`);
  return (await looked.finally(() => owner.end())).rows[0]?.count ?? -1;
}

describe('while Temporal is down', () => {
  it('a retry is refused with 503, and neither its form nor a proof is spent', async () => {
    const { id } = await addTestOperator(site.people, 'OPERATIONS');
    const cookie = await site.logIn(id);
    const paymentId = await payments.accept();
    const path = `/payments/${paymentId}/retry`;
    const before = [await count('form_uses'), await count('login_challenges'), site.mailIds.length];
    const opened = site.hiddenFields((await site.get(path, cookie)).body, path);
    opened.append('reason', 'the bank says so');
    for (let tries = 0; tries < 2; tries += 1) {
      const answer = await site.post(path, opened, cookie);
      expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5']);
      expect(answer.body).toContain('Nothing was changed');
    }
    const after = [await count('form_uses'), await count('login_challenges'), site.mailIds.length];
    expect(after).toEqual(before);
    expect(await count('operator_decisions')).toBe(0);
  });
});
