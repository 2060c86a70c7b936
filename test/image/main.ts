import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { startDetached, type DetachedProcess } from '../../src/cli/embedded/detached-process.ts';
import { startPostgres } from '../../src/cli/embedded/postgres.ts';
import { findTemporalCli } from '../../src/cli/embedded/temporal-cli.ts';
import { startTemporalServer } from '../../src/cli/embedded/temporal-server.ts';
import { PlainError } from '../../src/server/runtime/plain-error.ts';
import { runMain } from '../../src/server/runtime/run-main.ts';
import { buildah, buildImage, IMAGE, inContainer } from './build-image.ts';
import { makeEnvironment, readServices, type ComposeService } from './compose-services.ts';

const ROOT = join(import.meta.dirname, '../..');
const HEALTHY_MS = 120_000;
const STOP_MS = 45_000;
/** Names of the services on the networks of docker-compose.yml: here all are this machine. */
const HOSTS = ['postgres', 'temporal', 'sandbox', 'api'];

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Does `work`, and undoes what it opened in the reverse order, whatever it came to. */
async function withClosing(
  work: (onEnd: (close: () => unknown) => void) => Promise<void>,
): Promise<void> {
  const closes: (() => unknown)[] = [];
  try {
    await work((close) => closes.push(close));
  } finally {
    for (const close of closes.reverse()) await close();
  }
}

/** deploy/postgres/init.sql as psql sends it. */
function initSql(variables: Readonly<Record<string, string>>): string {
  const sql = readFileSync(join(ROOT, 'deploy/postgres/init.sql'), 'utf8');
  const passwords: Readonly<Record<string, string | undefined>> = {
    ...{ ...variables, TEMPORAL_PASSWORD: variables['TEMPORAL_POSTGRES_PASSWORD'] },
  };
  return sql
    .replace(/^\\getenv .*$/gm, '')
    .replace(/:'([a-z]+)_password'/g, (_all, role: string) => {
      const password = passwords[`${role.toUpperCase()}_PASSWORD`];
      if (password === undefined) throw new Error(`init.sql asks for the password of ${role}`);
      return `'${password}'`;
    });
}

async function runSql(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

runMain(async () => {
  await withClosing(async (onEnd) => {
    const folder = mkdtempSync(join(tmpdir(), 'cw-image-run-'));
    onEnd(() => {
      rmSync(folder, { recursive: true, force: true });
    });
    say(`The image has Node ${buildImage(ROOT)}.`);
    const hosts = HOSTS.flatMap((host) => ['--add-host', `${host}:127.0.0.1`]);
    const container = buildah(['from', '--pull-never', ...hosts, IMAGE]);
    onEnd(() => buildah(['rm', container]));

    const variables = makeEnvironment(ROOT);
    const quiet = (): void => undefined;
    const postgres = await startPostgres({
      ...{ dataDir: join(folder, 'postgres'), port: 5432, settings: { max_connections: '400' } },
      ...{ log: quiet, progress: quiet },
    });
    onEnd(() => postgres.stop());
    await runSql(postgres.url, initSql(variables));
    const temporal = await startTemporalServer({
      cliPath: await findTemporalCli({ environment: process.env, progress: quiet }),
      ...{ dbFile: null, port: 7233, uiPort: null, log: quiet },
    });
    onEnd(() => temporal.stop());

    const services = readServices(ROOT, { ...variables, TEMPORAL_NAMESPACE: 'default' });
    const running = new Map<string, DetachedProcess>();
    const serviceOf = (name: string): ComposeService => {
      const service = services.get(name);
      if (service === undefined) throw new Error(`docker-compose.yml has no service ${name}`);
      return service;
    };
    const runToEnd = (name: string, ...more: readonly string[]): string => {
      const { command, environment } = serviceOf(name);
      const line = inContainer(container, environment, [...command, ...more]);
      const { status, stdout, stderr } = spawnSync('buildah', line, { encoding: 'utf8' });
      if (status !== 0)
        throw new PlainError(`${name} ended with ${String(status)}: ${stderr}${stdout}`);
      return stdout;
    };
    const isHealthy = ({ healthcheck, environment }: ComposeService): boolean =>
      healthcheck === null ||
      spawnSync('buildah', inContainer(container, environment, healthcheck)).status === 0;
    const start = async (name: string): Promise<void> => {
      const service = serviceOf(name);
      const lines = inContainer(container, service.environment, service.command);
      const child = startDetached({
        ...{ command: 'buildah', args: lines, env: process.env, onLine: quiet },
      });
      running.set(name, child);
      onEnd(() => child.stop('SIGTERM', STOP_MS));
      const until = performance.now() + HEALTHY_MS;
      while (!isHealthy(service)) {
        if (child.hasExited() || performance.now() > until) {
          throw new PlainError(`${name} is not healthy:\n${child.lastLines().join('\n')}`);
        }
        await pause(1_000);
      }
      say(`${name} is healthy.`);
    };

    runToEnd('migrate');
    say('migrate ended well.');
    for (const name of ['sandbox', 'api', 'worker', 'chain', 'dashboard', 'console'])
      await start(name);
    const customer = /cus_[0-9a-z]{26}/.exec(
      runToEnd('ops', 'customers', 'add', '--name', 'Sample Ltd'),
    );
    const how = ['--environment', 'test', '--name', 'image', '--operator', 'image'];
    const added = runToEnd('ops', 'keys', 'add', '--customer', customer?.[0] ?? '', ...how);
    const key = /cw_test_\S+/.exec(added)?.[0] ?? '';
    say('A customer has a test key. It pays:');
    const smoke = ['bin/run.mjs', 'src/cli/smoke.ts', '--api-url', 'http://127.0.0.1:8080'];
    execFileSync('node', smoke, {
      ...{ cwd: ROOT, stdio: 'inherit', env: { ...process.env, CAUSEWAY_API_KEY: key } },
    });
    const died = [...running].filter(([, child]) => child.hasExited());
    if (died.length > 0) throw new PlainError(`${died.map(([name]) => name).join(', ')} ended.`);
    say('All services of the image answer, and a payment went through them.');
  });
  return 0;
});
