import type { Client } from '@temporalio/client';
import { pino, type Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { ConnectorRegistry } from '../../domain/payments/connector-registry.ts';
import { createDatabase, type Database } from '../../db/client/database.ts';
import { happeningsOf } from '../../db/operations/count-after-commit.ts';
import { endpointsToWake } from '../../db/webhooks/wake-after-commit.ts';
import { SERVICE_ROLES, type DatabaseRoles } from '../../db/schema/database-roles.ts';
import { createPool } from '../../db/client/pool.ts';
import { createListedNetworks, type ListedNetworks } from '../../domain/onchain/listed-networks.ts';
import type { CorridorTable } from '../../domain/payments/corridors/corridor-table.ts';
import type { Clock } from '../../domain/clock.ts';
import {
  createBackgroundWork,
  type BackgroundWork,
  type WorkAbout,
} from '../temporal/background-work.ts';
import { STARTS_GIVE_WAY, STARTS_MAX } from '../temporal/worker-slots.ts';
import {
  clientOver,
  connectLazily,
  type TemporalSettings,
} from '../../adapters/temporal/connect.ts';
import { createWorkflowClient } from '../../adapters/temporal/temporal-workflow-client.ts';
import type { WorkflowClient } from '../../domain/workflows/workflow-client.ts';
import type { OperatorKeys } from '../../domain/approvals/operator-keys.ts';
import { operatorKeys } from './open-operator-keys.ts';
import type { Vault } from '../../vault/vault.ts';
import { countHappening, createMetrics, type Metrics } from '../monitor/metrics.ts';
import { openConnectors } from './open-connectors.ts';
import { openVault } from './open-vault.ts';
import { systemClock } from './system-clock.ts';

/** Wakes under way at a time: one takes some milliseconds, and no slot of a worker. */
const WAKES_MAX = 32;

/** What api, dashboard, console, worker and chain are built from. */
export interface Resources {
  readonly config: Config;
  readonly temporal: TemporalSettings;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly db: Database;
  readonly vault: Vault;
  /** What decisions of operators are signed with. */
  readonly operatorKeys: OperatorKeys;
  readonly workflows: WorkflowClient;
  readonly starts: BackgroundWork;
  readonly wakes: BackgroundWork;
  readonly corridors: CorridorTable;
  readonly networks: ListedNetworks;
  readonly connectors: ConnectorRegistry;
  getClient(): Client;
  /** From now on the client shares the worker's connection. */
  shareConnection(connection: Parameters<typeof clientOver>[0]): void;
  close(): Promise<void>;
}

/**
 * Opens what a process needs. It waits for AWS KMS where that has encrypted keys of the vault, and for no other server:
 * connections are made when used. Throws ConfigError as `openVault` does.
 */
export async function openResources(
  config: Config,
  temporal: TemporalSettings,
  processName: string,
  roles: DatabaseRoles = SERVICE_ROLES,
): Promise<Resources> {
  const log = pino({ level: config.logLevel, base: { process: processName } });
  const metrics = createMetrics();
  const vault = await openVault(config.vault);
  const lazyClient = connectLazily(temporal);
  let client = lazyClient;
  const onFailure = (work: string, error: unknown, about?: WorkAbout) => {
    log.warn(
      { work, ...about, code: codeOf(error) },
      'background work failed; the reconciler repeats it',
    );
  };
  const common = { clock: systemClock, onFailure };
  const starts = createBackgroundWork({
    ...common,
    limits: { running: STARTS_MAX },
    // Only where this process settles too.
    giveWay: { ...STARTS_GIVE_WAY, isOn: () => client !== lazyClient },
  });
  const wakes = createBackgroundWork({ ...common, limits: { running: WAKES_MAX } });
  const workflows = createWorkflowClient({
    getClient: () => client,
    isEager: () => client !== lazyClient,
    isBankQuick: (environment) => config.timing[environment].isBankQuick,
  });
  const { database } = config;
  const onError = (error: Error) => {
    log.warn({ code: codeOf(error) }, 'a database connection was lost');
  };
  const db = createDatabase({
    appPool: createPool({
      url: database.appUrl,
      role: roles.app,
      connectionsMax: database.appConnectionsMax,
      onError,
    }),
    systemPool: createPool({
      url: database.systemUrl,
      role: roles.system,
      connectionsMax: database.systemConnectionsMax,
      onError,
    }),
    runAfterCommit: (scope, tasks) => {
      for (const happening of happeningsOf(tasks)) {
        countHappening(metrics, scope.environment, happening);
      }
      for (const endpointId of endpointsToWake(tasks)) {
        wakes.run('wake endpoint', () => workflows.wakeEndpoint({ ...scope, endpointId }));
      }
    },
  });
  return {
    config,
    temporal,
    log,
    metrics,
    clock: systemClock,
    db,
    vault,
    operatorKeys: operatorKeys(config.operators, vault, {
      clock: systemClock,
      onRead: ({ keys, fileKeys = [] }) => {
        log.info(
          { passkeys: keys.length, fileKeys: fileKeys.length },
          'the operator keys file was read again',
        );
      },
      onUnusable: (reason) => {
        log.error({ reason }, 'the operator keys file cannot be used; the keys before it stay');
      },
    }),
    workflows,
    starts,
    wakes,
    corridors: config.corridors,
    networks: createListedNetworks(config.chain, config.walletProof, config.travelRule),
    connectors: openConnectors(config, {
      ...{ db, clock: systemClock, workflows, wakes, metrics },
    }),
    getClient: () => client,
    shareConnection: (connection) => {
      client = clientOver(connection, temporal);
    },
    async close() {
      await Promise.all([starts.drained(), wakes.drained()]);
      await db.close();
      await lazyClient.connection.close();
    },
  };
}

/** An error's code, or its class: never its message, which may hold what it was about. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code } = error as NodeJS.ErrnoException;
  return code ?? error.name;
}
