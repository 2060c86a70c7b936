import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EmbeddedPostgres } from '../../../../src/cli/embedded/postgres.ts';
import { startPostgres } from '../../../../src/cli/embedded/postgres.ts';
import { isProcessAlive } from '../../../../src/cli/embedded/process-facts.ts';

let folder: string;
/** Of all tests that start a server, one after the other: making a cluster takes longer than they do. */
let dataDir: string;
let running: EmbeddedPostgres[];
let shown: string[];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cw-postgres-'));
  dataDir = join(folder, 'data');
});
beforeEach(() => {
  running = [];
  shown = [];
});
afterEach(async () => {
  await Promise.all(running.map((server) => server.stop()));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function start(
  options: { durable?: boolean; port?: number; dataDir?: string } = {},
): Promise<EmbeddedPostgres> {
  const progress = (line: string): number => shown.push(line);
  const quiet = (): void => undefined;
  const server = await startPostgres({
    dataDir,
    port: 0,
    durable: false,
    log: quiet,
    progress,
    ...options,
  });
  running.push(server);
  return server;
}

async function query(server: EmbeddedPostgres, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('embedded PostgreSQL', () => {
  it('finds its data again when it is started again on the same folder', async () => {
    const first = await start();
    await query(first, 'CREATE TABLE kept (word text); INSERT INTO kept VALUES ($$still here$$)');
    await first.stop();
    expect(isProcessAlive(first.pid)).toBe(false);
    const second = await start();
    expect(await query(second, 'SELECT word FROM kept')).toEqual([{ word: 'still here' }]);
    expect(statSync(`${dataDir}.password`).mode & 0o777).toBe(0o600);
  });

  it('a server that is kept writes durably, vacuums, plans by itself and has no socket file', async () => {
    const server = await start({ durable: undefined });
    const names =
      "('fsync','full_page_writes','synchronous_commit','listen_addresses','max_connections'," +
      "'autovacuum','plan_cache_mode','unix_socket_directories')";
    expect(
      await query(
        server,
        `SELECT name, setting FROM pg_settings WHERE name IN ${names} ORDER BY 1`,
      ),
    ).toEqual([
      { name: 'autovacuum', setting: 'on' },
      { name: 'fsync', setting: 'on' },
      { name: 'full_page_writes', setting: 'on' },
      { name: 'listen_addresses', setting: '127.0.0.1' },
      { name: 'max_connections', setting: '200' },
      { name: 'plan_cache_mode', setting: 'auto' },
      { name: 'synchronous_commit', setting: 'on' },
      { name: 'unix_socket_directories', setting: '' },
    ]);
  });

  it('takes the folder back from a server that a killed run left behind', async () => {
    const left = await start();
    await query(left, 'CREATE TABLE left_behind ()');
    const next = await start();
    expect(shown.join()).toContain(`(process ${left.pid})`);
    expect(isProcessAlive(left.pid)).toBe(false);
    expect(await query(next, 'SELECT count(*)::int AS n FROM left_behind')).toEqual([{ n: 0 }]);
  });

  it('starts after a crash although the id in postmaster.pid belongs to another program', async () => {
    const crashed = await start();
    process.kill(crashed.pid, 'SIGKILL');
    expect(await crashed.exited).toEqual({ reason: 'signal SIGKILL', wasAsked: false });
    writeFileSync(join(dataDir, 'postmaster.pid'), `${process.pid}\n${dataDir}\n`);
    // The crashed server's own children need a moment to let go of the shared memory.
    const next = await vi.waitFor(() => start(), 60_000);
    expect(await query(next, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('a folder of another major version is refused with the way out', async () => {
    const older = join(folder, 'older');
    mkdirSync(older);
    writeFileSync(join(older, 'PG_VERSION'), '16\n');
    await expect(start({ dataDir: older })).rejects.toThrow(
      /PostgreSQL 16.*18.*Remove that folder.*DATA_DIR/,
    );
  });

  it('a folder that holds something else is left alone', async () => {
    const foreign = join(folder, 'foreign');
    mkdirSync(foreign);
    writeFileSync(join(foreign, 'thesis.txt'), 'years of work');
    await expect(start({ dataDir: foreign })).rejects.toThrow(/not a PostgreSQL data folder/);
    expect(statSync(join(foreign, 'thesis.txt')).size).toBe(13);
  });

  it('a taken port is refused by name', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    try {
      await expect(start({ port })).rejects.toThrow(
        new RegExp(`Port ${port}.*PostgreSQL.*POSTGRES_PORT`),
      );
    } finally {
      other.close();
    }
  });
});
