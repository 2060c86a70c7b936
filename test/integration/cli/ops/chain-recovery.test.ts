import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOT_FINAL_MAX } from '../../../../src/domain/onchain/nonce-slots.ts';
import { insertDepositAddress } from '../../../../src/db/parties/deposit-address-store.ts';
import { newId } from '../../../../src/db/client/new-id.ts';
import { forwarderAddress } from '../../../../src/domain/onchain/create2.ts';
import type { NetworkSetup } from '../../../../src/domain/onchain/network-setup.ts';
import {
  createSignerHarness,
  DEPTHS,
  type SignerHarness,
} from '../../../support/onchain/signer-harness.ts';
import { act, addSweeps, TREASURY, type SweepChain } from '../../../support/onchain/sweep-parts.ts';
import { createOpsCommands, type OpsCommands } from '../../../support/cli/ops/ops-commands.ts';

let harness: SignerHarness;
let chain: SweepChain;
let ops: OpsCommands;
let address: string;

beforeAll(async () => {
  harness = await createSignerHarness();
  chain = await addSweeps(harness);
  const { anvil, usdc, signerAccount, database, clock, customer } = harness;
  const setup: NetworkSetup = {
    ...{ network: 'BASE', chainId: anvil.chainId, status: 'ACTIVE', genesis: null },
    ...{ rpcUrls: [anvil.url], depths: DEPTHS, hotAddresses: [signerAccount] },
    assets: [{ asset: 'USDC', contract: usdc, min: 1n, max: 1_000_000_000n }],
    depositFloors: {},
    ...{ factory: chain.factory, treasury: TREASURY, own: [], sweeps: null },
    notFinalMax: NOT_FINAL_MAX,
    hot: [{ asset: 'USDC', contract: usdc, floor: 1_200_000_000n, cap: 2_000_000_000n }],
    gasCaps: { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n },
  };
  ops = createOpsCommands(database.commands, clock, { chains: { test: [setup], live: [] } });
  const id = newId('da');
  address = forwarderAddress(chain.factory, 'test', id);
  const { scope } = customer;
  const standing = { id, endUserId: null, bankAccountId: null, walletId: null, minAmount: 0n };
  await database.db.write(scope, (tx) =>
    insertDepositAddress(tx, scope, { ...standing, address }, clock.now()),
  );
});
afterAll(() => harness.close());

const coins = async (owner: string) =>
  BigInt(await harness.anvil.rpc<string>('eth_getBalance', owner, 'latest'));

describe('what came to an address of deposits and is no listed token', () => {
  it('reaches the treasury by the transaction that is shown, from any sender', async () => {
    const { anvil } = harness;
    await anvil.sendAndMine({ from: anvil.accounts[1]!, to: address, value: '0x7' });
    const { code, printed } = await ops('chain', 'recover', 'test', address.toLowerCase());
    expect(code).toBe(0);
    const [, to, data] = /^to (0x\w{40})\nvalue 0\ndata (0x[0-9a-f]+)$/m.exec(printed) ?? [];
    expect(to).toBe(chain.factory);
    await act(anvil, to!, data!);
    expect(await coins(TREASURY)).toBe(7n);
    expect(await coins(address)).toBe(0n);
  });

  it('of any token, too', async () => {
    const { anvil } = harness;
    await chain.deposit('USDT', 9n);
    const [{ owner_id: id } = { owner_id: '' }] = await harness.rows<{ owner_id: string }>(
      `SELECT owner_id FROM chain_unswept WHERE asset = 'USDT'`,
    );
    const other = forwarderAddress(chain.factory, 'test', id);
    expect((await ops('chain', 'recover', 'test', other)).printed).toContain(
      'not a deposit address',
    );
    const shown = await ops('chain', 'recover', 'test', address, '--token', chain.usdt);
    const [, data] = /^data (0x[0-9a-f]+)$/m.exec(shown.printed) ?? [];
    await act(anvil, chain.factory, data!);
    expect(shown.code).toBe(0);
  });

  it('is recovered for no address that is not ours', async () => {
    for (const given of [harness.signerAccount, TREASURY]) {
      expect(await ops('chain', 'recover', 'test', given)).toMatchObject({ code: 1 });
    }
    expect(await ops('chain', 'recover', 'live', address)).toMatchObject({ code: 1 });
  });
});

it('chain accounts and gas show what hot addresses hold and what their transactions cost', async () => {
  await harness.send();
  await harness.poll();
  const { code, printed } = await ops('chain', 'accounts');
  expect(code).toBe(0);
  expect(printed).toMatch(/gas 10\.000000, USDC 1000\.000000$/m);
  const bounds = '1000\\.000000 +1200\\.000000 +2000\\.000000 +fill up by 200\\.000000';
  expect(printed).toMatch(new RegExp(`^test +BASE +USDC +${bounds}$`, 'm'));
  await harness.mineAndPoll(8);
  const gas = await ops('chain', 'gas');
  expect(gas.printed).toMatch(/^test +BASE +\d{4}-\d\d +TRANSFER +1 +0\.\d{6}$/m);
});
