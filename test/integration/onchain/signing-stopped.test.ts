import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { freezeSignerAccountByHand } from '../../../src/modules/onchain/thaw-signer-account.ts';
import { SignerSilent, type Signer, type SignerRoom } from '../../../src/domain/onchain/signer.ts';
import { withLockedPayment } from '../../../src/modules/payments/lock-payment.ts';
import { createChainPayer } from '../../support/onchain/chain-payer.ts';
import {
  createSignerHarness,
  PLACE,
  type SignerHarness,
} from '../../support/onchain/signer-harness.ts';
import { thawSignerAccount } from '../../support/onchain/thaw-signer-account.ts';

const ONE = 1_000_000n;

let harness: SignerHarness;
let startOver: () => Promise<void>;
beforeAll(async () => {
  harness = await createSignerHarness();
  startOver = await harness.keepStart();
});
beforeEach(() => startOver());
afterAll(() => harness.close());

const holds = async (): Promise<readonly (string | null)[]> =>
  (
    await harness.rows<{ hold: string | null }>(
      'SELECT hold FROM chain_transfers ORDER BY created_at, reference',
    )
  ).map(({ hold }) => hold);

const countNonces = async (): Promise<number> =>
  (await harness.rows('SELECT FROM chain_nonces')).length;

/** The harness's signer, which signs for so much of an asset at a time and within the hour. */
function withRoom(changes: Partial<SignerRoom>): (address: string) => Signer | null {
  const room = { transactionMax: 10_000n * ONE, hourMax: 10_000n * ONE, hourLeft: 10_000n * ONE };
  return (address) => {
    const signer = harness.deps.signerOf(address);
    return signer && { ...signer, room: async () => ({ ...room, ...changes }) };
  };
}

const withHourLeft = (hourLeft: bigint) => withRoom({ hourLeft });

async function freeze(): Promise<void> {
  const people = { db: harness.database.people, clock: harness.clock };
  const key = { ...PLACE, address: harness.signerAccount };
  const act = { operator: 'ada', reason: 'a key was seen' };
  expect(await freezeSignerAccountByHand(people, key, act)).toBe(true);
}

/** As the payment's workflow does when it is woken. */
async function shown(paymentId: string) {
  const { scope } = harness.customer;
  const { payment } = await withLockedPayment(
    harness.deps,
    scope,
    paymentId,
    async (locked) => locked,
  );
  return { status: payment.status, detail: payment.statusDetail };
}

it('a transfer above the cap of the hour takes no nonce, and says that it waits', async () => {
  const large = await harness.send(30n * ONE);
  harness.clock.advance(1);
  const small = await harness.send(ONE);
  await harness.poll({ signerOf: withHourLeft(20n * ONE) });
  expect(await countNonces()).toBe(0);
  expect(harness.alarms).toEqual([{ kind: 'HOUR_OVER_CAP', asset: 'USDC' }]);
  expect(await holds()).toEqual(['SIGNING_STOPPED', 'SIGNING_STOPPED']);
  expect(await shown(large.id)).toEqual({ status: 'ON_HOLD', detail: 'SIGNING_STOPPED' });
  await harness.poll({ signerOf: withHourLeft(31n * ONE) });
  expect(await countNonces()).toBe(2);
  await harness.makeFinal();
  for (const { id, order } of [large, small]) {
    expect(await harness.balance(order.to)).toBe(order.amount);
    expect(await harness.payment(id)).toMatchObject({ finality: 'FINAL' });
  }
});

it('a poll cycle that has no room for transfers leaves what waits for its hour as it is', async () => {
  await harness.send(30n * ONE);
  const signerOf = withHourLeft(20n * ONE);
  await harness.poll({ signerOf });
  expect(await holds()).toEqual(['SIGNING_STOPPED']);
  const settings = { ...harness.deps.settings, notFinalMax: 0 };
  await harness.poll({ signerOf, settings });
  expect(await holds()).toEqual(['SIGNING_STOPPED']);
});

it('a transfer that no hot address can pay does not use up the hour of the others', async () => {
  await harness.send(2_000n * ONE);
  harness.clock.advance(1);
  await harness.send(ONE);
  await harness.poll({ signerOf: withHourLeft(20n * ONE) });
  expect(await countNonces()).toBe(1);
  expect(await holds()).toEqual(['AWAITING_LIQUIDITY', null]);
  expect(harness.alarms).toEqual([]);
});

it('transfers of one poll cycle are within the cap of the hour together', async () => {
  for (let n = 0; n < 4; n += 1) {
    await harness.send(10n * ONE);
    harness.clock.advance(1);
  }
  await harness.poll({ signerOf: withHourLeft(25n * ONE) });
  expect(await countNonces()).toBe(2);
});

it('a transfer above what signers sign for at a time keeps no other from its turn, and its payment is named', async () => {
  const large = await harness.send(30n * ONE);
  harness.clock.advance(1);
  const small = await harness.send(ONE);
  const lowered = withRoom({ transactionMax: 20n * ONE, hourMax: 20n * ONE, hourLeft: 20n * ONE });
  await harness.poll({ signerOf: lowered });
  expect(await holds()).toEqual(['STALLED', null]);
  expect(harness.alarms).toEqual([{ kind: 'AMOUNT_OVER_CAP', paymentId: large.id }]);
  await harness.makeFinal();
  expect(await harness.balance(small.order.to)).toBe(ONE);
  // The caps are raised again.
  await harness.poll();
  await harness.makeFinal();
  expect(await harness.balance(large.order.to)).toBe(30n * ONE);
});

it('one customer takes three quarters of the hour and hears that it waits, and the next one has room', async () => {
  const { database, clock, usdc } = harness;
  const other = await createChainPayer(database, clock, { asset: 'USDC', contract: usdc });
  const hour = withRoom({ hourMax: 40n * ONE, hourLeft: 40n * ONE });
  const ids: string[] = [];
  for (let n = 0; n < 4; n += 1) {
    ids.push((await harness.send(10n * ONE)).id);
    clock.advance(1);
  }
  await harness.poll({ signerOf: hour });
  await harness.poll({ signerOf: hour });
  expect(await countNonces()).toBe(3);
  const late = await other.send(10n * ONE);
  await harness.poll({ signerOf: hour });
  expect(await countNonces()).toBe(4);
  expect(await holds()).toEqual([null, null, null, 'SIGNING_STOPPED', null]);
  expect(await shown(ids[3] ?? '')).toEqual({ status: 'ON_HOLD', detail: 'SIGNING_STOPPED' });
  expect(harness.alarms).toEqual([]);
  clock.advance(3_600_000);
  await harness.anvil.mine();
  await harness.poll({ signerOf: hour });
  expect(await harness.balance(late.order.to)).toBe(10n * ONE);
  expect(await countNonces()).toBe(5);
  expect(await holds()).toEqual([null, null, null, null, null]);
});

it('a smaller transfer of a customer does not pass a larger one that waits for its share of the hour', async () => {
  const hour = withRoom({ hourMax: 40n * ONE, hourLeft: 40n * ONE });
  for (const amount of [20n * ONE, 20n * ONE, 5n * ONE]) {
    await harness.send(amount);
    harness.clock.advance(1);
  }
  await harness.poll({ signerOf: hour });
  await harness.poll({ signerOf: hour });
  expect(await countNonces()).toBe(1);
});

it('a transfer that is more than a share of the hour is sent where its customer has had nothing', async () => {
  await harness.send(35n * ONE);
  await harness.poll({ signerOf: withRoom({ hourMax: 40n * ONE, hourLeft: 40n * ONE }) });
  expect(await countNonces()).toBe(1);
});

it('nodes are not asked about transfers for which the hour has no room', async () => {
  for (let n = 0; n < 8; n += 1) {
    await harness.send(10n * ONE);
    harness.clock.advance(1);
  }
  let asked = 0;
  const { nodes } = harness.deps;
  const tryCall: typeof nodes.tryCall = (call) => {
    asked += 1;
    return nodes.tryCall(call);
  };
  await harness.poll({ signerOf: withHourLeft(20n * ONE), nodes: { ...nodes, tryCall } });
  expect(await countNonces()).toBe(2);
  // The two that are sent, and the one that closes its asset.
  expect(asked).toBe(3);
});

it('a frozen signer account is told at every poll cycle, and what waits behind it says so until it is thawed', async () => {
  await harness.send();
  await harness.poll();
  await freeze();
  const { id, order } = await harness.send();
  await harness.poll();
  await harness.poll();
  const frozen = {
    ...{ kind: 'SIGNER_ACCOUNT_FROZEN', why: 'OPERATOR' },
    address: harness.signerAccount,
  };
  expect(harness.alarms).toEqual([frozen, frozen]);
  expect(await shown(id)).toEqual({ status: 'ON_HOLD', detail: 'SIGNING_STOPPED' });
  await thawSignerAccount(harness);
  await harness.poll();
  expect(await shown(id)).toMatchObject({ status: 'SENT' });
  await harness.makeFinal();
  expect(await harness.balance(order.to)).toBe(order.amount);
});

it('a frozen signer account whose nonce is not signed holds what it carries, too', async () => {
  const { id, order } = await harness.send();
  const silent = () => ({
    address: harness.signerAccount,
    sign: () => Promise.reject(new SignerSilent()),
  });
  await harness.poll({ signerOf: silent });
  await freeze();
  await harness.poll();
  expect(await holds()).toEqual(['SIGNING_STOPPED']);
  await thawSignerAccount(harness);
  await harness.poll();
  expect(await holds()).toEqual([null]);
  await harness.makeFinal();
  expect(await harness.balance(order.to)).toBe(order.amount);
  expect(await harness.payment(id)).toMatchObject({ finality: 'FINAL' });
});

it('a signer that is silent for a minute holds what waits behind it', async () => {
  await harness.send();
  const silent = () => ({
    address: harness.signerAccount,
    sign: () => Promise.reject(new SignerSilent()),
  });
  await harness.poll({ signerOf: silent });
  harness.clock.advance(1_000);
  await harness.send();
  await harness.poll({ signerOf: silent });
  expect(await holds()).toEqual([null, null]);
  harness.clock.advance(61_000);
  await harness.poll({ signerOf: silent });
  expect(await holds()).toEqual([null, 'SIGNING_STOPPED']);
  await harness.poll();
  await harness.poll();
  expect(await holds()).toEqual([null, null]);
});
