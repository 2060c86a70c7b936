import { play } from './play.ts';
import { openSimulatedReader } from './simulated-reader.ts';

/** How many deposits are credited while more come. */
export interface DepositFigures {
  readonly sent: number;
  /** In the measured time, and a second of it. */
  readonly credited: number;
  readonly aSecond: number;
  /** JSON-RPC calls to both providers for each, in tenths. */
  readonly itemsEach: number;
  /** At the end: those of blocks that are safe by then and not credited. */
  readonly behind: number;
  /** Processor and database per deposit credited, in ms of this machine. */
  readonly processorMs: number;
  readonly databaseMs: number;
  readonly alarms: readonly string[];
}

const ADDRESSES = 500;
/** So many that none of them has so much on its way that it waits for finality. */
const CUSTOMERS = 40;
const AMOUNT = 2_000_000n;
/** More come than are to be credited. */
const OFFERED_PERCENT = 110;

/** Deposits of so many a second, 110 offered for 100: first for `warmUpMs`, of which nothing is counted. */
export async function playDeposits(
  seed: number,
  {
    aSecond,
    warmUpMs,
    measuredMs,
  }: { readonly aSecond: number; readonly warmUpMs: number; readonly measuredMs: number },
): Promise<DepositFigures> {
  const reader = await openSimulatedReader(seed);
  const { network, rows } = reader;
  const { time, pace, anvil } = network;
  try {
    const addresses = await reader.giveAddresses(ADDRESSES, CUSTOMERS);
    const aBlock = Math.ceil((aSecond * OFFERED_PERCENT * pace.blockMs) / 100 / 1_000);
    const firstBlock = network.head();
    let sent = 0;
    network.beforeBlock(async () => {
      const block = Array.from({ length: aBlock }, (_none, one) => {
        const from = anvil.accounts[(sent + one) % anvil.accounts.length] ?? '';
        return { from, to: addresses[(sent + one) % ADDRESSES] ?? '', amount: AMOUNT };
      });
      sent += aBlock;
      await network.pay(block);
    });
    const countCredited = async (): Promise<number> => {
      const [row] = await rows<{ count: number }>(
        "SELECT count(*)::int AS count FROM deposits WHERE status IN ('CREDITED', 'FINAL')",
      );
      return row?.count ?? 0;
    };
    return await play(
      network,
      reader.poll,
      async () => {
        await time.sleep(warmUpMs);
        const look = async () => ({
          ...{ credited: await countCredited(), items: network.items() },
          ...{ processor: process.cpuUsage(), databaseMs: await reader.databaseMs() },
        });
        const before = await look();
        await time.sleep(measuredMs);
        const after = await look();
        const credited = after.credited - before.credited;
        const processor = process.cpuUsage(before.processor);
        const each = (ofAll: number): number =>
          Math.round((ofAll * 10) / Math.max(1, credited)) / 10;
        const safeBlocks = pace.safe(network.head()) - firstBlock;
        return {
          ...{ sent, credited, alarms: [...reader.alarms] },
          aSecond: Math.floor((credited * 10_000) / measuredMs) / 10,
          itemsEach: each(after.items - before.items),
          behind: Math.max(0, safeBlocks * aBlock - after.credited),
          processorMs: each((processor.user + processor.system) / 1_000),
          databaseMs: each(after.databaseMs - before.databaseMs),
        };
      },
      { beside: reader.checkBalances },
    );
  } finally {
    await reader.close();
  }
}
