import { listLanes, type ListedLane } from '../../db/onchain/chain-lane-store.ts';
import type { NetworkSetup } from '../../domain/onchain/network-setup.ts';
import { hotLevel, type HotRange } from '../../domain/onchain/top-up-rules.ts';
import { formatAmount } from '../../domain/money/amount.ts';
import { ENVIRONMENTS, type Environment } from '../../domain/scope.ts';
import type { OpsDeps } from './command-context.ts';
import { coinText, readLaneBalances, type LaneBalances } from './lane-balances.ts';
import { table } from './table.ts';

/** A network of the settings, and what its hot addresses hold. */
interface HeldNetwork {
  readonly environment: Environment;
  readonly setup: NetworkSetup;
  readonly lanes: readonly LaneBalances[];
}

/**
 * Prints every hot address that has paid, with what it holds and when it is topped up; then, of each asset that has a floor and
 * a cap, what the addresses that pay hold together, and what is to be moved by hand.
 */
export async function printLanes(deps: OpsDeps): Promise<number> {
  const lanes = await deps.db.system(listLanes);
  const networks = await readNetworks(deps);
  deps.print(
    table(
      [
        ...['environment', 'network', 'address', 'next nonce', 'under way', 'status', 'holds'],
        'gas floor and target',
      ],
      lanes.map((lane) => laneCells(lane, networks)),
    ),
  );
  const rows = networks.flatMap((one) => one.setup.hot.map((range) => hotCells(one, range, lanes)));
  if (rows.length > 0) {
    const head = ['environment', 'network', 'asset', 'at hot addresses', 'floor', 'cap', 'to do'];
    deps.print(`\n${table(head, rows)}`);
  }
  return 0;
}

async function readNetworks({ chains }: OpsDeps): Promise<readonly HeldNetwork[]> {
  const networks: HeldNetwork[] = [];
  for (const environment of ENVIRONMENTS) {
    for (const setup of chains[environment]) {
      networks.push({ environment, setup, lanes: await readLaneBalances(setup) });
    }
  }
  return networks;
}

function laneCells(lane: ListedLane, networks: readonly HeldNetwork[]): readonly string[] {
  const { environment, network, address } = lane;
  const known = networks.find(
    (one) => one.environment === environment && one.setup.network === network,
  );
  const held = known?.lanes.find((one) => one.address === address);
  return [
    ...[environment, network, address, lane.nextNonce.toString(), String(lane.open)],
    ...[statusOf(lane), held?.text ?? 'unknown', topUpText(known?.setup, address)],
  ];
}

function topUpText(setup: NetworkSetup | undefined, address: string): string {
  const topUps = setup?.topUps ?? null;
  if (topUps === null || !setup?.lanes.includes(address)) return 'none';
  const floor = coinText(topUps.floor);
  return topUps.from === address
    ? `gives, keeps ${floor}`
    : `${floor} to ${coinText(topUps.target)}`;
}

const STOPPED: ReadonlySet<ListedLane['status']> = new Set(['FROZEN', 'RETIRING', 'RETIRED']);

function hotCells(
  { environment, setup, lanes }: HeldNetwork,
  range: HotRange,
  listed: readonly ListedLane[],
): readonly string[] {
  const { asset, floor, cap } = range;
  const stopped = listed.filter(
    (lane) =>
      lane.environment === environment &&
      lane.network === setup.network &&
      STOPPED.has(lane.status),
  );
  const paying = lanes.filter(({ address }) => !stopped.some((lane) => lane.address === address));
  const bounds = [formatAmount(floor, asset), formatAmount(cap, asset)];
  const place = [environment, setup.network, asset];
  if (paying.some(({ tokens }) => tokens === null)) return [...place, 'unknown', ...bounds, ''];
  const held = paying.reduce((sum, { tokens }) => sum + (tokens?.get(asset) ?? 0n), 0n);
  return [...place, formatAmount(held, asset), ...bounds, toDo(held, range)];
}

function toDo(held: bigint, range: HotRange): string {
  const { asset, floor, cap } = range;
  switch (hotLevel(held, range)) {
    case 'LOW':
      return `fill up by ${formatAmount(floor - held, asset)}`;
    case 'HIGH':
      return `move ${formatAmount(held - cap, asset)} to the treasury`;
    case 'WITHIN':
      return '';
  }
}

const statusOf = ({ status, why, isLowOnGas, mayStillPay }: ListedLane): string =>
  [
    why === null ? status : `${status}: ${why}`,
    ...(isLowOnGas ? ['low on gas'] : []),
    ...(mayStillPay ? ['may still pay'] : []),
  ].join(', ');
