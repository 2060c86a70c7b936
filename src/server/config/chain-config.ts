import { Type, type Static } from 'typebox';
import type { NetworkSetup } from '../../domain/onchain/network-setup.ts';
import { ENVIRONMENTS, type Environment } from '../../domain/scope.ts';
import { readChainFile, type ReadNetworks } from './chain-file.ts';
import { perEnvironment, variableOf } from './setting-scope.ts';
import { jsonFile } from './setting-types.ts';
import { readSettings, type Env, type Report } from './settings.ts';

const NAME = 'NETWORKS_FILE';

/** The networks that tokens are sent over. Read by API, worker, web and the process that signs. */
export const CHAIN = perEnvironment(() =>
  Type.Optional(
    jsonFile(
      NAME,
      'The networks, with their RPC URLs, tokens, and hot addresses: [wallets](wallets.md). API, dashboard, console, worker, and chain need the same file. Test and live share no URL, token, or hot address. Without it, payments to wallets answer 422 `corridor_unavailable`.',
    ),
  ),
);

type ChainFiles = Static<typeof CHAIN>;

const NAMES = ENVIRONMENTS.map((environment) => variableOf(environment, NAME));

/** Reports every value of the files that cannot be used, and what test and live share. */
export function checkChainFiles(files: ChainFiles, report: Report): void {
  const read = { test: readOne(files, 'test'), live: readOne(files, 'live') };
  for (const environment of ['test', 'live'] as const) {
    const name = variableOf(environment, NAME);
    const one = read[environment];
    if (one?.ok !== false) continue;
    for (const line of one.lines) report([name], `${name}: ${line}`);
  }
  const shared = sharedBy(networksOf(read.test), networksOf(read.live));
  for (const what of shared) {
    report(NAMES, `LIVE_NETWORKS_FILE: ${what} must not be test's`);
  }
}

/** The networks of both environments, for programs that read nothing else. Throws ConfigError. */
export function readNetworkSetups(
  env: Env,
): Readonly<Record<Environment, readonly NetworkSetup[]>> {
  return networkSetups(readSettings(CHAIN, env, checkChainFiles));
}

/** The networks of both environments. They have been checked. */
export function networkSetups(
  files: ChainFiles,
): Readonly<Record<Environment, readonly NetworkSetup[]>> {
  return {
    test: networksOf(readOne(files, 'test')),
    live: networksOf(readOne(files, 'live')),
  };
}

/** The places in live's file of what test has too: a key of test must open nothing of live. */
function sharedBy(test: readonly NetworkSetup[], live: readonly NetworkSetup[]): string[] {
  const known = new Set(test.flatMap((setup) => [...apartOf(setup)].map(([, value]) => value)));
  return live.flatMap((setup, row) =>
    [...apartOf(setup)]
      .filter(([, value]) => known.has(value))
      .map(([field]) => `row ${String(row + 1)} of networks: ${field}`),
  );
}

function* apartOf({
  rpcUrls,
  assets,
  hotAddresses,
}: NetworkSetup): Generator<readonly [field: string, value: string]> {
  for (const [at, url] of rpcUrls.entries()) yield [`rpcUrls.${String(at)}`, url];
  for (const [at, { contract }] of assets.entries()) {
    yield [`assets.${String(at)}.contract`, contract];
  }
  for (const [at, address] of hotAddresses.entries()) yield [`hotAddresses.${String(at)}`, address];
}

const readOne = (files: ChainFiles, environment: Environment): ReadNetworks | null =>
  files[environment] === undefined ? null : readChainFile(files[environment], environment);

const networksOf = (read: ReadNetworks | null): readonly NetworkSetup[] =>
  read?.ok === true ? read.networks : [];
