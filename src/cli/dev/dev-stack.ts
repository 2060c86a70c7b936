import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readDevConfig } from '../../server/config/dev-config.ts';
import { SANDBOX_CHAIN } from '../../server/config/sandbox-chain-config.ts';
import { SANDBOX } from '../../server/config/sandbox-config.ts';
import { onlyFor } from '../../server/config/setting-names.ts';
import type { Env } from '../../server/config/settings.ts';
import { superviseChild, type SupervisedChild } from '../embedded/child.ts';
import { openDataFolder } from '../embedded/data-folder.ts';
import { retryLostPort } from '../embedded/ports.ts';
import { programArguments } from '../embedded/program-arguments.ts';
import { runMark } from '../embedded/run-mark.ts';
import type { DemoKeys } from './demo-customer.ts';
import type { SayProgress } from '../embedded/say-progress.ts';
import { choosePorts, type DevPorts, type MonitoredPart } from './dev-addresses.ts';
import { childEnvironment, devUrls, signersChosen } from './dev-environment.ts';
import { keepSecrets } from './dev-secrets.ts';
import { startServers, stopLeftovers } from './dev-servers.ts';
import { startDevChain, type DevChainState } from './dev-chain.ts';
import { keepBundle } from './keep-bundle.ts';
import { keepFundingAccounts } from './keep-funding-accounts.ts';
import { runPart } from './run-part.ts';
import { untilReady } from './until-ready.ts';

/** Where everything of a local run is; written to state.json for tools. */
export interface DevState extends DemoKeys {
  readonly apiUrl: string;
  /** The customers' dashboard. Node does not find its host: connect to 127.0.0.1 with it as Host. */
  readonly dashboardUrl: string;
  /** The operators' console; the same holds. */
  readonly opsUrl: string;
  readonly temporalAddress: string;
  readonly temporalUiUrl: string | null;
  /** A role that sees everything. */
  readonly databaseUrl: string;
  readonly bankUrl: string;
  /** What stands behind live. */
  readonly liveBankUrl: string;
  readonly bankCallbackUrl: string;
  readonly bankCallbackSecret: string;
  /** The sandbox mailbox: its pages, and Mailpit's routes under /api/v1. */
  readonly mailboxUrl: string;
  /** Where the mailbox takes mails. */
  readonly smtpAddress: string;
  /** The sandbox chains; null where none run. */
  readonly chain: DevChainState | null;
  /** `/live`, `/ready`, and `/metrics` of each process; the engine's are the API's and the worker's. */
  readonly monitorUrls: Readonly<Record<string, string | null>>;
  readonly pids: Readonly<Record<string, number | null>>;
}

interface DevStack {
  readonly state: DevState;
  stop(): Promise<void>;
}

const CHILD_GRACE_MS = 35_000;
/** glibc gives each thread a heap of its own, which keeps what others could use: two are enough for a local run. */
const SMALL = { MALLOC_ARENA_MAX: '2' };
/** Of what is young, in MB: each thread takes up to three times as much. Node's own choice is 16. */
const youngHeap = (name: string): string =>
  ['api', 'engine', 'worker'].includes(name)
    ? '--max-semi-space-size=8'
    : '--max-semi-space-size=4';
const PROCESSES = join(import.meta.dirname, '../../server/processes');

interface DevStackOptions {
  readonly env: Env;
  readonly progress: SayProgress;
  /** Gets what the parts write, with their name in front. */
  readonly onLine: (line: string) => void;
}

/**
 * Starts everything of a local run and returns once API, workers, dashboard and console answer. A port that was
 * picked free and lost to another program before its part listened on it: all starts again on others.
 * @throws PlainError saying which part does not come up, with the last lines it wrote.
 */
export function startDevStack(options: DevStackOptions): Promise<DevStack> {
  return retryLostPort(() => startOnce(options));
}

async function startOnce({ env, progress, onLine }: DevStackOptions): Promise<DevStack> {
  const config = readDevConfig(env);
  const folder = openDataFolder(config.dataDir);
  const stops: (() => Promise<void> | void)[] = [() => folder.release()];
  const stop = async () => {
    for (const step of stops.splice(0).reverse()) await step();
  };
  try {
    await stopLeftovers(folder.path, progress);
    const secrets = keepSecrets(folder.path);
    const ports = await choosePorts(config);
    const bundle = keepBundle(folder.path, env, progress);
    // Awaited below; a failure meanwhile must not end the process without a message.
    bundle.catch(() => undefined);
    mkdirSync(join(folder.path, 'logs'), { recursive: true });
    const children = new Map<string, SupervisedChild>();
    const start = (name: string, childEnv: NodeJS.ProcessEnv): SupervisedChild => {
      const child = superviseChild({
        name,
        command: process.execPath,
        args: [youngHeap(name), ...programArguments(join(PROCESSES, `${name}.ts`))],
        env: { ...SMALL, ...childEnv, ...runMark(folder.path) },
        logFile: join(folder.path, 'logs', `${name}.log`),
        onLine,
        restart: { withinMs: 2_000 },
      });
      stops.push(() => child.stop(CHILD_GRACE_MS));
      children.set(name, child);
      return child;
    };
    const startingChain = startDevChain({
      ...{ config, progress, folder: folder.path, port: ports.chain },
      searchPath: env['PATH'] ?? '',
      start: (settings) =>
        start('sandbox-chain', {
          ...{ ...onlyFor(SANDBOX_CHAIN, env), LOG_LEVEL: 'warn' },
          ...settings,
        }),
    });
    startingChain.catch(() => undefined);
    const servers = await startServers({
      env,
      config,
      ports,
      folder: folder.path,
      progress,
      onLine,
    });
    stops.push(() => servers.stop());
    const liveFundingAccountsFile = keepFundingAccounts(folder.path);
    const chain = await startingChain;
    const chainSettings = chain?.settings ?? {};
    const parts = {
      ...servers,
      chainSettings,
      workflowBundleFile: await bundle,
      liveFundingAccountsFile,
    };
    const childEnv = childEnvironment(
      env,
      { ...config, dataDir: folder.path },
      ports,
      secrets,
      parts,
    );
    progress('Migrating the database');
    const keys = await prepare(folder.path, childEnv);

    progress('Starting sandbox, API, workers, dashboard and console');
    mkdirSync(join(folder.path, 'sandbox'), { recursive: true });
    const watched = (part: MonitoredPart, env: Record<string, string>) => ({
      ...{ ...env, MONITOR_HOST: '127.0.0.1', MONITOR_PORT: String(ports.monitors[part]) },
    });
    const isSplit = config.roles === 'split';
    const sandbox = start('sandbox', onlyFor(SANDBOX, watched('sandbox', childEnv)));
    const api = start(isSplit ? 'api' : 'engine', watched('api', childEnv));
    const worker = isSplit ? start('worker', watched('worker', childEnv)) : api;
    const dashboard = start('dashboard', watched('dashboard', childEnv));
    const console = start('console', watched('console', childEnv));
    const signers = { ...signersChosen(env), ...chain?.signers };
    const signer =
      Object.keys(signers).length > 0
        ? start('chain', {
            ...{ ...watched('chain', childEnv), ...signers },
            // The worker's alone: two processes cannot share a port.
            TEMPORAL_METRICS_PORT: '',
          })
        : null;
    const urls = devUrls(config, ports);
    await untilReady(
      [
        { url: `${urls.apiUrl}/ready` },
        { url: `http://127.0.0.1:${String(ports.dashboard)}/health`, named: urls.dashboardUrl },
        { url: `http://127.0.0.1:${String(ports.ops)}/health`, named: urls.opsUrl },
      ],
      children,
    );

    const state = (): DevState => ({
      apiUrl: urls.apiUrl,
      dashboardUrl: urls.dashboardUrl,
      opsUrl: urls.opsUrl,
      temporalAddress: servers.temporalAddress,
      temporalUiUrl: servers.temporalUiUrl,
      databaseUrl: servers.databaseUrl,
      ...keys,
      bankUrl: urls.bankUrl,
      liveBankUrl: urls.liveBankUrl,
      bankCallbackUrl: `${urls.apiUrl}/api/v1/rails/http-bank/callbacks`,
      bankCallbackSecret: childEnv['TEST_BANK_CALLBACK_SECRET'] ?? '',
      mailboxUrl: urls.mailboxUrl,
      smtpAddress: `127.0.0.1:${String(ports.smtp)}`,
      chain: chain?.state ?? null,
      monitorUrls: monitorUrls(ports, { isSplit, hasSigner: signer !== null }),
      pids: {
        dev: process.pid,
        api: api.pid(),
        worker: worker.pid(),
        dashboard: dashboard.pid(),
        console: console.pid(),
        chain: signer?.pid() ?? null,
        sandbox: sandbox.pid(),
        sandboxChain: children.get('sandbox-chain')?.pid() ?? null,
        ...servers.pids(),
      },
    });
    const writeState = () => {
      folder.writeState(state());
    };
    for (const child of children.values()) child.onRestart(writeState);
    servers.onRestart(writeState);
    writeState();
    return { state: state(), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function monitorUrls(
  { monitors }: Pick<DevPorts, 'monitors'>,
  { isSplit, hasSigner }: { readonly isSplit: boolean; readonly hasSigner: boolean },
): Record<MonitoredPart, string | null> {
  const url = (part: MonitoredPart) => `http://127.0.0.1:${String(monitors[part])}`;
  return {
    ...{ api: url('api'), worker: url(isSplit ? 'worker' : 'api') },
    ...{ dashboard: url('dashboard'), console: url('console'), sandbox: url('sandbox') },
    chain: hasSigner ? url('chain') : null,
  };
}

async function prepare(folder: string, env: Record<string, string>): Promise<DemoKeys> {
  const printed = await runPart('prepare', [folder], env);
  // Before the keys there may be lines of a log.
  return JSON.parse(printed.trim().split('\n').at(-1) ?? '') as DemoKeys;
}
