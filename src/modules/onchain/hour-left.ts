import { sumSignedByCustomer } from '../../db/onchain/chain-nonce-store.ts';
import type { ChainTransferRow } from '../../db/onchain/chain-transfer-store.ts';
import { hourBefore } from '../../domain/onchain/hour-before.ts';
import type { SignerRoom } from '../../domain/onchain/signer.ts';
import type { ChainDeps, PollCycle } from './chain-deps.ts';

/**
 * ROOM: the transfer is within the hour. FULL: it is above what the hour has left. SHARE_FULL: with it, its customer would
 * have more than three quarters of the hour. CLOSED: one like that has to wait already. OVER_CAP: it is above what signers
 * sign for at a time, in whichever hour.
 */
type HourRoom = 'ROOM' | 'FULL' | 'CLOSED' | 'SHARE_FULL' | 'OVER_CAP';

/** A customer's share of the hour of an asset. */
export type HourShare = Pick<ChainTransferRow, 'asset' | 'customerId'>;

type Hourly = Pick<ChainTransferRow, 'asset' | 'amount' | 'customerId'>;

/** What signers may still sign for within the hour, as one poll cycle plans it. */
export interface HourLeft {
  roomFor(transfer: Hourly): Promise<HourRoom>;
  /** Plans a transfer that has room. */
  take(transfer: Hourly): void;
  /**
   * The transfer has to wait, and a smaller one does not pass it: none of its asset has room any more, or none of its
   * customer's where that one's share is full.
   */
  close(transfer: Hourly, room: 'FULL' | 'SHARE_FULL'): void;
  /** The assets that are closed. */
  closed(): readonly string[];
  /** The customers whose share of an asset is full. */
  closedShares(): readonly HourShare[];
  /** The assets of which some transfer had room, and that are not closed. What was not asked about is neither. */
  open(): readonly string[];
  /** One that goes on from here, and changes nothing of this one. */
  fork(): HourLeft;
}

/**
 * Asked before a nonce is taken: one that nothing may be signed for would hold up all behind it. No customer takes more
 * than three quarters of an hour, but for a single transfer that is more.
 */
export function createHourLeft(
  { db, place, settings, signerOf }: Pick<ChainDeps, 'db' | 'place' | 'settings' | 'signerOf'>,
  { now }: Pick<PollCycle, 'now'>,
): HourLeft {
  const read = new Map<string, Promise<AssetHour | null>>();
  /** The hour is shared by all signers of the network. Null: there is no cap. */
  function hourOf(asset: string): Promise<AssetHour | null> {
    const hour = read.get(asset) ?? readHour(asset);
    read.set(asset, hour);
    return hour;
  }
  async function readHour(asset: string): Promise<AssetHour | null> {
    const signer = settings.hotAddresses.map(signerOf).find((one) => one?.room !== undefined);
    const room = await signer?.room?.(asset);
    if (room === undefined) return null;
    const since = hourBefore(now);
    return {
      ...room,
      spent: await db.system((tx) => sumSignedByCustomer(tx, place, asset, since)),
    };
  }
  return follow(hourOf, { taken: [], closed: [], open: [], closedShares: [] });
}

interface AssetHour extends SignerRoom {
  /** By customer. */
  readonly spent: ReadonlyMap<string, bigint>;
}

interface Followed {
  readonly taken: readonly Hourly[];
  readonly closed: readonly string[];
  readonly open: readonly string[];
  readonly closedShares: readonly HourShare[];
}

function follow(hourOf: (asset: string) => Promise<AssetHour | null>, before: Followed): HourLeft {
  const taken = [...before.taken];
  const closed = new Set(before.closed);
  const open = new Set(before.open);
  const closedShares = [...before.closedShares];
  const isShareClosed = ({ asset, customerId }: HourShare): boolean =>
    closedShares.some((one) => one.asset === asset && one.customerId === customerId);
  async function judge(transfer: Hourly): Promise<HourRoom> {
    const { asset, amount, customerId } = transfer;
    const hour = await hourOf(asset);
    if (hour === null) return 'ROOM';
    if (amount > hour.transactionMax) return 'OVER_CAP';
    if (closed.has(asset) || isShareClosed(transfer)) return 'CLOSED';
    const planned = taken.filter((one) => one.asset === asset);
    const ofCustomer = planned.filter((one) => one.customerId === customerId);
    const own = (hour.spent.get(customerId) ?? 0n) + sumOf(ofCustomer);
    if (own > 0n && (own + amount) * 4n > hour.hourMax * 3n) return 'SHARE_FULL';
    return sumOf(planned) + amount <= hour.hourLeft ? 'ROOM' : 'FULL';
  }
  return {
    async roomFor(transfer) {
      const room = await judge(transfer);
      if (room === 'ROOM') open.add(transfer.asset);
      return room;
    },
    take: (transfer) => void taken.push(transfer),
    close({ asset, customerId }, room) {
      if (room === 'FULL') closed.add(asset);
      else closedShares.push({ asset, customerId });
    },
    closed: () => [...closed],
    closedShares: () => [...closedShares],
    open: () => [...open].filter((asset) => !closed.has(asset)),
    fork: () =>
      follow(hourOf, {
        taken,
        closed: [...closed],
        open: [...open],
        closedShares: [...closedShares],
      }),
  };
}

const sumOf = (transfers: readonly Hourly[]): bigint =>
  transfers.reduce((sum, { amount }) => sum + amount, 0n);
