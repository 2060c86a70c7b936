import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import type { DevConfig } from '../../server/config/dev-config.ts';
import { readSignersFile, type SignersFile } from '../../server/config/chain-signers-file.ts';
import { NETWORKS, type Network } from '../../domain/onchain/network.ts';
import { addChainKey } from '../ops/add-chain-key.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import { findAnvil } from '../../sandbox/chain/find-anvil.ts';
import type { SupervisedChild } from '../embedded/child.ts';
import { writeAtomically } from '../embedded/data-folder.ts';

/** Where the chains of a local run are; part of state.json. */
export interface DevChainState {
  readonly controlUrl: string;
  readonly networks: readonly Network[];
}

/** The sandbox chains of a local run, and what the engine is told of them. */
interface DevChain {
  readonly state: DevChainState;
  /** For every part of the engine: where the networks are. */
  readonly settings: Readonly<Record<string, string>>;
  /** For the part alone that signs: the keys, and what opens them. */
  readonly signers: Readonly<Record<string, string>>;
}

interface ListedNetwork {
  readonly network: Network;
  readonly chainId: number;
  readonly genesis: string;
  readonly rpcUrls: readonly string[];
  readonly assets: readonly { readonly asset: string; readonly contract: string }[];
  readonly factory: string;
  readonly treasury: string;
}

const READY_TIMEOUT_MS = 60_000;
const NO_ANVIL =
  'No anvil was found: payments to wallets are unset (corridor_unavailable). ' +
  'Install it, or name it in ANVIL_BIN.';
/** In wei per gas. */
const GAS_CAPS = { maxFeePerGas: '200000000000', maxPriorityFeePerGas: '20000000000' };

/**
 * Starts the sandbox chains. The answer waits until they can be asked, which costs nothing while other
 * parts start meanwhile.
 * @returns null where networks of the person's own are named or there is no anvil, which is said.
 * @throws PlainError where the chains are not those that the data folder knows.
 */
export async function startDevChain(options: {
  readonly config: DevConfig;
  readonly folder: string;
  readonly port: number;
  readonly searchPath: string;
  readonly progress: (line: string) => void;
  readonly start: (settings: Readonly<Record<string, string>>) => SupervisedChild;
}): Promise<DevChain | null> {
  const { config, port, progress } = options;
  if (config.networksFile !== undefined) return null;
  const command = findAnvil(config.anvilBin, options.searchPath);
  if (command === null) progress(NO_ANVIL);
  if (command === null) return null;
  const folder = join(options.folder, 'chain');
  mkdirSync(folder, { recursive: true });
  const signers = keepSigners(folder);
  const child = options.start({
    ANVIL_BIN: command,
    SANDBOX_CHAIN_PORT: String(port),
    SANDBOX_CHAIN_DIR: folder,
    SANDBOX_NETWORKS: config.networks.join(','),
    SANDBOX_CHAIN_HOT_ADDRESS: signers.address,
  });
  const controlUrl = `http://127.0.0.1:${String(port)}`;
  const found = await untilListed(`${controlUrl}/networks`, child);
  // Outside of the chains' folder: who removes that one is told that the database knows other chains.
  const file = join(options.folder, 'networks.json');
  assertSameChains(file, found, options.folder);
  const networks = { networks: found.map((one) => describe(one, signers.address)) };
  writeAtomically(file, `${JSON.stringify(networks, null, 2)}\n`);
  return {
    state: { controlUrl, networks: found.map(({ network }) => network) },
    settings: { TEST_NETWORKS_FILE: file, SANDBOX_CHAIN_URL: controlUrl },
    signers: signers.settings,
  };
}

/** The hot address of test and its sealed key, made where the folder is new. */
function keepSigners(folder: string) {
  const path = join(folder, 'signers.json');
  const secretFile = join(folder, 'signers.secret');
  if (!existsSync(secretFile)) writeAtomically(secretFile, randomBytes(32).toString('base64'));
  const secret = readFileSync(secretFile, 'utf8');
  if (!existsSync(path)) {
    // Left by a run that was killed while it wrote.
    rmSync(`${path}.new`, { force: true });
    const place = { path, secret: Buffer.from(secret, 'base64') };
    const { file } = addChainKey({ environment: 'test', place, networks: [...NETWORKS] });
    writeAtomically(path, `${JSON.stringify(withLimits(file), null, 2)}\n`);
  }
  const read = readSignersFile(JSON.parse(readFileSync(path, 'utf8')));
  const address = read.ok ? read.file.keys[0]?.address : undefined;
  if (address === undefined)
    throw new PlainError(`${path} does not name a hot address. Remove it.`);
  return {
    address,
    settings: { TEST_CHAIN_SIGNERS_FILE: path, TEST_CHAIN_SIGNERS_SECRET: secret },
  };
}

const withLimits = (file: SignersFile): SignersFile => ({
  ...file,
  limits: NETWORKS.map((network) => ({
    network,
    hourMax: { USDC: '5000000.00', EURC: '5000000.00', USDT: '5000000.00' },
  })),
});

async function untilListed(url: string, child: SupervisedChild): Promise<readonly ListedNetwork[]> {
  const until = Date.now() + READY_TIMEOUT_MS;
  for (;;) {
    const answer = await request(url).catch(() => null);
    const body = (await answer?.body.json()) as { readonly data: readonly ListedNetwork[] } | null;
    if (answer?.statusCode === 200 && body) return body.data;
    if (Date.now() > until) {
      const words = child.lastWords().join('\n');
      throw new PlainError(`The sandbox chains did not start. Their last output:\n${words}`);
    }
    await pause(50);
  }
}

/** What the database knows of one chain is false on another. */
function assertSameChains(file: string, found: readonly ListedNetwork[], folder: string): void {
  if (!existsSync(file)) return;
  const { networks } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly networks: readonly Pick<ListedNetwork, 'network' | 'genesis'>[];
  };
  for (const { network, genesis } of networks) {
    const now = found.find((one) => one.network === network);
    if (now === undefined || now.genesis === genesis) continue;
    throw new PlainError(
      `${network} is another chain than the one that the database in ${folder} knows: its first ` +
        'block differs. Put the chain folder back, or remove the whole data folder.',
    );
  }
}

function describe(found: ListedNetwork, hotAddress: string): object {
  const { network, chainId, genesis, rpcUrls, assets, factory, treasury } = found;
  return {
    ...{ network, chainId, genesis, rpcUrls, factory, treasury, gasCaps: GAS_CAPS },
    assets: assets.map((one) => ({ ...one, min: '1.00', max: '1000000.00' })),
    hotAddresses: [hotAddress],
    sweeps: {
      floors: Object.fromEntries(assets.map(({ asset }) => [asset, '1.00'])),
      maxFeePerGas: GAS_CAPS.maxFeePerGas,
    },
  };
}
