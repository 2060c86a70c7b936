import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../../../src/api/app.ts';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';
import { readPerformanceCounts } from '../../support/performance-counts.ts';
import { testSettings } from '../../support/test-app.ts';
import {
  addWallet,
  ENCODERS,
  fundAsset,
  NETWORKS,
  toWallet,
} from '../../support/wallet-payments.ts';
import {
  createCountedDatabase,
  type CountedDatabase,
} from '../../support/payments/counted-database.ts';

let harness: PaymentHarness;
let counted: CountedDatabase;
let app: ReturnType<typeof buildApp>;
beforeAll(async () => {
  const settings = testSettings({ networks: NETWORKS });
  harness = await createPaymentHarness({ settings, encoderFor: ENCODERS });
  counted = createCountedDatabase(harness.database.url);
  app = buildApp({ ...harness.deps, db: counted.db });
  await app.ready();
});
afterAll(async () => {
  await app.close();
  await counted.db.close();
  await harness.close();
});

const cost = (key: string, overrides: object = {}) => costOf(key, harness.order(overrides));

async function costOf(key: string, payload: object) {
  counted.readStatements();
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v1/payments',
    headers: { authorization: `Bearer ${harness.token}`, 'idempotency-key': key },
    payload,
  });
  // A lease of rate limits serves many requests: test/integration/api/leased-buckets.test.ts counts them.
  // The leases of rate limits and the log of requests serve many requests.
  const statements = counted
    .readStatements()
    .filter((text) => !/lease_rate_tokens|write_api_requests/.test(text));
  const commits = statements.filter((text) => text === 'COMMIT').length;
  return { status: answer.statusCode, statements, commits };
}

const { statements: STATEMENTS, commits: COMMITS } = readPerformanceCounts().lone;

describe('what one POST /payments costs in PostgreSQL', () => {
  it('accepted: as many statements as docs/performance.json says and one commit, the look-up of the key included', async () => {
    // The first request opens the connection.
    await cost('warm');
    const { status, statements, commits } = await cost('first');
    expect(status).toBe(201);
    expect(statements.some((text) => text.includes('find_api_key'))).toBe(true);
    expect(statements, statements.join('\n---\n')).toHaveLength(STATEMENTS.request);
    expect(commits).toBe(COMMITS.accept);
    // Nothing is written outside the one transaction: there a commit would be hidden.
    const outside = [
      ...statements.slice(
        0,
        statements.findIndex((text) => text.startsWith('BEGIN')),
      ),
      ...statements.slice(statements.indexOf('COMMIT') + 1),
    ];
    expect(outside.every((text) => /^SELECT/i.test(text))).toBe(true);
  });

  it('to a wallet: one more, for the travel rule', async () => {
    await fundAsset(harness, 'USDC', 100_000_000n);
    const { id } = await addWallet(harness);
    const { status, statements, commits } = await costOf('wallet', toWallet(harness, id));
    expect([status, commits]).toEqual([201, COMMITS.accept]);
    expect(statements, statements.join('\n---\n')).toHaveLength(STATEMENTS.requestToWallet);
  });

  it('replayed: no more than accepted', async () => {
    const { status, statements } = await cost('first');
    expect(status).toBe(201);
    expect(statements.length).toBeLessThan(STATEMENTS.request);
  });

  it('refused: nothing is committed', async () => {
    const { status, commits } = await cost('refused', { amount: '999999999.00' });
    expect(status).toBe(422);
    expect(commits).toBe(0);
  });
});
