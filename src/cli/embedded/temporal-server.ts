import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { ProcessExit } from './detached-process.ts';
import { startDetached } from './detached-process.ts';
import { stopLeftover } from './leftover.ts';
import { startMarkOf } from './process-facts.ts';
import { assertPortFree, freePort, retryLostPort } from './ports.ts';
import { prepareNamespace, waitUntilTemporalAnswers } from './temporal-namespace.ts';
import type { SearchAttributeTypes } from './temporal-namespace.ts';
import { TEMPORAL_DYNAMIC_CONFIG } from './temporal-settings.ts';

interface TemporalServerOptions {
  /** From findTemporalCli(). */
  readonly cliPath: string;
  /** The SQLite file; null keeps everything in memory. */
  readonly dbFile: string | null;
  /** The port of the frontend; 0 picks a free one. */
  readonly port: number;
  /** The port of Temporal UI; 0 picks a free one, null runs without it. */
  readonly uiPort: number | null;
  readonly searchAttributes?: SearchAttributeTypes;
  /** Limits of the server, beside those that every embedded one has. */
  readonly dynamicConfig?: Readonly<Record<string, number | boolean>>;
  /** What tells its processes apart from others; see runMark(). */
  readonly mark?: Readonly<Record<string, string>>;
  readonly log: (line: string) => void;
}

export interface EmbeddedTemporal {
  /** host:port of the frontend. */
  readonly address: string;
  readonly uiUrl: string | null;
  readonly pid: number;
  /** Resolves when the server is gone, asked or not. */
  readonly exited: Promise<ProcessExit>;
  stop(): Promise<void>;
}

const STOP_GRACE_MS = 10_000;

/**
 * Starts the Temporal development server on 127.0.0.1 and returns when its frontend answers. A
 * server that a killed run left on the same file is stopped first: SQLite must have one writer.
 * @throws PlainError with the way out.
 */
export async function startTemporalServer(
  options: TemporalServerOptions,
): Promise<EmbeddedTemporal> {
  const dbFile = options.dbFile === null ? null : resolve(options.dbFile);
  const folder = dbFile === null ? undefined : dirname(dbFile);
  if (folder !== undefined) mkdirSync(folder, { recursive: true });
  const pidFile = dbFile === null ? null : pidFileOf(dbFile);
  if (dbFile !== null) await stopLeftoverTemporal(dbFile, options.log);
  const launch = async (): Promise<EmbeddedTemporal> => {
    const port = await choosePort(options.port, 'the Temporal server', 'TEMPORAL_PORT');
    const uiPort =
      options.uiPort === null
        ? null
        : await choosePort(options.uiPort, 'Temporal UI', 'TEMPORAL_UI_PORT');
    const server = startDetached({
      command: resolve(options.cliPath),
      args: [
        ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port)],
        ...(uiPort === null ? ['--headless'] : ['--ui-port', String(uiPort)]),
        // Only the name, in its folder: the server would read ? and % of a path as a query.
        ...(dbFile === null ? [] : ['--db-filename', basename(dbFile)]),
        // With a write-ahead log "normal" survives the death of any process; only a power cut may lose
        // the last workflows' progress, which PostgreSQL holds anyway. "full" flushes at every commit.
        ...(dbFile === null
          ? []
          : ['--sqlite-pragma', 'journal_mode=wal', '--sqlite-pragma', 'synchronous=normal']),
        ...pairs('--dynamic-config-value', {
          ...TEMPORAL_DYNAMIC_CONFIG,
          ...options.dynamicConfig,
        }),
        ...pairs('--search-attribute', options.searchAttributes ?? {}),
      ],
      cwd: folder,
      // Nothing else of ours: TEMPORAL_* variables are meant for clients.
      env: {
        PATH: '/usr/bin:/bin',
        ...(folder === undefined ? {} : { HOME: folder }),
        ...options.mark,
      },
      onLine: options.log,
    });
    if (pidFile !== null)
      writeFileSync(pidFile, `${server.pid}\n${startMarkOf(server.pid) ?? ''}\n`);
    const stop = async (): Promise<void> => {
      await server.stop('SIGTERM', STOP_GRACE_MS);
      if (pidFile !== null) rmSync(pidFile, { force: true });
    };
    const address = `127.0.0.1:${port}`;
    try {
      await waitUntilTemporalAnswers(address, server);
      await prepareNamespace(address, options.searchAttributes ?? {});
    } catch (error) {
      await stop();
      throw error;
    }
    const uiUrl = uiPort === null ? null : `http://127.0.0.1:${uiPort}`;
    return { address, uiUrl, pid: server.pid, exited: server.exited, stop };
  };
  return retryLostPort(launch);
}

async function choosePort(wanted: number, what: string, variable: string): Promise<number> {
  if (wanted === 0) return freePort();
  await assertPortFree(wanted, what, variable);
  return wanted;
}

function pairs(flag: string, values: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(values).flatMap(([key, value]) => [flag, `${key}=${String(value)}`]);
}

const pidFileOf = (dbFile: string): string => `${dbFile}.pid`;

/** Stops the server that a killed run left on the file, if there is one. */
export async function stopLeftoverTemporal(
  dbFile: string,
  log: (line: string) => void,
): Promise<void> {
  const pidFile = pidFileOf(resolve(dbFile));
  let content: string;
  try {
    content = readFileSync(pidFile, 'utf8');
  } catch {
    return;
  }
  const [pid, startMark = ''] = content.trim().split('\n');
  // An id may belong to another Temporal by now; when it began tells them apart.
  const isOurs = (line: string): boolean =>
    line.includes(' server start-dev ') &&
    (startMark === '' || startMark === startMarkOf(Number(pid)));
  if (await stopLeftover({ pid: Number(pid), isOurs, signal: 'SIGTERM', graceMs: STOP_GRACE_MS })) {
    log(`Temporal: stopped the server that an earlier run left behind (process ${String(pid)})`);
  }
  rmSync(pidFile, { force: true });
}
