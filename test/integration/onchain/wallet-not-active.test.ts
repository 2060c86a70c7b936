import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { voidTransfer } from '../../../src/modules/onchain/void-transfer.ts';
import { findWallet, moveWallet } from '../../../src/db/parties/wallet-store.ts';
import { SignerSilent } from '../../../src/domain/onchain/signer.ts';
import { ScreeningError } from '../../../src/domain/parties/screening/screening-provider.ts';
import { withLockedPayment } from '../../../src/modules/payments/lock-payment.ts';
import { createChainPayer } from '../../support/onchain/chain-payer.ts';
import { createSignerHarness, type SignerHarness } from '../../support/onchain/signer-harness.ts';
import { mintUsdc } from '../../support/onchain/usdc.ts';

let harness: SignerHarness;
let startOver: () => Promise<void>;
beforeAll(async () => {
  harness = await createSignerHarness();
  startOver = await harness.keepStart();
});
beforeEach(() => startOver());
afterAll(() => harness.close());

/** More than the hot address holds at first. */
const AMOUNT = 1_500_000_000n;

async function moveWalletOf(
  paymentId: string,
  status: 'REJECTED' | 'DISABLED',
  { scope } = harness.customer,
): Promise<void> {
  const [paid] = await harness.rows<{ walletId: string }>(
    'SELECT wallet_id AS "walletId" FROM payments WHERE id = $1',
    [paymentId],
  );
  await harness.database.db.write(scope, async (tx) => {
    const wallet = await findWallet(tx, scope, paid!.walletId);
    await moveWallet(tx, scope, wallet!, { status }, harness.clock.now());
  });
}

const reportsOf = (reference: string) =>
  harness.rows(
    `SELECT status, reason FROM transfer_reports WHERE reference = $1 AND source = 'CHAIN'
     ORDER BY id`,
    [reference],
  );

it.each(['REJECTED', 'DISABLED'] as const)(
  'a transfer that waited until its wallet was %s takes no nonce, calls a human, and can be given up',
  async (status) => {
    const { id, reference, order } = await harness.send(AMOUNT);
    await harness.poll();
    await moveWalletOf(id, status);
    await mintUsdc(harness.anvil, harness.usdc, harness.signerAccount, 2_000_000_000n);
    const other = await harness.send();
    await harness.poll();
    await harness.makeFinal();
    expect(await harness.rows('SELECT reference FROM chain_nonces')).toEqual([
      { reference: other.reference },
    ]);
    expect(await harness.balance(order.to)).toBe(0n);
    expect(await harness.balance(other.order.to)).toBe(other.order.amount);
    expect(harness.alarms).toContainEqual({ kind: 'WALLET_NOT_ACTIVE', paymentId: id });
    const { deps, customer } = harness;
    const shown = await withLockedPayment(deps, customer.scope, id, async ({ payment }) => payment);
    expect(shown).toMatchObject({ status: 'ON_HOLD', statusDetail: 'STALLED' });

    expect(await voidTransfer(deps, reference)).toBe(true);
    await harness.poll();
    expect(await reportsOf(reference)).toEqual([
      { status: 'ACCEPTED', reason: 'AWAITING_LIQUIDITY' },
      { status: 'ACCEPTED', reason: 'STALLED' },
      { status: 'REJECTED', reason: 'VOIDED' },
    ]);
    await withLockedPayment(deps, customer.scope, id, async () => undefined);
    expect(await harness.payment(id)).toMatchObject({ status: 'FAILED' });
  },
);

it.each(['REJECTED', 'DISABLED'] as const)(
  'a transfer whose wallet was %s after its nonce was taken is not sent, and its nonce is used up',
  async (status) => {
    const { id, reference, order } = await harness.send();
    const signer = harness.deps.signerOf(harness.signerAccount)!;
    const silent = { ...signer, sign: () => Promise.reject(new SignerSilent()) };
    await harness.poll({ signerOf: () => silent });
    expect(await harness.rows('SELECT reference FROM chain_nonces')).toEqual([{ reference }]);
    await moveWalletOf(id, status);
    await harness.poll();
    expect(await harness.rows('SELECT FROM chain_transactions WHERE raw IS NOT NULL')).toEqual([]);
    const why = 'WALLET_NOT_ACTIVE';
    const refused = { kind: 'SIGNING_REFUSED', address: harness.signerAccount, why };
    expect(harness.alarms).toContainEqual(refused);
    const other = await harness.send();
    await harness.poll();
    await harness.makeFinal();
    await harness.poll();
    expect(await harness.balance(order.to)).toBe(0n);
    expect(await harness.balance(other.order.to)).toBe(other.order.amount);
    expect(await reportsOf(reference)).toEqual([{ status: 'REJECTED', reason: 'VOIDED' }]);
  },
);

it('a transfer whose wallet is rejected while its signer works is not sent', async () => {
  const { id, order } = await harness.send();
  const signer = harness.deps.signerOf(harness.signerAccount)!;
  const slow = {
    ...signer,
    async sign(unsigned: Uint8Array) {
      const signed = await signer.sign(unsigned);
      await moveWalletOf(id, 'REJECTED').catch(() => undefined);
      return signed;
    },
  };
  await harness.poll({ signerOf: () => slow });
  await harness.poll();
  await harness.makeFinal();
  expect(await harness.balance(order.to)).toBe(0n);
});

const DAY_MS = 24 * 3_600_000;

/** A transfer that waits for tokens, which come a day later. */
async function sentADayAgo() {
  const sent = await harness.send(AMOUNT);
  await harness.poll();
  harness.clock.advance(DAY_MS);
  await mintUsdc(harness.anvil, harness.usdc, harness.signerAccount, 2_000_000_000n);
  return sent;
}

it.each([
  ['CLEAR', { verdict: 'CLEAR', listVersion: 'new' }, 'CARRIED', null],
  ['BLOCKED', { verdict: 'BLOCKED', listVersion: 'new', match: 'one' }, 'WAITING', 'STALLED'],
  ['REVIEW', { verdict: 'REVIEW', listVersion: 'new', match: 'one' }, 'WAITING', 'STALLED'],
] as const)(
  'a wallet that was looked up a day ago is looked up again before a nonce is taken: %s',
  async (_what, finding, state, hold) => {
    const { order } = await sentADayAgo();
    const asked: string[] = [];
    const addressScreening = {
      test: async ({ address, reason }: { address: string; reason: string }) => {
        asked.push(`${reason} ${address}`);
        return finding;
      },
    };
    await harness.poll({ addressScreening });
    await harness.poll({ addressScreening });
    expect(asked).toEqual([`RELEASE ${order.to}`]);
    expect(await harness.rows('SELECT state, hold FROM chain_transfers')).toEqual([
      { state, hold },
    ]);
  },
);

it('without an answer it takes no nonce, calls a human, and the provider is asked once a poll cycle', async () => {
  const { id } = await sentADayAgo();
  await harness.send(AMOUNT + 1n);
  harness.clock.advance(DAY_MS);
  let asked = 0;
  const addressScreening = {
    test: () => {
      asked += 1;
      return Promise.reject(new ScreeningError('SCREENING_UNREACHABLE'));
    },
  };
  await harness.poll({ addressScreening });
  expect(asked).toBe(1);
  expect(harness.alarms).toContainEqual({ kind: 'WALLET_UNSCREENED', paymentId: id });
  const waiting = { state: 'WAITING' };
  expect(await harness.rows('SELECT state FROM chain_transfers')).toEqual([waiting, waiting]);
  await harness.poll();
  expect(await harness.rows(`SELECT state FROM chain_transfers WHERE state = 'CARRIED'`)).toEqual([
    { state: 'CARRIED' },
  ]);
});

const ONE = 1_000_000n;

/** Transfers of one customer that wait, to wallets that were disabled meanwhile. */
async function sendToDisabled(amounts: readonly bigint[]): Promise<void> {
  const { database, clock, usdc } = harness;
  const payer = await createChainPayer(database, clock, { asset: 'USDC', contract: usdc });
  for (const amount of amounts) {
    const { id } = await payer.send(amount);
    await moveWalletOf(id, 'DISABLED', payer.customer);
    clock.advance(1);
  }
}

const countNonces = async (): Promise<number> =>
  (await harness.rows('SELECT FROM chain_nonces')).length;

it('transfers to disabled wallets take no slot from others, in no poll cycle', async () => {
  const many = Array.from({ length: 16 }, () => ONE);
  await sendToDisabled(many);
  await sendToDisabled(many);
  for (const amount of many) await harness.send(amount);
  await harness.poll();
  // Three quarters of the slots, as without the other customers.
  expect(await countNonces()).toBe(12);
  await harness.anvil.mine();
  await harness.poll();
  expect(await countNonces()).toBe(16);
});

it('a transfer to a disabled wallet takes nothing of the hour, and closes no asset', async () => {
  await sendToDisabled([15n * ONE, 30n * ONE]);
  const { order } = await harness.send(10n * ONE);
  const room = { transactionMax: 40n * ONE, hourMax: 40n * ONE, hourLeft: 20n * ONE };
  const signer = harness.deps.signerOf(harness.signerAccount)!;
  await harness.poll({ signerOf: () => ({ ...signer, room: async () => room }) });
  await harness.makeFinal();
  expect(await harness.balance(order.to)).toBe(10n * ONE);
  expect(harness.alarms.filter(({ kind }) => kind !== 'WALLET_NOT_ACTIVE')).toEqual([]);
});
