import { readAddress } from '../../domain/onchain/address.ts';
import type { Network } from '../../domain/onchain/network.ts';
import { factoryDeployment } from '../../domain/onchain/factory-deployment.ts';
import { sweepGas } from '../../domain/onchain/sweep-rules.ts';
import { formatAmount, parseAmount } from '../../domain/money/amount.ts';
import { divideRounded } from '../../domain/money/rounding.ts';
import type { Environment } from '../../domain/scope.ts';
import type { NetworkRow } from './chain-file-shape.ts';
import { readForwarderContracts } from './forwarder-contracts.ts';

/** What a field must be, by its path in the row. */
type Problem = readonly [field: string, must: string];

/** EIP-155 chain ids as https://chainid.network lists them. */
const LIVE_CHAIN_IDS: Readonly<Record<Network, number>> = {
  ETHEREUM: 1,
  BASE: 8453,
  OPTIMISM: 10,
  ARBITRUM: 42161,
  POLYGON: 137,
};

/** Everything that is wrong with a row of the right shape; `before` are the rows above it. */
export function* networkProblems(
  row: NetworkRow,
  before: readonly NetworkRow[],
  environment: Environment,
): Generator<Problem> {
  if (before.some(({ network }) => network === row.network)) yield ['network', 'in one row only'];
  // What is signed for a chain id is valid on every chain that has it.
  if (before.some(({ chainId }) => chainId === row.chainId)) yield ['chainId', 'in one row only'];
  yield* addressProblems(row);
  yield* urlProblems(row);
  yield* assetProblems(row);
  yield* placeProblems(row, before);
  yield* floorProblems(row);
  yield* hotProblems(row);
  if (BigInt(row.gasCaps.maxPriorityFeePerGas) > BigInt(row.gasCaps.maxFeePerGas)) {
    yield ['gasCaps.maxPriorityFeePerGas', 'no more than maxFeePerGas'];
  }
  if (environment === 'live') yield* liveProblems(row);
}

function* addressProblems(row: NetworkRow): Generator<Problem> {
  const named: readonly (readonly [string, string])[] = [
    ...row.assets.map(({ contract }, at) => [`assets.${String(at)}.contract`, contract] as const),
    ...row.hotAddresses.map((address, at) => [`hotAddresses.${String(at)}`, address] as const),
    ['factory', row.factory],
    ['treasury', row.treasury],
  ];
  const seen = new Set<string>();
  for (const [field, text] of named) {
    const read = readAddress(text);
    if (!read.ok)
      yield [field, 'an address with the checksum of EIP-55, neither zero nor built in'];
    else if (seen.has(read.address)) yield [field, 'an address that the row names once'];
    else seen.add(read.address);
  }
}

function* urlProblems({ rpcUrls }: NetworkRow): Generator<Problem> {
  const seen = new Set<string>();
  for (const [at, text] of rpcUrls.entries()) {
    const field = `rpcUrls.${String(at)}`;
    const href = hrefOf(text);
    if (href === null) yield [field, 'a URL that begins with http:// or https://'];
    else if (seen.has(href)) yield [field, "another provider's"];
    else seen.add(href);
  }
}

function* assetProblems({ assets }: NetworkRow): Generator<Problem> {
  for (const [at, { asset, min, max }] of assets.entries()) {
    const field = `assets.${String(at)}`;
    if (assets.slice(0, at).some((other) => other.asset === asset)) {
      yield [`${field}.asset`, 'in the row once'];
    }
    const least = parseAmount(min, asset);
    const most = parseAmount(max, asset);
    if (!least.ok) yield [`${field}.min`, 'an amount above zero of six decimals at most'];
    if (!most.ok) yield [`${field}.max`, 'an amount above zero of six decimals at most'];
    if (least.ok && most.ok && most.minor < least.minor) yield [`${field}.max`, 'no less than min'];
  }
}

/** An address of a deposit is the same on every network, and everything there ends in one place. */
function* placeProblems(row: NetworkRow, [first]: readonly NetworkRow[]): Generator<Problem> {
  if (first === undefined) return;
  for (const field of ['factory', 'treasury'] as const) {
    if (row[field].toLowerCase() !== first[field].toLowerCase()) {
      yield [field, 'the same on every network'];
    }
  }
}

function* floorProblems({ sweeps, depositFloors, assets }: NetworkRow): Generator<Problem> {
  const floors = [
    ['sweeps.floors', Object.entries(sweeps?.floors ?? {})],
    ['depositFloors', Object.entries(depositFloors ?? {})],
  ] as const;
  for (const [of, ofAssets] of floors) {
    for (const [asset, floor] of ofAssets) {
      const field = `${of}.${asset}`;
      const listed = assets.find((one) => one.asset === asset);
      const least = parseAmount(floor, asset);
      const min = listed === undefined ? null : parseAmount(listed.min, asset);
      if (listed === undefined) yield [field, 'an asset of the row'];
      else if (!least.ok) yield [field, 'an amount above zero of six decimals at most'];
      else if (of === 'depositFloors' && min?.ok === true && least.minor > min.minor) {
        yield [field, "no more than the asset's min"];
      }
    }
  }
}

function* hotProblems({ hot, assets }: NetworkRow): Generator<Problem> {
  for (const [asset, { floor, cap }] of Object.entries(hot ?? {})) {
    const field = `hot.${asset}`;
    if (!assets.some((listed) => listed.asset === asset)) {
      yield [field, 'an asset of the row'];
      continue;
    }
    const least = parseAmount(floor, asset);
    const most = parseAmount(cap, asset);
    if (!least.ok) yield [`${field}.floor`, 'an amount above zero of six decimals at most'];
    if (!most.ok) yield [`${field}.cap`, 'an amount above zero of six decimals at most'];
    if (least.ok && most.ok && most.minor <= least.minor) yield [`${field}.cap`, 'more than floor'];
  }
}

function* liveProblems(row: NetworkRow): Generator<Problem> {
  const { network, chainId, genesis, rpcUrls } = row;
  if (rpcUrls.length < 2) yield ['rpcUrls', 'two: live believes no provider alone'];
  for (const [at, text] of rpcUrls.entries()) {
    if (isInTheClear(text)) yield [`rpcUrls.${String(at)}`, 'https in live, off this machine'];
  }
  if (genesis === undefined) yield ['genesis', 'given in live'];
  if (chainId !== LIVE_CHAIN_IDS[network]) {
    yield ['chainId', `${String(LIVE_CHAIN_IDS[network])}, which ${network} has`];
  }
  yield* factoryProblems(row);
  yield* sweepCostProblems(row);
}

/** An address of this machine in the form that the WHATWG parser gives it; no name, which DNS decides. */
const LOOPBACK = /^(127(\.[0-9]{1,3}){3}|\[::1\])$/;

/** Someone on the way could answer in the node's place, and read the key in its URL. */
function isInTheClear(text: string): boolean {
  const href = hrefOf(text);
  if (href === null) return false;
  const { protocol, hostname } = new URL(href);
  return protocol === 'http:' && !LOOPBACK.test(hostname);
}

/** Addresses of deposits are made from the factory: one of another treasury would give the deposits away. */
function* factoryProblems(row: NetworkRow): Generator<Problem> {
  const treasury = readAddress(row.treasury);
  const factory = readAddress(row.factory);
  if (!treasury.ok || !factory.ok) return;
  const derived = factoryDeployment(readForwarderContracts(), treasury.address).factory;
  if (factory.address !== derived) yield ['factory', `${derived}, which the treasury has`];
}

/** What is swept from an address is worth at least so many times what its sweep may cost. */
const WORTH_TIMES = 10n;

function* sweepCostProblems({ sweeps, assets }: NetworkRow): Generator<Problem> {
  for (const [asset, floorText] of Object.entries(sweeps?.floors ?? {})) {
    const floor = parseAmount(floorText, asset);
    if (!floor.ok || !assets.some((listed) => listed.asset === asset)) continue;
    const price = parseAmount(sweeps?.coinPrices?.[asset] ?? '', asset);
    if (!price.ok) {
      yield [
        `sweeps.coinPrices.${asset}`,
        'given in live: what one coin of the network costs in it',
      ];
      continue;
    }
    const gas = sweepGas(1) * BigInt(sweeps?.maxFeePerGas ?? '0');
    const cost = divideRounded(gas * price.minor, 10n ** 18n, 'up');
    if (floor.minor < WORTH_TIMES * cost) {
      const least = formatAmount(WORTH_TIMES * cost, asset);
      yield [
        `sweeps.floors.${asset}`,
        `at least ${least}: ten times what a sweep of one address may cost`,
      ];
    }
  }
}

/** The URL as it is asked, null where it is none. */
function hrefOf(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { href, protocol } = new URL(text);
  return protocol === 'http:' || protocol === 'https:' ? href : null;
}
