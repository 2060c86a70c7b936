import { readFileSync } from 'node:fs';
import pg from 'pg';
import { encodeDeployData, encodeFunctionData, toHex, type Abi, type Hex } from 'viem';
import { newId } from '../../../src/db/client/new-id.ts';
import { forwarderAddress } from '../../../src/domain/onchain/create2.ts';
import {
  DEPLOYER,
  factoryDeployment,
  hexOf,
  type CompiledContract,
  type ForwarderContracts,
} from '../../../src/domain/onchain/factory-deployment.ts';
import type { ChainDeps } from '../../../src/modules/onchain/chain-deps.ts';
import type { TestAnvil } from './anvil.ts';
import { PLACE, type SignerHarness } from './signer-harness.ts';
import { mintUsdc, usdcCall } from './usdc.ts';

interface Artefact extends CompiledContract {
  readonly abi: Abi;
  readonly bytecode: Hex;
}

const read = (name: string): Artefact =>
  JSON.parse(
    readFileSync(new URL(`../../../contracts/artefacts/${name}.json`, import.meta.url), 'utf8'),
  ) as Artefact;

/** The two contracts of deposit addresses, as they are committed. */
export const CONTRACTS: ForwarderContracts = {
  forwarder: read('Forwarder'),
  factory: read('ForwarderFactory'),
};
/** Where everything is swept to. */
export const TREASURY = '0x7777777777777777777777777777777777777777';

const USDT = read('UsdtDouble');
const HOSTILE = read('HostileToken');

/** Calldata of the USDT double. */
export const usdtCall = (functionName: string, ...args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi: USDT.abi, functionName, args });
/** Calldata of the token that treats addresses as it is told. */
export const hostileCall = (functionName: string, ...args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi: HOSTILE.abi, functionName, args });

/** Sends it from the node's first account; throws where it was reverted. */
export async function act(anvil: TestAnvil, to: string | null, data: string): Promise<string> {
  const from = anvil.accounts[0]!;
  const gas = toHex(8_000_000);
  const sent = { from, data, gas, ...(to === null ? {} : { to }) };
  const { status, contractAddress } = await anvil.sendAndMine(sent);
  if (status !== '0x1') throw new Error('a transaction was reverted');
  return contractAddress ?? '';
}

/** Deploys the factory of TREASURY, and answers its address. */
export async function deployFactory(anvil: TestAnvil): Promise<string> {
  const { factory, data } = factoryDeployment(CONTRACTS, TREASURY);
  await act(anvil, DEPLOYER, hexOf(data));
  return factory;
}

/** The double of Tether's token, issued by the node's first account. */
export const deployUsdt = (anvil: TestAnvil): Promise<string> =>
  act(anvil, null, encodeDeployData({ ...USDT, args: [anvil.accounts[0]!] }));

export const deployHostile = (anvil: TestAnvil, factory: string): Promise<string> =>
  act(anvil, null, encodeDeployData({ ...HOSTILE, args: [factory] }));

/** A chain whose deposits are swept: USDC and USDT from 1.00 on. */
export interface SweepChain {
  readonly deps: ChainDeps;
  readonly factory: string;
  readonly usdt: string;
  /** A deposit that is final lies at an address of its own: answers the address. Minor units. */
  deposit(asset: 'USDC' | 'USDT', amount: bigint, id?: string): Promise<string>;
  /** So many of USDC at addresses of their own, in one block. */
  depositMany(howMany: number, amount: bigint): Promise<string[]>;
  /** The address is listed as one at which something of the asset lies. */
  list(asset: string, address: string, id: string): Promise<void>;
  /** What the token says lies there. */
  held(token: string, owner: string): Promise<bigint>;
  sweeps(): Promise<readonly SweepStand[]>;
}

export interface SweepStand {
  readonly state: string;
  readonly asset: string;
  readonly fee: string | null;
  readonly addresses: number;
}

/** For rows that only a deposit's own trigger writes. */
export async function withSuperuser(
  url: string,
  work: (superuser: pg.Client) => Promise<unknown>,
): Promise<void> {
  const superuser = new pg.Client({ connectionString: url });
  await superuser.connect();
  await work(superuser).finally(() => superuser.end());
}

/** Adds factory, USDT and the rules of sweeps to a signer account's chain. */
export async function addSweeps(harness: SignerHarness): Promise<SweepChain> {
  const { anvil, usdc, deps, rows, clock } = harness;
  const factory = await deployFactory(anvil);
  const usdt = await deployUsdt(anvil);
  await anvil.mine(10);
  const floor = 1_000_000n;
  const tokens = [
    { asset: 'USDC', contract: usdc, floor },
    { asset: 'USDT', contract: usdt, floor },
  ];
  const sweeps = { tokens, maxFeePerGas: 500_000_000_000n, everyMs: 10_000 };
  const listAll = async (asset: string, addresses: readonly string[], ids: readonly string[]) => {
    await withSuperuser(harness.database.url, (superuser) =>
      superuser.query(
        `INSERT INTO chain_unswept (environment, network, asset, address, owner_id, block_number, next_at)
         SELECT $1, $2, $3, u.address, u.id, 0, $6 FROM unnest($4::text[], $5::text[]) AS u (address, id)`,
        [PLACE.environment, PLACE.network, asset, addresses, ids, clock.now()],
      ),
    );
  };
  const list: SweepChain['list'] = (asset, address, id) => listAll(asset, [address], [id]);
  return {
    ...{ factory, usdt, list },
    deps: { ...deps, settings: { ...deps.settings, factory, treasury: TREASURY, sweeps } },
    async deposit(asset, amount, id = newId('da')) {
      const address = forwarderAddress(factory, PLACE.environment, id);
      if (asset === 'USDC') await mintUsdc(anvil, usdc, address, amount);
      else await act(anvil, usdt, usdtCall('issue', address, amount));
      await list(asset, address, id);
      return address;
    },
    async depositMany(howMany, amount) {
      const ids = Array.from({ length: howMany }, () => newId('da'));
      const addresses = ids.map((id) => forwarderAddress(factory, PLACE.environment, id));
      for (const address of addresses) {
        const data = usdcCall('mint', address, amount);
        await anvil.send({ from: anvil.accounts[0]!, to: usdc, data, gas: toHex(100_000) });
      }
      await anvil.mine();
      await listAll('USDC', addresses, ids);
      return addresses;
    },
    async held(token, owner) {
      const data = usdtCall('balanceOf', owner);
      return BigInt(await anvil.rpc<string>('eth_call', { to: token, data }, 'latest'));
    },
    sweeps: () =>
      rows<SweepStand>(
        `SELECT state, asset, fee::text AS fee, (SELECT count(*)::integer FROM chain_sweep_addresses a
           WHERE (a.address, a.nonce) = (s.address, s.nonce)) AS addresses
         FROM chain_sweeps s ORDER BY nonce`,
      ),
  };
}
