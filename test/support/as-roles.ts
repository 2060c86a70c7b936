import pg from 'pg';
import type { DatabaseRole } from '../../src/db/client/pool.ts';
import type { TestDatabase } from './database.ts';

const ROLES: readonly DatabaseRole[] = [
  ...(['causeway_app', 'causeway_system', 'causeway_dashboard', 'causeway_console'] as const),
];

/** Connections of every role that something works as, in the test scope of a customer. */
export async function connectAsRoles({ url }: TestDatabase, customerOf: () => string) {
  const clients = new Map<DatabaseRole, pg.Client>();
  for (const role of ROLES) {
    const client = new pg.Client({ connectionString: url, options: `-c role=${role}` });
    await client.connect();
    clients.set(role, client);
  }

  /** Runs statements, rolled back; answers why one was refused, in its first words, or the last one's count of rows. */
  async function attempt(role: DatabaseRole, text: string | string[], values: unknown[] = []) {
    const client = clients.get(role)!;
    await client.query('BEGIN');
    try {
      await client.query(
        `SELECT set_config('causeway.customer', $1, true),
           set_config('causeway.environment', 'test', true)`,
        [customerOf()],
      );
      let count: number | null = null;
      for (const one of [text].flat()) {
        const used = values.slice(0, one.match(/\$\d/g)?.length ?? 0);
        count = (await client.query(one, used)).rowCount;
      }
      return count;
    } catch (error) {
      const message = error instanceof Error ? error.message : '';
      return /permission denied|row-level security/.exec(message)?.[0] ?? message;
    } finally {
      await client.query('ROLLBACK');
    }
  }

  return {
    attempt,
    /** What becomes of it with each role. */
    async eachRole(text: string | string[], values?: () => unknown[]) {
      const outcomes: Record<string, unknown> = {};
      for (const role of ROLES) {
        outcomes[role.replace('causeway_', '')] = await attempt(role, text, values?.());
      }
      return outcomes;
    },
    async close() {
      for (const client of clients.values()) await client.end();
    },
  };
}

export type AsRoles = Awaited<ReturnType<typeof connectAsRoles>>;
