import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  HOLDER,
  IBAN,
  createPaymentHarness,
  type PaymentHarness,
} from '../../support/payment-harness.ts';

let harness: PaymentHarness;
beforeAll(async () => {
  harness = await createPaymentHarness({ funds: '100.00' });
});
afterAll(() => harness.close());

/** All but the counts and the log of requests: a refused one is a request too. */
async function tableNames(): Promise<string[]> {
  const rows = await harness.rows<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
       AND relname NOT IN ('rate_buckets', 'api_requests') ORDER BY relname`,
  );
  return rows.map(({ name }) => name);
}

/** Every table as text, row by row. When a key was last used is written behind, also of a refused request. */
async function dump(): Promise<Map<string, string[]>> {
  const tables = new Map<string, string[]>();
  for (const name of await tableNames()) {
    const row = name === 'api_keys' ? "(to_jsonb(t) - 'last_used_at' - 'last_used_ip')" : 't';
    const rows = await harness.rows<{ text: string }>(
      `SELECT ${row}::text AS text FROM "${name}" t ORDER BY 1`,
    );
    tables.set(
      name,
      rows.map(({ text }) => text),
    );
  }
  return tables;
}

describe('a refused payment', () => {
  it.each([
    ['insufficient_balance', { amount: '100.01' }],
    ['amount_above_maximum', { amount: '1000000000.00' }],
    ['currency_mismatch', { currency: 'USD' }],
    ['resource_not_found', { endUserId: 'eu_01k6b7q0e8f1htx9n3r5p7v2ab' }],
    ['validation_failed', { amount: '0' }],
  ])('for %s leaves no trace in any table', async (error, overrides) => {
    const before = await dump();
    const answer = await harness.pay(harness.order(overrides), 'refused');
    expect(answer.json()).toMatchObject({ error });
    expect(await dump()).toEqual(before);
  });
});

describe('an accepted payment', () => {
  it('shows nothing personal in any table: names, account, reference text, metadata', async () => {
    await harness.accept({
      reference: 'PLANTED-REFERENCE-TEXT',
      metadata: { PLANTEDKEY: 'PLANTED-METADATA-VALUE' },
    });
    const planted = [HOLDER, 'Sample', IBAN, IBAN.slice(4), 'PLANTED'];
    // bytea prints as hex: what lies there unencrypted would show in that spelling.
    const spellings = planted.flatMap((text) => [
      text,
      Buffer.from(text).toString('hex'),
      Buffer.from(text).toString('base64').replace(/=+$/, ''),
    ]);
    const tables = await dump();
    expect(tables.get('payments')).toHaveLength(1);
    const found: string[] = [];
    for (const [table, rows] of tables) {
      // The customer is a company of this test, named 'Sample Ltd' in the open.
      if (table === 'customers') continue;
      for (const row of rows) {
        for (const text of spellings) if (row.includes(text)) found.push(`${table}: ${text}`);
      }
    }
    expect(found).toEqual([]);
  });
});
