import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { freezeSignerAccountByHand } from '../../../src/modules/onchain/thaw-signer-account.ts';
import { STUCK_MS } from '../../../src/domain/onchain/next-chain-step.ts';
import {
  encodeUnsigned,
  selfTransfer,
  type ChainTransaction,
} from '../../../src/domain/onchain/transaction.ts';
import { encodeTransferCall, referenceMark } from '../../../src/domain/onchain/transfer-call.ts';
import {
  createSignerHarness,
  PLACE,
  type SignerHarness,
} from '../../support/onchain/signer-harness.ts';
import { comeBack, expectPaidOnce } from '../../support/onchain/restored-signer-account.ts';
import {
  addSecondSignerAccount,
  type SecondSignerAccount,
} from '../../support/onchain/second-signer-account.ts';
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

/** The nodes send nothing on: what is broadcast is lost. */
const lost = () => ({ nodes: { ...harness.deps.nodes, broadcast: async () => undefined } });
const keyless = () => ({ signerOf: () => null });

/** Another address of ours, with tokens and gas; the harness's own is not configured any more. */
async function fundSecond(): Promise<SecondSignerAccount> {
  const second = addSecondSignerAccount(harness);
  await harness.anvil.rpc('anvil_setBalance', second.address, '0x8ac7230489e80000');
  await mintUsdc(harness.anvil, harness.usdc, second.address, 1_000_000_000n);
  return second;
}

/** So many poll cycles, after every few blocks. */
async function pollTimes(
  polls: number,
  overrides: Parameters<SignerHarness['poll']>[0],
): Promise<void> {
  for (let poll = 0; poll < polls; poll += 1) {
    await harness.anvil.mine(4);
    await harness.poll(overrides);
  }
}

const statusOf = async (address: string) => {
  const sql = 'SELECT status FROM chain_signer_accounts WHERE address = $1';
  const [row] = await harness.rows<{ status: string }>(sql, [address]);
  return row?.status;
};

const freeze = () => {
  const act = { operator: 'ada', reason: 'the key is lost' };
  const deps = { db: harness.database.people, clock: harness.clock };
  return freezeSignerAccountByHand(deps, { ...PLACE, address: harness.signerAccount }, act);
};

/** As the process that signs, whose code might be wrong. */
const asChain = (sql: string) => harness.deps.db.system((tx) => tx.query(sql, []));

/** Sends what the signer account's key signed behind our back, and answers its hash. */
async function sendForeign(
  nonce: bigint,
  call: Pick<ChainTransaction, 'to' | 'data'>,
): Promise<string> {
  const fees = { maxFeePerGas: 50n * GWEI, maxPriorityFeePerGas: GWEI };
  const turn = { chainId: BigInt(harness.anvil.chainId), nonce, gas: 100_000n, ...fees };
  const made = { ...selfTransfer(turn, harness.signerAccount), ...call };
  const signed = await harness.deps.signerOf(harness.signerAccount)!.sign(encodeUnsigned(made));
  await harness.deps.nodes.broadcast([signed.raw]);
  return signed.hash;
}

it('a restored address that is given up stops all others until two operators say that it can pay nothing more', async () => {
  await harness.send();
  await harness.poll();
  await harness.makeFinal();
  const restore = await harness.database.keepCopy();
  const sent = await harness.send();
  await harness.poll(lost());
  const [signed] = await harness.rows<{ raw: Buffer }>(
    'SELECT raw FROM chain_transactions ORDER BY nonce DESC LIMIT 1',
  );
  await comeBack(harness, restore);
  // The client repeats; the key is lost, and the bytes that were signed before the restore are in some pool.
  await harness.send(sent.order.amount, sent.order.to, sent.id);
  const second = await fundSecond();
  await harness.poll(second.both);
  await thawSignerAccount(harness, 'SIGNER_ACCOUNT_RETIRE');
  await thawSignerAccount(harness, 'SIGNER_ACCOUNT_THAW', second.address);
  await pollTimes(8, second.both);
  expect(await statusOf(second.address)).toBe('OPEN');
  expect(await statusOf(harness.signerAccount)).toBe('RETIRING');
  expect(harness.alarms).toContainEqual({ kind: 'MAY_STILL_PAY', address: harness.signerAccount });
  await expect(asChain(`UPDATE chain_signer_accounts SET status = 'RETIRED'`)).rejects.toThrow(
    /may be mined still|cannot go/,
  );
  const alone = `UPDATE chain_signer_accounts SET ended_by = 'apr_none' WHERE status = 'RETIRING'`;
  await expect(asChain(alone)).rejects.toThrow('two operators');
  expect(await harness.balance(sent.order.to)).toBe(0n);

  await harness.deps.nodes.broadcast([signed!.raw]);
  await pollTimes(4, second.both);
  expect(await thawSignerAccount(harness, 'SIGNER_ACCOUNT_RETIRE')).toContain('is retired once');
  await pollTimes(2, second.both);
  expect(await statusOf(harness.signerAccount)).toBe('RETIRED');
  await pollTimes(3, second.both);
  await expectPaidOnce(harness, [sent]);
}, 240_000);

it('what was never signed of an address that is given up is paid by another, once', async () => {
  const sent = await harness.send();
  await harness.poll(keyless());
  expect(harness.alarms).toEqual([
    { kind: 'NOT_SIGNED', address: harness.signerAccount, nonce: '0' },
  ]);
  expect(await freeze()).toBe(true);
  const end = `UPDATE chain_nonces SET state = 'REJECTED'`;
  await expect(asChain(end)).rejects.toThrow('used by none of its transactions');
  await thawSignerAccount(harness, 'SIGNER_ACCOUNT_RETIRE');
  const second = await fundSecond();
  const settings = { ...harness.deps.settings, hotAddresses: [second.address] };
  await pollTimes(8, { ...second.both, settings });
  expect(await statusOf(harness.signerAccount)).toBe('RETIRED');
  await expectPaidOnce(harness, [sent]);
}, 240_000);

it('what is signed of an address that is given up ends by the chain alone', async () => {
  const sent = await harness.send();
  await harness.poll(lost());
  await freeze();
  await thawSignerAccount(harness, 'SIGNER_ACCOUNT_RETIRE');
  const second = await fundSecond();
  const both = { ...second.both, ...lost() };
  await pollTimes(4, both);
  expect(await statusOf(harness.signerAccount)).toBe('RETIRED');
  const end = `UPDATE chain_nonces SET state = 'REJECTED'`;
  await expect(asChain(end)).rejects.toThrow('used by none of its transactions');
  expect(await harness.rows('SELECT state FROM chain_transfers')).toEqual([{ state: 'CARRIED' }]);
  await harness.poll(second.both);
  await pollTimes(3, second.both);
  await expectPaidOnce(harness, [sent]);
}, 240_000);

it('what a frozen address had sent is sent again although it is stuck', async () => {
  const sent = await harness.send();
  await harness.poll(lost());
  await freeze();
  await harness.anvil.mine(5);
  harness.clock.advance(STUCK_MS);
  await harness.poll();
  await harness.makeFinal();
  await expectPaidOnce(harness, [sent]);
});

it('what was signed is sent again where no key answers to raise its fees', async () => {
  const sent = await harness.send();
  await harness.poll(lost());
  await harness.anvil.mine(5);
  harness.clock.advance(STUCK_MS);
  await harness.poll({ ...lost(), ...keyless() });
  expect(await harness.rows('SELECT number FROM chain_transactions')).toHaveLength(2);
  await harness.poll(keyless());
  await pollTimes(3, keyless());
  await expectPaidOnce(harness, [sent]);
});

it('who has a key keeps its address from being given up neither by a made-up mark nor by moving nothing', async () => {
  const [marked, moved] = [await harness.send(), await harness.send(6_000_000n)];
  await harness.poll(lost());
  expect(await freeze()).toBe(true);
  const order = { to: harness.anvil.accounts[3]!, amount: 1n, mark: referenceMark('made up') };
  const hash = await sendForeign(0n, { to: harness.usdc, data: encodeTransferCall(order) });
  const nothing = usdcCall('transfer', moved.order.to, 0n).slice(2);
  await sendForeign(1n, { to: harness.usdc, data: Uint8Array.from(Buffer.from(nothing, 'hex')) });
  await thawSignerAccount(harness, 'SIGNER_ACCOUNT_RETIRE');
  const second = await fundSecond();
  const settings = { ...harness.deps.settings, hotAddresses: [second.address] };
  await pollTimes(3, { ...second.both, settings });
  expect(await statusOf(harness.signerAccount)).toBe('RETIRING');
  expect(harness.alarms).toContainEqual({
    ...{ kind: 'FOREIGN_TRANSACTION', address: harness.signerAccount, nonce: '0', hash },
  });
  await nameForeign(harness, 0n, hash);
  await pollTimes(5, { ...second.both, settings });
  expect(await statusOf(harness.signerAccount)).toBe('RETIRED');
  await expectPaidOnce(harness, [marked, moved]);
}, 240_000);
