import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replaceRates } from '../../../src/db/payments/fx-rate-store.ts';
import { useQuote } from '../../support/use-quote.ts';
import {
  createPaymentHarness,
  type PaymentHarness,
  type Payer,
} from '../../support/payment-harness.ts';
import { testSettings } from '../../support/test-app.ts';
import { addCustomer } from '../../support/test-customer.ts';

// Row-level security is the second wall. Here it is torn down: every WHERE has to hold by itself.
const SECRETS = {
  test: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
  live: `whsec_${Buffer.alloc(32, 2).toString('base64')}`,
};

let harness: PaymentHarness;
let owners: readonly Owner[];

interface Owner extends Payer {
  readonly name: string;
  readonly paymentId: string;
  readonly endpointId: string;
  readonly quoteId: string;
}

beforeAll(async () => {
  harness = await createPaymentHarness({ settings: testSettings({ kycCallbackSecrets: SECRETS }) });
  const tables = await harness.rows<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND relrowsecurity`,
  );
  expect(tables.length).toBeGreaterThan(12);
  for (const { name } of tables)
    await harness.rows(`ALTER TABLE ${name} DISABLE ROW LEVEL SECURITY`);
  const asOf = harness.clock.now();
  const leg = { source: 'sample', base: 'USD', quote: 'EUR', rate: '0.9', asOf };
  await harness.database.db.system((tx) => replaceRates(tx, [leg], asOf));
  const customerId = await harness.database.db.system((tx) => addCustomer(tx));
  const payers: readonly (readonly [string, Payer])[] = [
    ['a customer', harness.payer],
    ['its live side', await harness.addPayer({ ...harness.scope, environment: 'live' })],
    ['another customer', await harness.addPayer({ customerId, environment: 'test' })],
  ];
  // Every payment before the first endpoint: only a test queues events.
  const paid = await Promise.all(payers.map(([, payer]) => payIn(payer)));
  owners = await Promise.all(
    payers.map(([name, payer], at) => settleIn({ ...payer, name, paymentId: paid[at] ?? '' })),
  );
});
afterAll(() => harness.close());

async function make({ token }: Payer, url: string, body: object, key?: string): Promise<string> {
  const answer = await harness.ask({ method: 'POST', url, body, token, ...(key && { key }) });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<{ id: string }>().id;
}

function payIn(payer: Payer): Promise<string> {
  const { endUserId, bankAccountId } = payer;
  const order = { endUserId, bankAccountId, amount: '10.00', currency: 'EUR' };
  return make(payer, '/payments', order, 'the same key');
}

async function settleIn(paid: Omit<Owner, 'endpointId' | 'quoteId'>): Promise<Owner> {
  return {
    ...paid,
    endpointId: await make(paid, '/webhook-endpoints', { url: 'https://93.184.216.34/hooks' }),
    quoteId: await make(paid, '/quotes', {
      ...{ sourceCurrency: 'USD', targetCurrency: 'EUR', sourceAmount: '10', lockFor: '1h' },
    }),
  };
}

const others = (owner: Owner) => owners.filter((other) => other !== owner);
const idsOf = (owner: Owner) => [
  ...[owner.endUserId, owner.bankAccountId, owner.paymentId, owner.endpointId],
  owner.quoteId,
];

describe('by WHERE alone', () => {
  it('without row-level security the database would show everything', async () => {
    const seen = await harness.database.db.read(harness.scope, (tx) =>
      tx.query<{ id: string }>('SELECT id FROM payments'),
    );
    expect(seen).toHaveLength(owners.length);
  });

  it.each([
    ...['/end-users', '/bank-accounts', '/payments', '/webhook-endpoints', '/events', '/quotes'],
    '/payments?idempotencyKey=the%20same%20key',
  ])('GET %s shows a caller its own and nothing else', async (url) => {
    for (const owner of owners) {
      const answer = await harness.ask({ url, token: owner.token });
      expect(answer.json<{ data: unknown[] }>().data.length).toBeGreaterThan(0);
      for (const id of others(owner).flatMap(idsOf)) expect(answer.body).not.toContain(id);
    }
  });

  it('GET /balances shows the own EUR once', async () => {
    for (const { token } of owners) {
      const { data } = (await harness.ask({ url: '/balances', token })).json<{
        data: { currency: string; reserved: string }[];
      }>();
      const euros = data.filter(({ currency }) => currency === 'EUR');
      expect(euros).toMatchObject([{ reserved: '10.00' }]);
    }
  });

  it("everything of another's is a 404", async () => {
    for (const owner of owners) {
      for (const other of others(owner)) {
        const urls = [
          `/end-users/${other.endUserId}`,
          `/end-users/${other.endUserId}/kyc`,
          `/bank-accounts/${other.bankAccountId}`,
          `/payments/${other.paymentId}`,
          `/payments/${other.paymentId}/timeline`,
          `/webhook-endpoints/${other.endpointId}`,
          `/quotes/${other.quoteId}`,
        ];
        for (const url of urls) {
          const answer = await harness.ask({ url, token: owner.token });
          expect(answer.statusCode, `${owner.name} of ${other.name}: ${url}`).toBe(404);
        }
      }
    }
  });

  it("another's end-user or account in a body is a 422, and nothing moves", async () => {
    const before = await harness.rows('SELECT * FROM balances ORDER BY customer_id, environment');
    for (const owner of owners) {
      for (const { endUserId, bankAccountId } of others(owner)) {
        const theirs = [
          { ...harness.order(), endUserId, bankAccountId },
          { ...harness.order(), endUserId: owner.endUserId, bankAccountId },
          { ...harness.order(), endUserId, bankAccountId: owner.bankAccountId },
        ];
        for (const body of theirs) {
          const answer = await harness.pay(body, undefined, owner.token);
          expect(answer.statusCode, answer.body).toBe(422);
          expect(answer.json()).toMatchObject({ error: 'resource_not_found' });
        }
      }
    }
    expect(await harness.rows('SELECT * FROM balances ORDER BY customer_id, environment')).toEqual(
      before,
    );
  });

  it("another's quote cannot be used", async () => {
    for (const owner of owners) {
      for (const { quoteId, paymentId } of others(owner)) {
        const use = { quoteId, paymentId, at: harness.clock.now() };
        const used = harness.database.db.write(owner.scope, (tx) => useQuote(tx, owner.scope, use));
        await expect(used).rejects.toMatchObject({ code: 'resource_not_found' });
      }
    }
    expect(await harness.rows('SELECT id FROM quotes WHERE consumed_at IS NOT NULL')).toEqual([]);
  });

  it("another's end-user cannot be checked, another's endpoint not deleted", async () => {
    for (const owner of owners) {
      for (const { endUserId, endpointId, bankAccountId } of others(owner)) {
        const headers = { authorization: `Bearer ${owner.token}` };
        const inject = (method: 'POST' | 'DELETE', url: string) =>
          harness.app.inject({ method, url: `/api/v1${url}`, headers });
        expect((await inject('POST', `/end-users/${endUserId}/kyc`)).statusCode).toBe(404);
        expect((await inject('POST', `/bank-accounts/${bankAccountId}/disable`)).statusCode).toBe(
          404,
        );
        expect((await inject('DELETE', `/webhook-endpoints/${endpointId}`)).statusCode).toBe(404);
      }
    }
    const left = await harness.rows("SELECT id FROM webhook_endpoints WHERE status = 'ENABLED'");
    expect(left).toHaveLength(owners.length);
  });

  it("an event is queued for no endpoint of another's", async () => {
    for (const { endUserId, bankAccountId, token, endpointId } of owners) {
      const order = { ...harness.order(), endUserId, bankAccountId };
      const answer = await harness.pay(order, undefined, token);
      expect(answer.statusCode, answer.body).toBe(201);
      const queued = await harness.rows(
        'SELECT DISTINCT endpoint_id AS id FROM webhook_deliveries WHERE resource_id = $1',
        [answer.json<{ id: string }>().id],
      );
      expect(queued).toEqual([{ id: endpointId }]);
    }
  });
});
