import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { withLockedPayment } from '../../../src/modules/payments/lock-payment.ts';
import {
  createChainPayer,
  PAYER_FUNDS,
  type ChainPayer,
  type SentPayment,
} from '../../support/onchain/chain-payer.ts';
import { createSignerHarness, type SignerHarness } from '../../support/onchain/signer-harness.ts';
import {
  deployDouble,
  type DeployedDouble,
  type TokenDouble,
} from '../../support/onchain/token-doubles.ts';

const AMOUNT = 5_000_000n;

let harness: SignerHarness;
let startOver: () => Promise<void>;
let doubles: Readonly<Record<TokenDouble, DeployedDouble>>;
let token: DeployedDouble;
let payer: ChainPayer;
beforeAll(async () => {
  harness = await createSignerHarness();
  doubles = { UsdtDouble: await deploy('UsdtDouble'), HostileToken: await deploy('HostileToken') };
  await harness.anvil.mine(8);
  startOver = await harness.keepStart();
});
afterAll(() => harness.close());

/** The signer account holds 1,000 of the double. */
async function deploy(name: TokenDouble): Promise<DeployedDouble> {
  const double = await deployDouble(harness.anvil, name);
  await double.say('issue', harness.signerAccount, 1_000_000_000n);
  return double;
}

/** A new customer pays in the double. */
async function list(name: TokenDouble): Promise<void> {
  const { database, clock } = harness;
  await startOver();
  token = doubles[name];
  payer = await createChainPayer(database, clock, { asset: 'USDT', contract: token.contract });
}

/** The payment, once the workflow that was woken has applied what was reported. */
async function stand({ id }: SentPayment) {
  await withLockedPayment(harness.deps, payer.customer.scope, id, async () => undefined);
  const { status, fundsStatus, finality } = await harness.payment(id);
  return { status, fundsStatus, finality };
}

const HELD = { status: 'ON_HOLD', fundsStatus: 'HELD', finality: 'NONE' };
const DELIVERED = { status: 'COMPLETED', fundsStatus: 'DELIVERED', finality: 'FINAL' };

async function balance() {
  const { customerId } = payer.customer.scope;
  const [row] = await harness.rows<{ available: bigint; reserved: bigint }>(
    `SELECT available, reserved FROM balances WHERE customer_id = $1 AND currency = 'USDT'`,
    [customerId],
  );
  return row;
}

const nonces = async (): Promise<number> => (await harness.rows('SELECT FROM chain_nonces')).length;

describe('a token that answers nothing, as USDT', () => {
  beforeEach(() => list('UsdtDouble'));

  it('is paid in the amount of the payment', async () => {
    const sent = await payer.send(AMOUNT);
    await harness.poll();
    await harness.makeFinal();
    expect(await token.balance(sent.order.to)).toBe(AMOUNT);
    expect(await stand(sent)).toEqual(DELIVERED);
    expect(await balance()).toEqual({ available: PAYER_FUNDS - AMOUNT, reserved: 0n });
  });

  it('that keeps a fee of it is sent once, and not a second time for the rest', async () => {
    await token.say('setFee', 25n);
    const sent = await payer.send(AMOUNT);
    await harness.poll();
    await harness.makeFinal();
    expect(await token.balance(sent.order.to)).toBe((AMOUNT * 9_975n) / 10_000n);
    expect(await token.balance(harness.signerAccount)).toBe(1_000_000_000n - AMOUNT);
    expect(await stand(sent)).toEqual(DELIVERED);
    expect(await nonces()).toBe(1);
  });

  it.each([
    ['stopped', 'setPaused', [], [true], [false]],
    ['closed to our address', 'setBlackListed', ['signerAccount'], [true], [false]],
  ] as const)(
    '%s before it is sent uses no nonce, and is paid once the issuer lets it',
    async (_how, act, whom, on, off) => {
      const of = whom.map(() => harness.signerAccount);
      await token.say(act, ...of, ...on);
      const sent = await payer.send(AMOUNT);
      await harness.poll();
      expect(await stand(sent)).toEqual(HELD);
      expect(await nonces()).toBe(0);
      expect(await balance()).toEqual({ available: PAYER_FUNDS - AMOUNT, reserved: AMOUNT });
      expect(harness.alarms.map(({ kind }) => kind)).toContain('TOKEN_REFUSES');
      await token.say(act, ...of, ...off);
      await harness.poll();
      await harness.makeFinal();
      expect(await stand(sent)).toEqual(DELIVERED);
      expect(await token.balance(sent.order.to)).toBe(AMOUNT);
    },
  );

  it.each([
    ['stopped', 'setPaused', () => [true]],
    ['closed to our address', 'setBlackListed', () => [harness.signerAccount, true]],
  ] as const)(
    '%s before it is mined is no success: once that is final it waits until the issuer lets it',
    async (_how, act, args) => {
      const sent = await payer.send(AMOUNT);
      // Kept back by the nodes until the issuer has acted.
      const raws: Uint8Array[] = [];
      const broadcast = async (sent: readonly Uint8Array[]) => void raws.push(...sent);
      await harness.poll({ nodes: { ...harness.deps.nodes, broadcast } });
      await token.say(act, ...args());
      await harness.deps.nodes.broadcast(raws);
      await harness.pollAfter(6);
      expect(await stand(sent)).toMatchObject({ status: 'SENT' });
      await harness.pollAfter(2);
      expect(await stand(sent)).toEqual(HELD);
      expect(await token.balance(sent.order.to)).toBe(0n);
      expect(await balance()).toEqual({ available: PAYER_FUNDS - AMOUNT, reserved: AMOUNT });
    },
  );
});

describe('a token that answers false in place of failing', () => {
  beforeEach(() => list('HostileToken'));
  const ANSWERS_FALSE = 2;

  it('before it is sent uses no nonce', async () => {
    await token.say('treat', harness.signerAccount, ANSWERS_FALSE, []);
    const sent = await payer.send(AMOUNT);
    await harness.poll();
    expect(await stand(sent)).toEqual(HELD);
    expect(await nonces()).toBe(0);
  });

  it('in a transaction that succeeds has not paid: it waits, and its funds with it', async () => {
    const sent = await payer.send(AMOUNT);
    const raws: Uint8Array[] = [];
    const broadcast = async (sent: readonly Uint8Array[]) => void raws.push(...sent);
    await harness.poll({ nodes: { ...harness.deps.nodes, broadcast } });
    await token.say('treat', harness.signerAccount, ANSWERS_FALSE, []);
    await harness.deps.nodes.broadcast(raws);
    await harness.pollAfter(6);
    expect(await stand(sent)).toMatchObject({ status: 'SENT' });
    await harness.pollAfter(2);
    expect(await stand(sent)).toEqual(HELD);
    expect(await token.balance(sent.order.to)).toBe(0n);
  });
});
