import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { freezeSignerAccountByHand } from '../../../src/modules/onchain/thaw-signer-account.ts';
import { voidTransfer } from '../../../src/modules/onchain/void-transfer.ts';
import { STUCK_MS } from '../../../src/domain/onchain/next-chain-step.ts';
import { withLockedPayment } from '../../../src/modules/payments/lock-payment.ts';
import {
  lost,
  sendForeign,
  unmarked,
  untilOpen,
} from '../../support/onchain/foreign-transaction.ts';
import {
  createSignerHarness,
  PLACE,
  type SignerHarness,
} from '../../support/onchain/signer-harness.ts';
import { addSecondSignerAccount } from '../../support/onchain/second-signer-account.ts';
import { nameForeign, thawSignerAccount } from '../../support/onchain/thaw-signer-account.ts';
import { mintUsdc, usdcCall } from '../../support/onchain/usdc.ts';

const GWEI = 1_000_000_000n;

let harness: SignerHarness;
let startOver: () => Promise<void>;
beforeAll(async () => {
  harness = await createSignerHarness();
  startOver = await harness.keepStart();
});
beforeEach(() => startOver());
afterAll(() => harness.close());

const signerAccounts = () =>
  harness.rows<{ address: string; status: string; why: string | null }>(
    'SELECT address, status, why FROM chain_signer_accounts ORDER BY created_at',
  );

const applyReports = (paymentId: string) =>
  withLockedPayment(harness.deps, harness.customer.scope, paymentId, async () => undefined);

it('what two operators take for none of ours frees its nonce, and the payment is paid once by another', async () => {
  const { id, order } = await harness.send();
  await harness.poll(lost(harness));
  const hash = await sendForeign(harness, 0n, unmarked(harness, harness.anvil.accounts[3]!, 1n));
  await harness.anvil.mine(8);
  await harness.poll();
  await harness.poll();
  expect(await signerAccounts()).toMatchObject([{ status: 'FROZEN', why: 'FOREIGN_TRANSACTION' }]);
  await nameForeign(harness, 0n, hash);
  await harness.poll();
  await thawSignerAccount(harness);
  await untilOpen(harness);
  await harness.makeFinal();
  expect(await harness.balance(order.to)).toBe(order.amount);
  expect(await harness.payment(id)).toMatchObject({ status: 'COMPLETED', finality: 'FINAL' });
});

it('a foreign transaction that paid the same wallet is a payment, whatever operators say', async () => {
  const { id, order } = await harness.send();
  await harness.poll(lost(harness));
  const hash = await sendForeign(harness, 0n, unmarked(harness, order.to, order.amount));
  await harness.anvil.mine(8);
  await harness.poll();
  await harness.poll();
  await nameForeign(harness, 0n, hash);
  await harness.pollAfter(3);
  expect(harness.alarms).toContainEqual({ kind: 'PAID_OTHERWISE', paymentId: id });
  await thawSignerAccount(harness);
  await harness.pollAfter(4);
  expect(await signerAccounts()).toMatchObject([{ status: 'FROZEN' }]);
  expect(await harness.balance(order.to)).toBe(order.amount);
});

it('a nonce beyond ours that two operators know of is passed when the signer account adopts', async () => {
  await harness.send();
  await harness.poll();
  await harness.makeFinal();
  const hash = await sendForeign(harness, 1n, unmarked(harness, harness.anvil.accounts[3]!, 1n));
  await harness.anvil.mine(8);
  const { order } = await harness.send();
  await harness.poll();
  await harness.poll();
  expect(await signerAccounts()).toMatchObject([{ why: 'NONCE_AHEAD' }]);
  await nameForeign(harness, 1n, hash);
  await thawSignerAccount(harness);
  await untilOpen(harness);
  await harness.pollAfter(3);
  expect(await harness.balance(order.to)).toBe(order.amount);
});

it('only two operators name a foreign transaction or give an address up', async () => {
  await harness.send();
  await harness.poll();
  const values = [PLACE.environment, PLACE.network, harness.signerAccount, `0x${'ab'.repeat(32)}`];
  const insert = `INSERT INTO chain_foreign_transactions
    (environment, network, address, nonce, hash, approval_id, created_at)
    VALUES ($1, $2, $3, 0, $4, 'apr_none', now())`;
  const retire = `UPDATE chain_signer_accounts SET status = 'RETIRING'`;
  for (const { db } of [{ db: harness.database.people }, harness.deps]) {
    await expect(db.system((tx) => tx.query(insert, values))).rejects.toThrow('two operators');
    await expect(db.system((tx) => tx.query(retire, []))).rejects.toThrow('cannot go');
  }
});

it('an address that is given up signs nothing more, and what it had sent is followed to its end', async () => {
  const { people } = harness.database;
  const { id, order } = await harness.send();
  await harness.poll();
  const key = { ...PLACE, address: harness.signerAccount };
  const act = { operator: 'ada', reason: 'the key is lost' };
  expect(await freezeSignerAccountByHand({ db: people, clock: harness.clock }, key, act)).toBe(
    true,
  );
  await thawSignerAccount(harness, 'SIGNER_ACCOUNT_RETIRE');
  const second = addSecondSignerAccount(harness);
  await harness.anvil.rpc('anvil_setBalance', second.address, '0x8ac7230489e80000');
  await mintUsdc(harness.anvil, harness.usdc, second.address, 1_000_000_000n);
  const next = await harness.send();
  const settings = { ...harness.deps.settings, hotAddresses: [second.address] };
  for (let look = 0; look < 6; look += 1) {
    await harness.anvil.mine(4);
    await harness.poll({ ...second.both, settings });
  }
  expect(await signerAccounts()).toMatchObject([{ status: 'RETIRED' }, { status: 'OPEN' }]);
  expect(await harness.balance(order.to)).toBe(order.amount);
  expect(await harness.payment(id)).toMatchObject({ finality: 'FINAL' });
  expect(await harness.balance(next.order.to)).toBe(next.order.amount);
  expect(await freezeSignerAccountByHand({ db: people, clock: harness.clock }, key, act)).toBe(
    false,
  );
});

it('the role of operators does not say what a signer account has learnt', async () => {
  await harness.send();
  await harness.poll();
  const { people } = harness.database;
  const freeze = `UPDATE chain_signer_accounts SET status = 'FROZEN', why = 'NONCE_AHEAD'`;
  await harness.deps.db.system((tx) => tx.query(freeze, []));
  expect(await thawSignerAccount(harness)).toContain('pays again once the engine has found');
  const open = `UPDATE chain_signer_accounts SET status = 'OPEN'`;
  await expect(people.system((tx) => tx.query(open, []))).rejects.toThrow('only its own process');
});

it('fees at the cap hold the payment for operators, and raised fees let it go on', async () => {
  const gasCaps = { maxFeePerGas: 3n * GWEI, maxPriorityFeePerGas: 3n * GWEI };
  const settings = { ...harness.deps.settings, gasCaps };
  const { id, order } = await harness.send();
  for (let look = 0; look < 12; look += 1) {
    await harness.poll({ ...lost(harness), settings });
    await harness.anvil.rpc('anvil_dropAllTransactions');
    await harness.anvil.mine(5);
    harness.clock.advance(STUCK_MS);
  }
  await applyReports(id);
  const stand = 'SELECT status, status_detail AS detail FROM payments WHERE id = $1';
  expect(await harness.rows(stand, [id])).toEqual([{ status: 'ON_HOLD', detail: 'STALLED' }]);
  await harness.poll();
  await harness.makeFinal();
  expect(await harness.balance(order.to)).toBe(order.amount);
  expect(await harness.payment(id)).toMatchObject({ status: 'COMPLETED', finality: 'FINAL' });
});

it('a payment that was COMPLETED and is reverted for good is returned, whole', async () => {
  const { id, order } = await harness.send();
  const before = await harness.anvil.rpc<string>('evm_snapshot');
  await harness.poll();
  await harness.pollAfter(4);
  await applyReports(id);
  expect(await harness.payment(id)).toMatchObject({ status: 'COMPLETED' });
  await harness.anvil.rpc('evm_revert', before);
  const blacklist = usdcCall('blacklist', order.to);
  const owner = harness.anvil.accounts[0]!;
  await harness.anvil.sendAndMine({ from: owner, to: harness.usdc, data: blacklist });
  await harness.anvil.mine(6);
  await harness.poll();
  expect(await voidTransfer(harness.deps, order.reference)).toBe(false);
  await harness.mineAndPoll(14);
  expect(await harness.payment(id)).toEqual({
    ...{ status: 'RETURNED', fundsStatus: 'BACK_IN_BALANCE' },
    ...{ finality: 'FINAL', reconciliation: 'RECONCILED' },
  });
  expect(await harness.balance(order.to)).toBe(0n);
});
