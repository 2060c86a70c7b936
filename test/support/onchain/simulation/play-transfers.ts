import { play } from './play.ts';
import { openSimulatedSigner } from './simulated-signer.ts';

/** How a signer account does while payments come faster than it is to pay them. */
export interface TransferFigures {
  /** Transfers in blocks of the measured time, and what that is an hour. */
  readonly transfers: number;
  readonly anHour: number;
  /** Recipients that were paid more than once. */
  readonly paidTwice: number;
  readonly windows: number;
  readonly itemsEach: number;
  readonly alarms: readonly string[];
}

/** Payments come so much faster than the signer account is to pay them. */
const OFFERED_PERCENT = 120;
const CUSTOMERS = 4;
const HOUR_MS = 3_600_000;

/**
 * Payments of several customers over one signer account for so many finality windows after the first one, of which
 * nothing is counted. `anHour`: how many it is to pay.
 */
export async function playTransfers(
  name: 'ETHEREUM' | 'BASE',
  seed: number,
  { anHour, windows }: { readonly anHour: number; readonly windows: number },
): Promise<TransferFigures> {
  const signer = await openSimulatedSigner(name, seed, CUSTOMERS);
  const { network, payers } = signer;
  const { time, pace } = network;
  try {
    const windowMs = (pace.finalBlocksMax + 1) * pace.blockMs;
    const offeredABlock = (anHour * OFFERED_PERCENT * pace.blockMs) / 100 / HOUR_MS;
    const firstBlock = network.head();
    let offered = 0;
    network.beforeBlock(async () => {
      const due = Math.ceil((network.head() + 1 - firstBlock) * offeredABlock);
      const from = offered;
      offered = due;
      for (let one = from; one < due; one += 1) await payers[one % CUSTOMERS]?.send();
    });
    return await play(network, signer.poll, async () => {
      await time.sleep(windowMs);
      const before = { block: network.head(), items: network.items() };
      await time.sleep(windows * windowMs);
      const items = network.items() - before.items;
      const all = await signer.mined(firstBlock);
      const counted = all.filter(({ block }) => block > before.block);
      const hours = (windows * windowMs) / HOUR_MS;
      return {
        ...{ transfers: counted.length, windows, alarms: [...signer.alarms] },
        anHour: Math.floor(counted.length / hours),
        paidTwice: all.length - new Set(all.map(({ to }) => to)).size,
        itemsEach: Math.round((items * 10) / Math.max(1, counted.length)) / 10,
      };
    });
  } finally {
    await signer.close();
  }
}
