import { sumSignedByCustomer } from '../../db/onchain/chain-nonce-store.ts';
import type { ChainTransferRow } from '../../db/onchain/chain-transfer-store.ts';
import type { SignerRoom } from '../../domain/onchain/signer.ts';
import type { ChainDeps, PollCycle } from './chain-deps.ts';
import { hourBefore } from './signers/signing-hour.ts';

/**
 * ROOM: the transfer is within the hour. FULL: it is above what the hour has left. CLOSED: one of its asset that is has to
 * wait already. SHARE_FULL: its customer has had three quarters of the hour. OVER_CAP: it is above what signers sign for at
 * a time, in whichever hour.
 */
type HourRoom = 'ROOM' | 'FULL' | 'CLOSED' | 'SHARE_FULL' | 'OVER_CAP';

type Hourly = Pick<ChainTransferRow, 'asset' | 'amount' | 'customerId'>;

/** What signers may still sign for within the hour, as one poll cycle plans it. */
export interface HourLeft {
  roomFor(transfer: Hourly): Promise<HourRoom>;
  /** Plans a transfer that has room. */
  take(transfer: Hourly): void;
  /** From now on no transfer of the asset has room: a smaller one does not pass a larger one that has to wait. */
  close(asset: string): void;
  /** The assets that are closed. */
  closed(): readonly string[];
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
  return follow(hourOf, [], new Set());
}

interface AssetHour extends SignerRoom {
  /** By customer. */
  readonly spent: ReadonlyMap<string, bigint>;
}

function follow(
  hourOf: (asset: string) => Promise<AssetHour | null>,
  before: readonly Hourly[],
  shut: ReadonlySet<string>,
): HourLeft {
  const taken = [...before];
  const closed = new Set(shut);
  return {
    async roomFor({ asset, amount, customerId }) {
      const hour = await hourOf(asset);
      if (hour === null) return 'ROOM';
      if (amount > hour.transactionMax) return 'OVER_CAP';
      if (closed.has(asset)) return 'CLOSED';
      const planned = taken.filter((one) => one.asset === asset);
      const ofCustomer = planned.filter((one) => one.customerId === customerId);
      const own = (hour.spent.get(customerId) ?? 0n) + sumOf(ofCustomer);
      if (own > 0n && (own + amount) * 4n > hour.hourMax * 3n) return 'SHARE_FULL';
      return sumOf(planned) + amount <= hour.hourLeft ? 'ROOM' : 'FULL';
    },
    take: (transfer) => void taken.push(transfer),
    close: (asset) => void closed.add(asset),
    closed: () => [...closed],
    fork: () => follow(hourOf, taken, closed),
  };
}

const sumOf = (transfers: readonly Hourly[]): bigint =>
  transfers.reduce((sum, { amount }) => sum + amount, 0n);
