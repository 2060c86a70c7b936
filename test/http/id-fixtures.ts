import { randomInt, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Payer, PaymentHarness } from '../support/payment-harness.ts';

/** `path` holds the ids that stand before it in the path, of the same owner; empty where it is made alone. */
type Make = (
  harness: PaymentHarness,
  owner: Payer,
  path?: Readonly<Record<string, string>>,
) => Promise<string>;

async function made(
  harness: PaymentHarness,
  { token }: Payer,
  url: string,
  body?: object,
): Promise<string> {
  const key = `fixture-${randomUUID()}`;
  const answer = await harness.ask({ method: 'POST', url, token, key, ...(body && { body }) });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<{ id: string }>().id;
}

/** Makes what an id in a path names, fresh: routes may end it. Called as the parameter is called. */
export const PATH_FIXTURES: Readonly<Record<string, Make>> = {
  async endUserId(harness, owner) {
    const id = await addEndUser(harness, owner);
    await made(harness, owner, `/end-users/${id}/kyc`);
    return id;
  },
  bankAccountId: (harness, owner) =>
    made(harness, owner, '/bank-accounts', {
      ...{ endUserId: owner.endUserId, country: 'GB', currency: 'GBP', rail: 'FPS' },
      ...{ holderName: 'Ada Sample', holderType: 'INDIVIDUAL' },
      details: { sortCode: '040004', accountNumber: String(randomInt(1e7, 1e8)) },
    }),
  quoteId: (harness, owner) =>
    made(harness, owner, '/quotes', {
      ...{ sourceCurrency: 'USD', targetCurrency: 'EUR', sourceAmount: '10', lockFor: '1h' },
    }),
  paymentBatchId: (harness, owner) =>
    made(harness, owner, '/payment-batches', {
      items: [{ idempotencyKey: `item-${randomUUID()}`, ...orderOf(owner) }],
    }),
  paymentId: (harness, owner) => made(harness, owner, '/payments', orderOf(owner)),
  webhookEndpointId: addEndpoint,
  async webhookReplayId(harness, owner, path) {
    const endpointId = path?.['webhookEndpointId'] ?? (await addEndpoint(harness, owner));
    const now = harness.clock.now().getTime();
    const [from, to] = [now - 1_000, now].map((at) => new Date(at).toISOString());
    return made(harness, owner, `/webhook-endpoints/${endpointId}/replay`, { from, to });
  },
  async balanceTransactionId(harness, owner) {
    await made(harness, owner, '/payments', orderOf(owner));
    const { token } = owner;
    const answer = await harness.ask({ url: '/balance-transactions?limit=1', token });
    return answer.json<{ data: { id: string }[] }>().data[0]?.id ?? '';
  },
  /** One that endpoints made before are sent. */
  async eventId(harness, owner) {
    const endUserId = await addEndUser(harness, owner);
    const { token } = owner;
    const answer = await harness.ask({ url: `/events?resourceId=${endUserId}`, token });
    return answer.json<{ data: { id: string }[] }>().data[0]?.id ?? '';
  },
};

const addEndUser = (harness: PaymentHarness, owner: Payer): Promise<string> =>
  made(harness, owner, '/end-users', {
    ...{ type: 'INDIVIDUAL', individual: { firstName: 'Ada', lastName: 'Sample' } },
  });

/** Nothing listens there; live wants an address outside, which nothing is sent to. */
async function addEndpoint(harness: PaymentHarness, owner: Payer): Promise<string> {
  const isLive = owner.scope.environment === 'live';
  const url = isLive ? 'https://93.184.216.34/hooks' : 'http://127.0.0.1:9/hooks';
  return made(harness, owner, '/webhook-endpoints', { url });
}

type Stand = (owner: Payer, harness: PaymentHarness) => Promise<string> | string;

/** What an id in a body or a filter names: things that fit each other, and stay. */
export const STANDING_IDS: Readonly<Record<string, Stand>> = {
  endUserId: (owner) => owner.endUserId,
  bankAccountId: (owner) => owner.bankAccountId,
  /** Of an event that endpoints made before are sent. */
  resourceId: (owner, harness) => addEndUser(harness, owner),
  quoteId: (owner, harness) =>
    made(harness, owner, '/quotes', {
      ...{ sourceCurrency: 'USD', targetCurrency: 'EUR', targetAmount: '10', lockFor: '1h' },
    }),
};

/** Fails the test of a route whose id nobody has said how to make. */
export function fixtureFor<Fixture>(
  fixtures: Readonly<Record<string, Fixture>>,
  id: string,
  operation: string,
): Fixture {
  const fixture = fixtures[id];
  if (fixture !== undefined) return fixture;
  throw new Error(
    `${operation} takes the id ${id}, of which test/http/id-fixtures.ts does not know how to make ` +
      'one: add it there, so that ids of others are tried on the route.',
  );
}

const orderOf = ({ endUserId, bankAccountId }: Payer) => ({
  ...{ endUserId, bankAccountId },
  ...{ amount: '10.00', currency: 'EUR' },
});
