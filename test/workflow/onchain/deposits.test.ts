import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getAddress } from 'viem/utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertDepositAddress } from '../../../src/db/parties/deposit-address-store.ts';
import { newId } from '../../../src/db/client/new-id.ts';
import { replaceRates } from '../../../src/db/payments/fx-rate-store.ts';
import { depositsWorkflowId } from '../../../src/adapters/temporal/temporal-workflow-client.ts';
import { startAnvil, type TestAnvil } from '../../support/onchain/anvil.ts';
import { PLACE } from '../../support/onchain/signer-harness.ts';
import { deployUsdc, mintUsdc } from '../../support/onchain/usdc.ts';
import { SAMPLE_NETWORK } from '../../support/sample-networks.ts';
import { startEngine, type Engine } from '../../support/workflow/engine-harness.ts';
import type { Beneficiary } from '../../support/workflow/test-partner.ts';

let folder: string;
let anvil: TestAnvil;
let usdc: string;
let engine: Engine;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cw-deposits-'));
  anvil = await startAnvil();
  usdc = await deployUsdc(anvil);
  await anvil.mine(10);
  const listed = { ...SAMPLE_NETWORK.assets[0], contract: usdc };
  const network = { ...SAMPLE_NETWORK, chainId: anvil.chainId, assets: [listed] };
  const file = join(folder, 'networks.json');
  const rpcUrls = [anvil.url];
  writeFileSync(file, JSON.stringify({ networks: [{ ...network, rpcUrls }] }));
  engine = await startEngine({ TEST_NETWORKS_FILE: file, TEST_WALLET_PROOF_FROM: 'none' });
  await engine.startWorkers();
});
afterAll(async () => {
  await engine.close();
  await anvil.close();
  rmSync(folder, { recursive: true, force: true });
});

async function giveAddress(to: Partial<Beneficiary> = {}): Promise<string> {
  const { scope, resources } = engine;
  const address = getAddress(`0x${randomBytes(20).toString('hex')}`);
  const given = { id: newId('da'), address, minAmount: 0n };
  const onward = { endUserId: null, bankAccountId: null, walletId: null, ...to };
  await resources.db.write(scope, (tx) =>
    insertDepositAddress(tx, scope, { ...given, ...onward }, resources.clock.now()),
  );
  return address;
}

/** The payments that deposits to an address are paid on by. */
const paidOnFrom = (address: string) =>
  engine.sql(
    `SELECT p.status FROM deposits d JOIN deposit_onward o ON o.deposit_id = d.id
     JOIN payments p ON p.id = o.payment_id WHERE d.to_address = $1`,
    [address],
  );

const statusAt = async (address: string): Promise<unknown> => {
  const [row] = await engine.sql('SELECT status FROM deposits WHERE to_address = $1', [address]);
  return row?.['status'];
};

const untilStatus = (address: string, status: string) =>
  expect.poll(() => statusAt(address), { interval: 200 }).toBe(status);

const isRunning = async (): Promise<boolean> => {
  const { status } = await engine.handle(depositsWorkflowId(PLACE)).describe();
  return status.name === 'RUNNING';
};

describe('the reader of a chain', () => {
  it('does not run while no address was given out', async () => {
    await engine.run('sweep');
    await expect(isRunning()).rejects.toThrow(/not found/);
  });

  it('is started by the reconciler where its signal was lost, and adds no block of its own', async () => {
    const address = await giveAddress();
    await engine.run('sweep');
    const head = await anvil.rpc<string>('eth_blockNumber');
    await mintUsdc(anvil, usdc, address, 5_000_000n);
    await untilStatus(address, 'SEEN');
    expect(Number(await anvil.rpc<string>('eth_blockNumber'))).toBe(Number(head) + 1);
    await anvil.mine(3);
    await untilStatus(address, 'CREDITED');
    await anvil.mine(3);
    await untilStatus(address, 'FINAL');
    expect(await isRunning()).toBe(true);
  });

  it('is woken by a signal, and left alone by a second start', async () => {
    const { workflows } = engine.resources;
    const address = await giveAddress();
    await mintUsdc(anvil, usdc, address, 6_000_000n);
    await workflows.startDeposits(PLACE, 'sweep');
    await workflows.wakeDeposits(PLACE);
    await untilStatus(address, 'SEEN');
    await anvil.mine(6);
    await workflows.wakeDeposits(PLACE);
    await untilStatus(address, 'FINAL');
  });

  it('pays a final deposit on to the account of its address, without the reconciler', async () => {
    const { db, clock } = engine.resources;
    const asOf = clock.now();
    const legs = Object.entries({ EUR: '0.8', USDC: '1' }).map(([quote, rate]) => ({
      ...{ source: 'sample', base: 'USD', quote, rate, asOf },
    }));
    await db.system((tx) => replaceRates(tx, legs, asOf));
    const address = await giveAddress(await engine.addApprovedBeneficiary());
    await mintUsdc(anvil, usdc, address, 50_000_000n);
    await engine.resources.workflows.wakeDeposits(PLACE);
    await untilStatus(address, 'SEEN');
    await anvil.mine(6);
    await untilStatus(address, 'FINAL');
    await expect
      .poll(() => paidOnFrom(address), { interval: 200, timeout: 30_000 })
      .toEqual([{ status: 'COMPLETED' }]);
  });

  it('goes on after its worker was gone', async () => {
    await engine.stopWorkers();
    const address = await giveAddress();
    await mintUsdc(anvil, usdc, address, 7_000_000n);
    await anvil.mine(6);
    await engine.startWorkers();
    await untilStatus(address, 'FINAL');
  });
});
