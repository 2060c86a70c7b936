import type { ChainTransferRow } from '../../db/onchain/chain-transfer-store.ts';
import type { ChainDeps } from './chain-deps.ts';

/** What signers may still sign for within the hour, as one poll cycle plans it. */
export interface HourLeft {
  /** Whether a transfer is within it. The first of an asset that is not closes the asset for this poll cycle. */
  hasRoom(transfer: ChainTransferRow): Promise<boolean>;
  /** Plans a transfer that has room. */
  take(transfer: ChainTransferRow): void;
  /** The assets that are closed. */
  closed(): readonly string[];
}

/**
 * Asked before a nonce is taken: one that nothing may be signed for would hold up all behind it. A smaller transfer does
 * not pass a larger one that has to wait, and operators are told.
 */
export function createHourLeft({ settings, signerOf, alarm }: ChainDeps): HourLeft {
  const left = new Map<string, bigint | null>();
  const closed = new Set<string>();
  /** The hour is shared by all signers of the network. Null: there is no cap. */
  async function leftOf(asset: string): Promise<bigint | null> {
    const known = left.get(asset);
    if (known !== undefined) return known;
    const signer = settings.hotAddresses.map(signerOf).find((one) => one?.hourLeft !== undefined);
    const read = (await signer?.hourLeft?.(asset)) ?? null;
    left.set(asset, read);
    return read;
  }
  return {
    async hasRoom({ asset, amount }) {
      if (closed.has(asset)) return false;
      const most = await leftOf(asset);
      if (most === null || amount <= most) return true;
      closed.add(asset);
      alarm({ kind: 'HOUR_OVER_CAP', asset });
      return false;
    },
    take({ asset, amount }) {
      const most = left.get(asset) ?? null;
      if (most !== null) left.set(asset, most - amount);
    },
    closed: () => [...closed],
  };
}
