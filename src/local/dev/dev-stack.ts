import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { openResources } from '../../runtime/resources.ts';
import { readConfig } from '../../config/config.ts';
import { readDevConfig } from '../../config/dev-config.ts';
import type { Env } from '../../config/settings.ts';
import { migrate } from '../../db/migrate.ts';
import { superviseChild, type SupervisedChild } from '../embedded/child.ts';
import { openDataFolder } from '../embedded/data-folder.ts';
import { PlainError } from '../../runtime/plain-error.ts';
import { readTemporalSettings } from '../../temporal/connect.ts';
import { registerSearchAttributes } from '../../temporal/register-search-attributes.ts';
import { seedDemoCustomer, type DemoKeys } from './demo-customer.ts';
import { loadShippedRates } from './load-shipped-rates.ts';
import { choosePorts } from './dev-addresses.ts';
import { childEnvironment, devUrls } from './dev-environment.ts';
import { keepSecrets } from './dev-secrets.ts';
import { startServers, stopLeftoverServers } from './dev-servers.ts';
import { keepBundle } from './keep-bundle.ts';
import { keepFundingAccounts } from './keep-funding-accounts.ts';

/** Where everything of a local run is; written to state.json for tools. */
export interface DevState extends DemoKeys {
  readonly apiUrl: string;
  /** The operators' surface, once there is one. */
  readonly opsUrl: string | null;
  readonly temporalAddress: string;
  readonly temporalUiUrl: string | null;
  /** A role that sees everything. */
  readonly databaseUrl: string;
  readonly bankUrl: string;
  readonly bankCallbackUrl: string;
  readonly bankCallbackSecret: string;
  /** The sandbox mailbox, once there is one. */
  readonly mailboxUrl: string | null;
  readonly pids: Readonly<Record<string, number | null>>;
}

export interface DevStack {
  readonly state: DevState;
  stop(): Promise<void>;
}

const READY_TIMEOUT_MS = 60_000;
const CHILD_GRACE_MS = 35_000;

/** Starts everything of a local run and returns once the API and the workers answer. */
export async function startDevStack(options: {
  readonly env: Env;
  readonly progress: (line: string) => void;
  /** Gets what the parts write, with their name in front. */
  readonly onLine: (line: string) => void;
}): Promise<DevStack> {
  const { env, progress, onLine } = options;
  const config = readDevConfig(env);
  const folder = openDataFolder(config.dataDir);
  const stops: (() => Promise<void> | void)[] = [() => folder.release()];
  const stop = async () => {
    for (const step of stops.splice(0).reverse()) await step();
  };
  try {
    await stopLeftoverServers(folder.path, progress);
    const secrets = keepSecrets(folder.path);
    const ports = await choosePorts(config);
    const bundle = keepBundle(folder.path);
    // Awaited below; a failure meanwhile must not end the process without a message.
    bundle.catch(() => undefined);
    const servers = await startServers({
      env,
      config,
      ports,
      folder: folder.path,
      progress,
      onLine,
    });
    stops.push(() => servers.stop());
    progress('Migrating the database');
    await migrate(servers.databaseUrl, () => undefined);
    progress('Bundling the workflows');
    const liveFundingAccountsFile = keepFundingAccounts(folder.path);
    const parts = { ...servers, workflowBundleFile: await bundle, liveFundingAccountsFile };
    const childEnv = childEnvironment(
      env,
      { ...config, dataDir: folder.path },
      ports,
      secrets,
      parts,
    );
    const keys = await prepare(childEnv, secrets);

    progress('Starting sandbox, API and worker');
    mkdirSync(join(folder.path, 'sandbox'), { recursive: true });
    mkdirSync(join(folder.path, 'logs'), { recursive: true });
    const start = (name: string): SupervisedChild => {
      const child = superviseChild({
        name,
        command: process.execPath,
        args: ['--import', 'tsx', join(import.meta.dirname, `../../main/${name}.ts`)],
        env: childEnv,
        logFile: join(folder.path, 'logs', `${name}.log`),
        onLine,
        restart: { withinMs: 2_000 },
      });
      stops.push(() => child.stop(CHILD_GRACE_MS));
      return child;
    };
    const sandbox = start('sandbox');
    const api = start(config.roles === 'split' ? 'api' : 'engine');
    const worker = config.roles === 'split' ? start('worker') : api;
    const urls = devUrls(config, ports);
    await untilReady(`${urls.apiUrl}/ready`);

    const state = (): DevState => ({
      apiUrl: urls.apiUrl,
      opsUrl: null,
      temporalAddress: servers.temporalAddress,
      temporalUiUrl: servers.temporalUiUrl,
      databaseUrl: servers.databaseUrl,
      ...keys,
      bankUrl: urls.bankUrl,
      bankCallbackUrl: `${urls.apiUrl}/api/v1/rails/http-bank/callbacks`,
      bankCallbackSecret: childEnv['BANK_CALLBACK_SECRET'] ?? '',
      mailboxUrl: null,
      pids: {
        dev: process.pid,
        api: api.pid(),
        worker: worker.pid(),
        sandbox: sandbox.pid(),
        ...servers.pids(),
      },
    });
    const writeState = () => {
      folder.writeState(state());
    };
    for (const child of new Set([sandbox, api, worker])) child.onRestart(writeState);
    servers.onRestart(writeState);
    writeState();
    return { state: state(), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Registers search attributes, loads rates, and takes on the demo customer. */
async function prepare(
  childEnv: Record<string, string>,
  secrets: ReturnType<typeof keepSecrets>,
): Promise<DemoKeys> {
  const temporal = readTemporalSettings(childEnv);
  const resources = openResources(readConfig(childEnv), temporal, 'dev');
  try {
    await registerSearchAttributes(resources.getClient());
    await loadShippedRates(resources);
    return await seedDemoCustomer(resources, secrets);
  } finally {
    await resources.close();
  }
}

/** Waits until the API answers, Temporal included. */
async function untilReady(url: string): Promise<void> {
  const until = Date.now() + READY_TIMEOUT_MS;
  for (;;) {
    const answer = await request(url, { headersTimeout: 2_000 }).catch(() => null);
    await answer?.body.dump();
    if (answer?.statusCode === 200) return;
    if (Date.now() > until) {
      throw new PlainError(
        `The API did not answer at ${url} within a minute. What it wrote is in the logs folder of the data folder.`,
      );
    }
    await pause(100);
  }
}
