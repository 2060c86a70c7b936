import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createRandom } from '../../random.ts';
import { play } from './play.ts';
import type { OutsideTransfer } from './simulated-network.ts';
import { openSimulatedReader, type SimulatedReader } from './simulated-reader.ts';

/** What an attacker does, and for how long. */
export interface DustAttack {
  /** Addresses that the dust goes to, of customers in turn. */
  readonly addresses: number;
  /** Whether its senders are on the list of those that are blocked. */
  readonly isListed: boolean;
  readonly quietMs: number;
  readonly attackMs: number;
}

/** One part of the play: what an honest deposit waited at the worst, and what all of it cost. */
export interface DustPart {
  readonly honest: number;
  readonly notCredited: number;
  readonly worstMs: number;
  readonly items: number;
  /** Processor time of this process, simulation included, and what PostgreSQL worked, in ms of this machine. */
  readonly processorMs: number;
  readonly databaseMs: number;
}

export interface DustFigures {
  readonly quiet: DustPart;
  readonly attack: DustPart;
  readonly dust: number;
  /** Units of gas that the attacker paid for. */
  readonly gas: bigint;
  /** Deposits of the attacker's addresses that were credited. */
  readonly creditedDust: number;
  /** Heap in use after a quarter of the attack and at its end, in MiB. */
  readonly heapMiB: readonly [number, number];
  readonly alarms: readonly string[];
}

const DUST_A_SECOND = 20;
/** The largest amount of dust, in minor units: a hundredth of a dollar. */
const DUST_MAX = 10_000;
const HONEST_EVERY_BLOCKS = 5;
const HONEST_ADDRESSES = 100;
const CUSTOMERS = 20;
const HONEST_AMOUNT = 25_000_000n;
const ATTACKERS = 3;
/** How often it is looked at what was credited: before it is final, after which its time is lost. */
const LOOK_EVERY_MS = 30_000;
/** So long after the last honest deposit of a part it is waited for those that are not credited. */
const PATIENCE_FACTOR = 2;

/** Honest deposits in quiet, then under an attacker's dust, all on Base. */
export async function playDust(seed: number, attack: DustAttack): Promise<DustFigures> {
  const reader = await openSimulatedReader(seed);
  const { network } = reader;
  const { time, pace, anvil } = network;
  const random = createRandom(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  try {
    const honestTo = await reader.giveAddresses(HONEST_ADDRESSES, CUSTOMERS);
    const dustTo = await reader.giveAddresses(
      attack.addresses,
      Math.min(CUSTOMERS, attack.addresses),
    );
    const attackers = anvil.accounts.slice(0, ATTACKERS);
    const payers = anvil.accounts.slice(ATTACKERS);
    if (attack.isListed) for (const one of attackers) reader.verdicts.set(one, 'BLOCKED');
    let isAttacking = false;
    let dust = 0;
    let blocks = 0;
    network.beforeBlock(async () => {
      blocks += 1;
      const sent: OutsideTransfer[] = [];
      const dusts = isAttacking ? (DUST_A_SECOND * pace.blockMs) / 1_000 : 0;
      for (let one = 0; one < dusts; one += 1) {
        const from = attackers[below(ATTACKERS)] ?? '';
        const to = dustTo[below(dustTo.length)] ?? '';
        sent.push({ from, to, amount: BigInt(1 + below(DUST_MAX)) });
      }
      dust += dusts;
      if (blocks % HONEST_EVERY_BLOCKS === 0) {
        const from = payers[below(payers.length)] ?? '';
        const to = honestTo[below(honestTo.length)] ?? '';
        sent.push({ from, to, amount: HONEST_AMOUNT });
      }
      await network.pay(sent);
    });
    return await play(
      network,
      reader.poll,
      async () => {
        const quiet = await playPart(reader, honestTo, attack.quietMs, null);
        isAttacking = true;
        const heap: number[] = [];
        const quarter = async (): Promise<void> => {
          heap.push(await time.working(heapMiB));
        };
        const patienceMs = PATIENCE_FACTOR * quiet.worstMs;
        const attacked = await playPart(reader, honestTo, attack.attackMs, { patienceMs, quarter });
        heap.push(await time.working(heapMiB));
        const [credited] = await reader.rows<{ count: number }>(
          `SELECT count(*)::int AS count FROM deposits
         WHERE status IN ('CREDITED', 'FINAL') AND NOT to_address = ANY ($1)`,
          [honestTo],
        );
        return {
          ...{ quiet, attack: attacked, dust, gas: BigInt(dust) * (await gasOfDust(reader)) },
          creditedDust: credited?.count ?? 0,
          heapMiB: [heap[0] ?? 0, heap.at(-1) ?? 0] as const,
          alarms: [...reader.alarms],
        };
      },
      { beside: reader.checkBalances },
    );
  } finally {
    await reader.close();
  }
}

/**
 * Honest deposits come for so long, and those of its blocks are looked at. They have `patienceMs` to be credited in; in
 * quiet, as long as it takes. `quarter` is called once after a quarter of the time.
 */
async function playPart(
  reader: SimulatedReader,
  honestTo: readonly string[],
  lastsMs: number,
  limits: { readonly patienceMs: number; readonly quarter: () => Promise<void> } | null,
): Promise<DustPart> {
  const { network, databaseMs } = reader;
  const { time, pace } = network;
  const before = {
    ...{ items: network.items(), processor: process.cpuUsage(), databaseMs: await databaseMs() },
  };
  const blocks = { above: network.head(), upTo: network.head() + lastsMs / pace.blockMs };
  const startedMs = time.now().getTime();
  const patienceMs = limits?.patienceMs ?? QUIET_PATIENCE_MS;
  const waits = new Map<string, number>();
  let isQuarterOver = false;
  while (time.now().getTime() < startedMs + lastsMs + patienceMs) {
    await time.sleep(LOOK_EVERY_MS);
    for (const { id, waitedMs } of await readWaits(reader, honestTo, blocks)) {
      if (!waits.has(id)) waits.set(id, waitedMs);
    }
    if (!isQuarterOver && time.now().getTime() > startedMs + lastsMs / 4) {
      isQuarterOver = true;
      await limits?.quarter();
    }
  }
  const honest = await countHonest(reader, honestTo, blocks);
  const processor = process.cpuUsage(before.processor);
  return {
    ...{ honest, notCredited: honest - waits.size, worstMs: Math.max(0, ...waits.values()) },
    items: network.items() - before.items,
    processorMs: Math.round((processor.user + processor.system) / 1_000),
    databaseMs: (await databaseMs()) - before.databaseMs,
  };
}

/** In quiet every deposit is credited within this, or the play shows it. */
const QUIET_PATIENCE_MS = 300_000;

/** From the block that holds it to the moment of its credit: of those that are credited and not final. */
function readWaits(
  { rows }: SimulatedReader,
  honestTo: readonly string[],
  { above, upTo }: { readonly above: number; readonly upTo: number },
): Promise<{ id: string; waitedMs: number }[]> {
  return rows(
    `SELECT id, (extract(epoch FROM updated_at - block_at) * 1000)::int AS "waitedMs" FROM deposits
     WHERE status = 'CREDITED' AND to_address = ANY ($1) AND block_number > $2 AND block_number <= $3`,
    [honestTo, above, upTo],
  );
}

/** Honest deposits in these blocks by the true node. */
async function countHonest(
  { network: { anvil, usdc, time } }: SimulatedReader,
  honestTo: readonly string[],
  { above, upTo }: { readonly above: number; readonly upTo: number },
): Promise<number> {
  const words = honestTo.map((address) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`);
  const logs = await time.working(() =>
    anvil.rpc<unknown[]>('eth_getLogs', {
      ...{ address: usdc, topics: [null, null, words] },
      fromBlock: `0x${(above + 1).toString(16)}`,
      toBlock: `0x${upTo.toString(16)}`,
    }),
  );
  return logs.length;
}

/** Units of gas that a transfer of dust costs, by one in the newest block. */
async function gasOfDust({ network: { anvil, time } }: SimulatedReader): Promise<bigint> {
  const receipts = await time.working(() =>
    anvil.rpc<{ gasUsed: string }[]>('eth_getBlockReceipts', 'latest'),
  );
  return BigInt(receipts[0]?.gasUsed ?? '0x0');
}

/** What is in use once everything that is not any more was collected. */
async function heapMiB(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  return Math.round(process.memoryUsage().heapUsed / 2 ** 20);
}
