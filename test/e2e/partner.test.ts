import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { vaultConfig } from '../../src/server/config/vault-config.ts';
import { createDatabase } from '../../src/db/client/database.ts';
import { type DatabaseRoles, CONSOLE_ROLES } from '../../src/db/schema/database-roles.ts';
import { createPool } from '../../src/db/client/pool.ts';
import { keepSecrets } from '../../src/cli/dev/dev-secrets.ts';
import { openVault } from '../../src/server/runtime/open-vault.ts';
import { TEST_POOL } from '../support/database.ts';
import { addApiKey, addCustomer } from '../support/test-customer.ts';
import { until } from '../support/until.ts';
import { startReceiver } from '../support/webhooks/receiver.ts';
import { openStack, type Beneficiary } from '../support/e2e/stack.ts';

const stack = openStack();
let to: Beneficiary;
beforeAll(async () => {
  await stack.untilReady();
  to = await stack.addBeneficiary();
});

describe('a partner', () => {
  it('who posts one key 40 times at once gets one payment', async () => {
    const key = 'forty-at-once';
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => stack.post(to, '10.00', key)),
    );
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].filter((status) => status !== 201 && status !== 409)).toEqual([]);
    const accepted = answers.filter(({ status }) => status === 201);
    expect(new Set(accepted.map(({ text }) => text)).size).toBe(1);
    const first = accepted.filter(({ headers }) => headers.get('idempotent-replayed') === null);
    expect(first).toHaveLength(1);
    const { body } = await stack.call<{ data: unknown[] }>(
      'GET',
      `/payments?idempotencyKey=${key}`,
    );
    expect(body.data).toHaveLength(1);
    const id = await stack.pay(to, '10.00', key);
    await stack.untilPayment(id, 'COMPLETED');
    expect((await stack.journal(await stack.referenceOf(id))).executed.count).toBe(1);
  });

  it('whose receiver refuses a webhook gets it again after seconds, under the same id', async () => {
    const receiver = await startReceiver();
    try {
      // Every event once: files that share the stack pay as the same customer.
      const refused = new Set<string>();
      receiver.answer = ({ id }, response) => {
        response.writeHead(refused.has(id) ? 204 : 503).end();
        refused.add(id);
      };
      const { body: endpoint } = await stack.call<{ id: string; secret: string }>(
        'POST',
        '/webhook-endpoints',
        { url: receiver.url, types: ['payment.completed'] },
      );
      const id = await stack.pay(to, '10.00');
      const deliveries = () => receiver.received.filter(({ body }) => body.includes(id));
      await until('the second delivery', () => deliveries()[1]);
      const [first, second] = deliveries();
      expect(second?.id).toBe(first?.id);
      expect(second?.body).toBe(first?.body);
      expect(JSON.parse(second?.body ?? '')).toMatchObject({
        type: 'payment.completed',
        resource: { id },
      });
      // Counted from the first attempt: 5 s with 20 % of jitter, in whole seconds of the header.
      const distance = Number(second?.timestamp) - Number(first?.timestamp);
      expect(distance).toBeGreaterThanOrEqual(3);
      receiver.verifyAll(endpoint.secret);
      await stack.call('DELETE', `/webhook-endpoints/${endpoint.id}`);
    } finally {
      await receiver.close();
    }
  });

  it('whose payment is delivered for good is told so, signed, after the statement and the return window', async () => {
    const receiver = await startReceiver();
    try {
      const { body: endpoint } = await stack.call<{ id: string; secret: string }>(
        'POST',
        '/webhook-endpoints',
        { url: receiver.url, types: ['payment.final'] },
      );
      const [id, back] = [await stack.pay(to, '10.00'), await stack.pay(to, '10.02')];
      const told = await until('payment.final', () =>
        receiver.received.find(({ body }) => body.includes(id)),
      );
      const { body: payment } = await stack.call<FinalPayment>('GET', `/payments/${id}`);
      expect(payment).toMatchObject({
        ...{ status: 'COMPLETED', finality: { state: 'FINAL' } },
        reconciliation: { status: 'RECONCILED' },
      });
      const { finalAt, dueAt } = payment.finality;
      expect(Date.parse(finalAt)).toBeGreaterThanOrEqual(Date.parse(dueAt));
      expect(JSON.parse(told.body)).toMatchObject({
        ...{ type: 'payment.final', data: { status: 'COMPLETED', finality: { state: 'FINAL' } } },
        resource: { id, version: payment.version },
      });
      receiver.verifyAll(endpoint.secret);
      // What the sandbox sends back after two seconds came back before that.
      await stack.untilPayment(back, 'RETURNED');
      expect(receiver.received.filter(({ body }) => body.includes(back))).toEqual([]);
      await stack.call('DELETE', `/webhook-endpoints/${endpoint.id}`);
    } finally {
      await receiver.close();
    }
  });

  it("finds another customer's resources as missing as those that never were", async () => {
    const stranger = { authorization: `Bearer ${await addKeyOfAnother()}` };
    const paymentId = await stack.pay(to, '10.00');
    await stack.untilPayment(paymentId, 'COMPLETED');
    const { body: hook } = await stack.call<{ id: string }>('POST', '/webhook-endpoints', {
      url: 'http://127.0.0.1:9/hooks',
    });
    const { body: quote } = await stack.call<{ id: string }>('POST', '/quotes', {
      ...{ sourceCurrency: 'USD', targetCurrency: 'EUR', sourceAmount: '10', lockFor: '1m' },
    });
    const { body: batch } = await stack.call<{ id: string }>('POST', '/payment-batches', {
      items: [{ idempotencyKey: 'of-a-batch', ...stack.order(to, '10.00') }],
    });
    // The newest is behind the endpoint, so it has a delivery there.
    const { body: events } = await stack.call<{ data: { id: string }[] }>('GET', '/events');
    const now = Date.now();
    const { body: replay } = await stack.call<{ id: string }>(
      'POST',
      `/webhook-endpoints/${hook.id}/replay`,
      { from: new Date(now - 60_000).toISOString(), to: new Date(now).toISOString() },
    );
    const { body: moves } = await stack.call<{ data: { id: string }[] }>(
      'GET',
      '/balance-transactions?limit=1',
    );
    const { body: wallet } = await stack.call<{ id: string }>(
      'POST',
      '/wallets',
      {
        ...{ endUserId: to.endUserId, network: 'BASE', ownership: 'SELF_HOSTED' },
        address: `0x${randomBytes(20).toString('hex')}`,
      },
      { 'idempotency-key': 'a-wallet' },
    );
    const { body: address } = await stack.insist<{ id: string; address: string }>(
      'POST',
      '/deposit-addresses',
      { endUserId: to.endUserId },
      { 'idempotency-key': 'an-address' },
    );
    const depositId = await addDeposit(address);
    const own: Record<string, string> = {
      depositId,
      depositAddressId: address.id,
      walletId: wallet.id,
      balanceTransactionId: moves.data[0]?.id ?? '',
      paymentId,
      endUserId: to.endUserId,
      bankAccountId: to.bankAccountId,
      quoteId: quote.id,
      paymentBatchId: batch.id,
      endpointId: hook.id,
      webhookEndpointId: hook.id,
      webhookReplayId: replay.id,
      eventId: events.data[0]?.id ?? '',
    };
    const { body: document } = await stack.call<{
      paths: Record<string, { get?: { security?: unknown[] } }>;
    }>('GET', '/openapi.json');
    // What is public belongs to no one.
    const routes = Object.entries(document.paths).flatMap(([path, { get }]) =>
      get !== undefined && get.security?.length !== 0 && /\{\w+Id\}/.test(path)
        ? [path.replace('/api/v1', '')]
        : [],
    );
    expect(routes.length).toBeGreaterThanOrEqual(7);
    for (const route of routes) {
      const fill = (id: (name: string) => string) =>
        route.replace(/\{(\w+)\}/g, (_all, name: string) => id(name));
      const mine = fill((name) => own[name] ?? `no sample for {${name}} of ${route}`);
      // An id of the same form that no one has.
      const missing = fill((name) => (own[name] ?? '').replace(/.{6}$/, '000000'));
      expect((await stack.call('GET', mine)).status, mine).toBe(200);
      const theirs = await stack.call('GET', mine, undefined, stranger);
      const nobodys = await stack.call('GET', missing, undefined, stranger);
      expect(theirs.status, mine).toBe(404);
      expect(withoutRequestId(theirs), mine).toBe(withoutRequestId(nobodys));
    }
    await stack.call('DELETE', `/webhook-endpoints/${hook.id}`);
  }, 240_000);
});

interface FinalPayment extends Record<string, unknown> {
  readonly version: number;
  readonly finality: { readonly finalAt: string; readonly dueAt: string };
}

const withoutRequestId = ({ text, body }: { text: string; body: Record<string, unknown> }) =>
  text.replace(String(body['requestId']), '');

/** Stores another customer in the stack's database; answers a test key of it. */
async function addKeyOfAnother(): Promise<string> {
  const { encryptionKeys, pepper } = keepSecrets(stack.folder);
  const vault = await openVault(vaultConfig({ encryptionKeys, pepper }));
  const url = stack.state().databaseUrl;
  const open = (role: DatabaseRoles['app']) =>
    createPool({ ...TEST_POOL, url, role, connectionsMax: 1 });
  const db = createDatabase({
    ...{ appPool: open(CONSOLE_ROLES.app), systemPool: open(CONSOLE_ROLES.system) },
    runAfterCommit: () => undefined,
  });
  try {
    return await db.system(async (tx) => {
      const customerId = await addCustomer(tx);
      return (await addApiKey(tx, vault, { customerId })).token;
    });
  } finally {
    await db.close();
  }
}

/** Has USDC sent to a deposit address; answers the deposit once a block holds it. */
async function addDeposit({ id, address }: { id: string; address: string }): Promise<string> {
  const sent = await stack.insist(
    'POST',
    '/sandbox/token-deposits',
    { address, network: 'BASE', asset: 'USDC', amount: '5.00' },
    { 'idempotency-key': 'a-deposit' },
  );
  expect(sent.status, sent.text).toBe(202);
  return until('a deposit', async () => {
    const { body } = await stack.insist<{ data: { id: string }[] }>(
      'GET',
      `/deposits?depositAddressId=${id}`,
    );
    return body.data[0]?.id;
  });
}
