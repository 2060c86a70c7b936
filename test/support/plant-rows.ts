import pg from 'pg';
import type { TestDatabase } from './database.ts';

/** Runs SQL as superuser, with triggers off: for rows that no program of ours would write. */
export async function plantRows({ url }: Pick<TestDatabase, 'url'>, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`SET session_replication_role = replica; ${sql}`).finally(() => client.end());
}
