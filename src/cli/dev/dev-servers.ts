import { join } from 'node:path';
import type { DevConfig } from '../../server/config/dev-config.ts';
import type { Env } from '../../server/config/settings.ts';
import { startPostgres, stopLeftoverPostgres } from '../embedded/postgres.ts';
import { superviseServer } from '../embedded/supervised-server.ts';
import { runMark, stopLeftParts } from '../embedded/run-mark.ts';
import { onlyFor } from '../../server/config/setting-names.ts';
import { findTemporalCli } from '../embedded/temporal-cli.ts';
import { startTemporalServer, stopLeftoverTemporal } from '../embedded/temporal-server.ts';
import { SEARCH_ATTRIBUTES } from '../../domain/workflows/search-attributes.ts';
import type { SayProgress } from '../embedded/say-progress.ts';
import type { DevPorts } from './dev-addresses.ts';

interface DevServers {
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly temporalUiUrl: string | null;
  /** Of the embedded ones; null where a real server is used. */
  pids(): { readonly postgres: number | null; readonly temporal: number | null };
  onRestart(listener: () => void): void;
  stop(): Promise<void>;
}

const postgresFolder = (folder: string): string => join(folder, 'postgres');
const temporalFile = (folder: string): string => join(folder, 'temporal.sqlite');

/** Stops what a killed run left on the data folder: it holds the ports that we want. */
export async function stopLeftovers(
  folder: string,
  progress: (line: string) => void,
): Promise<void> {
  await stopLeftoverTemporal(temporalFile(folder), progress);
  await stopLeftoverPostgres(postgresFolder(folder), progress);
  await stopLeftParts(folder, progress);
}

/** Starts PostgreSQL and Temporal, or takes the real ones that were named instead. */
export async function startServers(options: {
  readonly env: Env;
  readonly config: DevConfig;
  readonly ports: DevPorts;
  readonly folder: string;
  readonly progress: SayProgress;
  readonly onLine: (line: string) => void;
}): Promise<DevServers> {
  const { env, config, ports, folder, progress, onLine } = options;
  const listeners: (() => void)[] = [];
  const onRestart = () => {
    for (const listener of listeners) listener();
  };
  // Before PostgreSQL is started: fetching it may take minutes.
  const cliPath =
    config.temporalAddress === undefined
      ? await findTemporalCli({
          // Go and npm run on the way: they get no setting of ours.
          environment: { ...onlyFor(null, env), TEMPORAL_CLI_PATH: env['TEMPORAL_CLI_PATH'] },
          progress,
        })
      : null;
  progress('Starting PostgreSQL and Temporal');
  const [postgres, temporal] = await bothStarted(
    config.databaseUrl === undefined
      ? superviseServer({
          name: 'postgres',
          start: () =>
            startPostgres({
              dataDir: postgresFolder(folder),
              port: ports.postgres,
              mark: runMark(folder),
              log: () => undefined,
              progress,
            }),
          onLine,
          onRestart,
        })
      : null,
    cliPath === null
      ? null
      : superviseServer({
          name: 'temporal',
          start: () =>
            startTemporalServer({
              cliPath,
              dbFile: temporalFile(folder),
              port: ports.temporal,
              uiPort: ports.temporalUi,
              mark: runMark(folder),
              searchAttributes: Object.fromEntries(
                SEARCH_ATTRIBUTES.map((key) => [key.name, 'Keyword' as const]),
              ),
              log: () => undefined,
            }),
          onLine,
          onRestart,
        }),
  );
  return {
    databaseUrl: config.databaseUrl ?? postgres?.current().url ?? '',
    temporalAddress: config.temporalAddress ?? temporal?.current().address ?? '',
    temporalUiUrl: temporal?.current().uiUrl ?? null,
    pids: () => ({
      postgres: postgres?.current().pid ?? null,
      temporal: temporal?.current().pid ?? null,
    }),
    onRestart: (listener) => {
      listeners.push(listener);
    },
    async stop() {
      await temporal?.stop();
      await postgres?.stop();
    },
  };
}

interface Stoppable {
  stop(): Promise<void>;
}

/** Waits for both. Where one does not start, the other is stopped, and the failure thrown. */
async function bothStarted<One extends Stoppable, Other extends Stoppable>(
  one: Promise<One> | null,
  other: Promise<Other> | null,
): Promise<[One | null, Other | null]> {
  const starts = await Promise.allSettled([one, other]);
  const failed = starts.find((start) => start.status === 'rejected');
  if (failed === undefined) return [await one, await other];
  for (const start of starts) if (start.status === 'fulfilled') await start.value?.stop();
  throw failed.reason as Error;
}
