import { Value } from 'typebox/value';
import { readAddress } from '../../domain/onchain/address.ts';
import type { Depth, Depths, ListedAsset } from '../../domain/onchain/network.ts';
import { NOT_FINAL_MAX } from '../../domain/onchain/nonce-slots.ts';
import type { NetworkSetup, SweepSetup } from '../../domain/onchain/network-setup.ts';
import type { HotRange } from '../../domain/onchain/hot-level.ts';
import { usualDepths } from '../../domain/onchain/usual-depths.ts';
import type { Environment } from '../../domain/scope.ts';
import { networkProblems } from './chain-file-problems.ts';
import { ChainFile, type NetworkRow } from './chain-file-shape.ts';
import { checkedAmount } from './checked-amount.ts';
import { shapeProblems } from './shape-problems.ts';

/**
 * In units of the asset, where the file names no floor. A transfer costs its sender so much, which goes to the customer of
 * the address: 20 of them a second cost 7,200 an hour.
 */
const USUAL_DEPOSIT_FLOOR = '0.10';

export type ReadNetworks =
  | { readonly ok: true; readonly networks: readonly NetworkSetup[] }
  | { readonly ok: false; readonly lines: readonly string[] };

/** Reads the JSON of NETWORKS_FILE: our networks, or a line for everything that is wrong. */
export function readChainFile(json: unknown, environment: Environment): ReadNetworks {
  if (!Value.Check(ChainFile, json)) return { ok: false, lines: shapeProblems(ChainFile, json) };
  const { networks: rows } = json;
  const lines = rows.flatMap((row, index) =>
    [...networkProblems(row, rows.slice(0, index), environment)].map(
      ([field, must]) => `row ${String(index + 1)} of networks: ${field} must be ${must}`,
    ),
  );
  if (lines.length > 0) return { ok: false, lines };
  return { ok: true, networks: rows.map((row) => toSetup(row, environment)) };
}

function toSetup(row: NetworkRow, environment: Environment): NetworkSetup {
  const { network, chainId, status = 'ACTIVE', genesis = null, notFinalMax = NOT_FINAL_MAX } = row;
  const hotAddresses = row.hotAddresses.map(addressOf);
  const factory = addressOf(row.factory);
  const treasury = addressOf(row.treasury);
  return {
    ...{ network, chainId, status, genesis, notFinalMax, hotAddresses, factory, treasury },
    rpcUrls: row.rpcUrls.map((url) => new URL(url).href),
    assets: row.assets.map(toAsset),
    depths: row.depths === undefined ? usualDepths(environment, network) : toDepths(row.depths),
    gasCaps: {
      maxFeePerGas: BigInt(row.gasCaps.maxFeePerGas),
      maxPriorityFeePerGas: BigInt(row.gasCaps.maxPriorityFeePerGas),
    },
    own: [...hotAddresses, factory, treasury],
    depositFloors: Object.fromEntries(
      row.assets.map((asset) => [
        asset.asset,
        depositFloor(asset, row.depositFloors?.[asset.asset]),
      ]),
    ),
    sweeps: row.sweeps === undefined ? null : toSweeps(row.sweeps),
    hot: row.assets.flatMap((asset) => toHotRange(asset, row.hot?.[asset.asset])),
  };
}

function toAsset({ asset, contract, min, max }: NetworkRow['assets'][number]): ListedAsset {
  return {
    asset,
    contract: addressOf(contract),
    min: checkedAmount(min, asset),
    max: checkedAmount(max, asset),
  };
}

/** In minor units. The usual one is no more than what payments may be. */
function depositFloor({ asset, min }: NetworkRow['assets'][number], floor?: string): bigint {
  if (floor !== undefined) return checkedAmount(floor, asset);
  const [usual, least] = [checkedAmount(USUAL_DEPOSIT_FLOOR, asset), checkedAmount(min, asset)];
  return usual < least ? usual : least;
}

const toSweeps = (row: NonNullable<NetworkRow['sweeps']>): SweepSetup => ({
  maxFeePerGas: BigInt(row.maxFeePerGas),
  floors: Object.fromEntries(
    Object.entries(row.floors).map(([asset, floor]) => [asset, checkedAmount(floor, asset)]),
  ),
});

/** None of an asset that has neither floor nor cap. */
function toHotRange(
  { asset, contract }: NetworkRow['assets'][number],
  range: NonNullable<NetworkRow['hot']>[string] | undefined,
): readonly HotRange[] {
  if (range === undefined) return [];
  const floor = checkedAmount(range.floor, asset);
  return [{ asset, contract: addressOf(contract), floor, cap: checkedAmount(range.cap, asset) }];
}

function addressOf(text: string): string {
  const read = readAddress(text);
  if (!read.ok) throw new Error('the addresses of the file were not checked');
  return read.address;
}

const toDepths = (rows: NonNullable<NetworkRow['depths']>): Depths => ({
  credit: toDepth(rows.credit),
  creditAbove: toDepth(rows.creditAbove),
  final: toDepth(rows.final),
});

const toDepth = (row: NonNullable<NetworkRow['depths']>['final']): Depth =>
  'blocks' in row ? { kind: 'BLOCKS', blocks: row.blocks } : { kind: 'TAG', tag: row.tag };
