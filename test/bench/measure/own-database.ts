import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, type Database } from '../../../src/db/client/database.ts';
import { SERVICE_ROLES } from '../../../src/db/schema/database-roles.ts';
import { migrate } from '../../../src/db/schema/migrate.ts';
import { createPool } from '../../../src/db/client/pool.ts';
import { startPostgres } from '../../../src/cli/embedded/postgres.ts';
import type { RunScope } from '../scope.ts';

/** A migrated database on a PostgreSQL of its own, which writes as durably as in production; gone with the run. */
export async function openDatabase(scope: RunScope): Promise<{ url: string; db: Database }> {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-bench-'));
  scope.defer(() => rmSync(folder, { recursive: true, force: true }));
  const { url, stop } = await startPostgres({
    ...{ dataDir: join(folder, 'postgres'), port: 0, durable: true },
    ...{ log: () => undefined, progress: () => undefined },
  });
  scope.defer(stop);
  await migrate(url, () => undefined);
  const onError = (): void => undefined;
  const { app, system } = SERVICE_ROLES;
  const db = createDatabase({
    appPool: createPool({ url, role: app, connectionsMax: 4, onError }),
    systemPool: createPool({ url, role: system, connectionsMax: 4, onError }),
    runAfterCommit: () => undefined,
  });
  scope.defer(() => db.close());
  return { url, db };
}
