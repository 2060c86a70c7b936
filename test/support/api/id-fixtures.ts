import { randomInt, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Payer, PaymentHarness } from '../payment-harness.ts';
import { bookStandingDeposit, seeDepositOf } from '../standing-deposit.ts';
import { someAddress } from '../sample-networks.ts';
import { fundAsset } from '../wallet-payments.ts';

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
  walletId: (harness, owner) => addWallet(harness, owner),
  /** One that is final, to an address of the end-user's. */
  async depositId(harness, owner) {
    const { endUserId } = owner;
    const addressId = await made(harness, owner, '/deposit-addresses', { endUserId });
    return bookStandingDeposit(harness, addressId, { payer: owner });
  },
  depositAddressId: (harness, owner) => made(harness, owner, '/deposit-addresses', {}),
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

const addWallet = (harness: PaymentHarness, owner: Payer): Promise<string> =>
  made(harness, owner, '/wallets', {
    ...{ endUserId: owner.endUserId, network: 'BASE', address: someAddress() },
    ownership: 'SELF_HOSTED',
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
  /** One that has been paid to. */
  async walletId(owner, harness) {
    const walletId = await addWallet(harness, owner);
    await fundAsset({ ...harness, payer: owner }, 'USDC', 100_000_000n);
    const { endUserId } = owner;
    await made(harness, owner, '/payments', { endUserId, walletId, amount: '10', asset: 'USDC' });
    return walletId;
  },
  /** One that a deposit has come to. */
  async depositAddressId(owner, harness) {
    const { endUserId } = owner;
    const addressId = await made(harness, owner, '/deposit-addresses', { endUserId });
    await bookStandingDeposit(harness, addressId, { payer: owner });
    return addressId;
  },
  /** Of an event that endpoints made before are sent. */
  resourceId: (owner, harness) => addEndUser(harness, owner),
  quoteId: (owner, harness) =>
    made(harness, owner, '/quotes', {
      ...{ sourceCurrency: 'USD', targetCurrency: 'EUR', targetAmount: '10', lockFor: '1h' },
    }),
};

/** The same where a route is told of other ones than most. */
export const STANDING_IDS_OF: Readonly<Record<string, Readonly<Record<string, Stand>>>> = {
  'GET /api/v1/deposits': {
    /** One that waits, and whose address a deposit has come to. */
    async paymentId(owner, harness) {
      const { endUserId } = owner;
      const paymentId = await made(harness, owner, '/payments', {
        ...{ endUserId, walletId: await addWallet(harness, owner), amount: '10', asset: 'USDC' },
        funding: { type: 'CRYPTO_DEPOSIT', asset: 'USDC', network: 'BASE' },
      });
      await seeDepositOf(harness, owner.scope, paymentId);
      return paymentId;
    },
  },
};

/** Fails the test of a route whose id no one has said how to make. */
export function fixtureFor<Fixture>(
  fixtures: Readonly<Record<string, Fixture>>,
  id: string,
  operation: string,
): Fixture {
  const fixture = fixtures[id];
  if (fixture !== undefined) return fixture;
  throw new Error(
    `${operation} takes the id ${id}, of which test/support/api/id-fixtures.ts does not know how to make ` +
      'one: add it there, so that ids of others are tried on the route.',
  );
}

const orderOf = ({ endUserId, bankAccountId }: Payer) => ({
  ...{ endUserId, bankAccountId },
  ...{ amount: '10.00', currency: 'EUR' },
});
