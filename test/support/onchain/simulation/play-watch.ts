import pg from 'pg';
import { play } from './play.ts';
import type { PollTaken } from './follow.ts';
import { openSimulatedReader, type SimulatedReader } from './simulated-reader.ts';

/** How long poll cycles take. */
export interface WatchFigures {
  readonly polls: number;
  readonly worst: PollTaken;
  readonly median: PollTaken;
  readonly credited: number;
}

const CUSTOMERS = 20;
const AMOUNT = 5_000_000n;
const WARM_UP_MS = 60_000;

/**
 * Poll cycles over some minutes with so many addresses ever given out, and so many of them watched, of providers that do
 * not fail.
 */
export async function playWatch(
  seed: number,
  {
    given,
    watched,
    lastsMs,
  }: { readonly given: number; readonly watched: number; readonly lastsMs: number },
): Promise<WatchFigures> {
  const reader = await openSimulatedReader(seed, { failedPercent: 0 });
  const { network } = reader;
  const { time, anvil } = network;
  const taken: PollTaken[] = [];
  try {
    const addresses = await reader.giveAddresses(watched, CUSTOMERS);
    await giveOldAddresses(reader, given - watched);
    await reader.database.analyze();
    let sent = 0;
    network.beforeBlock(async () => {
      sent += 1;
      const from = anvil.accounts[sent % anvil.accounts.length] ?? '';
      await network.pay([{ from, to: addresses[sent % watched] ?? '', amount: AMOUNT }]);
    });
    return await play(
      network,
      reader.poll,
      async () => {
        await time.sleep(WARM_UP_MS);
        taken.length = 0;
        await time.sleep(lastsMs);
        const [row] = await reader.rows<{ count: number }>(
          "SELECT count(*)::int AS count FROM deposits WHERE status IN ('CREDITED', 'FINAL')",
        );
        return {
          ...{ polls: taken.length, credited: row?.count ?? 0 },
          ...{ worst: quantile(taken, 1), median: quantile(taken, 0.5) },
        };
      },
      { heard: (one) => void taken.push(one), beside: reader.checkBalances },
    );
  } finally {
    await reader.close();
  }
}

/** Of each measure by itself; more than any where there was no poll at all. */
function quantile(taken: readonly PollTaken[], part: number): PollTaken {
  const of = (measure: keyof PollTaken): number => {
    const inOrder = taken.map((one) => one[measure]).toSorted((one, other) => one - other);
    return Math.round(inOrder[Math.ceil(part * inOrder.length) - 1] ?? Infinity);
  };
  return { simulatedMs: of('simulatedMs'), realMs: of('realMs') };
}

/** Disabled addresses of a year ago: each was counted some time within the last day, as they are daily. */
async function giveOldAddresses(
  { database, network }: SimulatedReader,
  count: number,
): Promise<void> {
  const superuser = new pg.Client({ connectionString: database.url });
  await superuser.connect();
  try {
    const values = [count, network.time.now()];
    // Decimal digits are the same in every case.
    await superuser.query("SET session_replication_role = 'replica'");
    await superuser.query(
      `INSERT INTO deposit_addresses (id, customer_id, environment, min_amount, address, status,
         created_at, updated_at)
       SELECT 'da_' || lpad(n::text, 26, '0'), (SELECT min(id) FROM customers), 'test', 0,
         '0x' || lpad(n::text, 40, '0'), 'DISABLED',
         $2::timestamptz - interval '1 year', $2::timestamptz - interval '1 year'
       FROM generate_series(1, $1::int) AS n`,
      values,
    );
    await superuser.query(
      `INSERT INTO chain_address_checks (environment, network, address, right_at_block, checked_at)
       SELECT 'test', 'BASE', '0x' || lpad(n::text, 40, '0'), 1,
         $2::timestamptz - interval '1 day' * n / $1::int
       FROM generate_series(1, $1::int) AS n`,
      values,
    );
  } finally {
    await superuser.end();
  }
}
