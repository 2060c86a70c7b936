import { readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { DetachedProcess, ProcessExit } from './detached-process.ts';
import { startDetached } from './detached-process.ts';
import { stopLeftover } from './leftover.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import { assertPortFree, freePort, retryLostPort } from './ports.ts';
import { accountForPostgres, commandAs } from './postgres-account.ts';
import { findPostgresBinaries } from './postgres-binaries.ts';
import { prepareCluster } from './postgres-cluster.ts';

interface PostgresOptions {
  readonly dataDir: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** False only for clusters that are thrown away: a crash of the machine may ruin the data. */
  readonly durable?: boolean;
  /** Settings of PostgreSQL, in addition to those that every server gets. */
  readonly settings?: Readonly<Record<string, string>>;
  /** What tells its processes apart from others; see runMark(). */
  readonly mark?: Readonly<Record<string, string>>;
  /** Gets every line that the server writes. */
  readonly log: (line: string) => void;
  /** Gets what a person should see while it starts. */
  readonly progress: (line: string) => void;
}

export interface EmbeddedPostgres {
  /** Superuser, database `causeway`. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Resolves when the server is gone, asked or not. */
  readonly exited: Promise<ProcessExit>;
  /** Fast shutdown: open transactions are rolled back, everything committed is on disk. */
  stop(): Promise<void>;
}

const DATABASE = 'causeway';
const START_TIMEOUT_MS = 60_000;
const STOP_GRACE_MS = 20_000;
const ASK_EVERY_MS = 50;

/**
 * Starts PostgreSQL on 127.0.0.1 with the data of `dataDir`, which is created where it is missing.
 * Works as an ordinary user and as root. A server that a killed run left on the folder is stopped.
 * @throws PlainError with the way out.
 */
export async function startPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  const isDurable = options.durable ?? true;
  const binaries = await findPostgresBinaries();
  const account = accountForPostgres();
  const password = await prepareCluster({ ...options, dataDir, binaries, account, isDurable });
  await stopLeftoverPostgres(dataDir, options.progress);
  if (options.port !== 0) {
    await assertPortFree(options.port, 'PostgreSQL', 'POSTGRES_PORT');
  }
  const launch = async (): Promise<EmbeddedPostgres> => {
    const port = options.port === 0 ? await freePort() : options.port;
    const own = {
      ...SETTINGS,
      ...(isDurable ? { unix_socket_directories: '' } : throwawaySettings(dataDir)),
      ...options.settings,
    };
    const flags = ['-D', dataDir, '-p', String(port), ...asFlags(own)];
    const started = commandAs(account, binaries.postgres, flags, [dataDir]);
    const env = { LC_ALL: 'C', TZ: 'UTC', ...options.mark };
    const server = startDetached({ ...started, env, onLine: options.log });
    const stop = (): Promise<void> => server.stop('SIGINT', STOP_GRACE_MS);
    const query = own.unix_socket_directories ? `?host=${encodeURIComponent(dataDir)}` : '';
    const urlOf = (database: string): string =>
      `postgres://postgres:${password}@127.0.0.1:${port}/${database}${query}`;
    try {
      await waitUntilReady(server, urlOf('postgres'));
      await createDatabase(urlOf('postgres'));
    } catch (error) {
      await stop();
      throw error;
    }
    return { url: urlOf(DATABASE), port, pid: server.pid, exited: server.exited, stop };
  };
  return options.port === 0 ? retryLostPort(launch) : launch();
}

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  max_connections: '200',
  shared_buffers: '128MB',
  synchronous_commit: 'on',
  // A new database is planned for as if it were empty until its tables are first analyzed. Each analysis makes
  // every connection plan its statements again, so the next one comes when a table has doubled.
  autovacuum_naptime: '5s',
  autovacuum_analyze_scale_factor: '1',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
};

/** Of the path of a socket file: 107 on Linux, 103 on macOS. */
const SOCKET_PATH_BYTES_MAX = 100;

/** Whether PostgreSQL can listen on a socket file in the folder. Its setting is a list with commas. */
const holdsSocket = (folder: string): boolean =>
  !folder.includes(',') &&
  Buffer.byteLength(join(folder, '.s.PGSQL.65535')) <= SOCKET_PATH_BYTES_MAX;

/** Nothing is flushed to a disk, and clients may use a socket file. */
const throwawaySettings = (dataDir: string) => ({
  unix_socket_directories: holdsSocket(dataDir) ? dataDir : '',
  fsync: 'off',
  full_page_writes: 'off',
});

const asFlags = (settings: Readonly<Record<string, string>>): string[] =>
  Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

/** Stops the server that a killed run left on the folder, if there is one. */
export async function stopLeftoverPostgres(
  folder: string,
  progress: (line: string) => void,
): Promise<void> {
  const dataDir = resolve(folder);
  // It survives a killed run; its first line is the id of the server.
  const file = join(dataDir, 'postmaster.pid');
  let pid: number;
  try {
    pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  } catch {
    return;
  }
  const isOurs = (line: string): boolean => line.includes('postgres') && line.includes(dataDir);
  if (await stopLeftover({ pid, isOurs, signal: 'SIGINT', graceMs: STOP_GRACE_MS })) {
    progress(`PostgreSQL: stopped the server that an earlier run left behind (process ${pid})`);
  }
  // PostgreSQL would refuse to start where the id belongs to another program by now.
  rmSync(file, { force: true });
}

async function waitUntilReady(server: DetachedProcess, url: string): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (!server.hasExited() && performance.now() < deadline) {
    if (await answers(url)) return;
    await pause(ASK_EVERY_MS);
  }
  const said = server.lastLines().join('\n');
  const what = server.hasExited()
    ? 'ended at once'
    : `did not answer in ${START_TIMEOUT_MS / 1000} s`;
  throw new PlainError(`PostgreSQL ${what}. It said:\n${said}`);
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch (error) {
    const { code } = error as { code?: string };
    // 28P01, wrong password: waiting does not help.
    if (code === '28P01') throw new PlainError('PostgreSQL refuses the stored password.');
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function createDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  } finally {
    await client.end();
  }
}
