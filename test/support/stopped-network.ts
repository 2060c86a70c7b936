import pg from 'pg';
import type { PaymentHarness } from './payment-harness.ts';

/** Does something while BASE of test stands still behind a block that was final. */
export async function whileStopped<Result>(
  { database, rows }: Pick<PaymentHarness, 'database' | 'rows'>,
  work: () => Promise<Result>,
): Promise<Result> {
  await rows(
    `INSERT INTO chain_stops (environment, network, block_number, block_hash, stopped_at)
     VALUES ('test', 'BASE', 7, $1, now())`,
    [`0x${'ab'.repeat(32)}`],
  );
  try {
    return await work();
  } finally {
    // As superuser, with triggers off: two operators and a reader lift it.
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(
      'SET session_replication_role = replica; UPDATE chain_stops SET lifted_at = stopped_at',
    );
    await client.end();
  }
}
