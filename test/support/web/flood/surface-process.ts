import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '../../../../src/cli/embedded/ports.ts';
import { programArguments } from '../../../../src/cli/embedded/program-arguments.ts';
import type { Surface } from '../../../../src/domain/customers/access/rights.ts';
import { until } from '../../until.ts';
import { openSiteClient } from '../site-client.ts';

const HOST_OF = { dashboard: 'dashboard.localhost', console: 'ops.localhost' } as const;

/** The dashboard or the console as it is started in production, as a proxy on this machine reaches it. */
export async function startSurfaceProcess(surface: Surface, env: Readonly<Record<string, string>>) {
  const port = await freePort();
  const host = `${HOST_OF[surface]}:${String(port)}`;
  const origin = `http://${host}`;
  const own =
    surface === 'dashboard'
      ? { DASHBOARD_PORT: String(port), DASHBOARD_URL: origin }
      : { OPS_PORT: String(port), OPS_URL: origin };
  const child = spawn(process.execPath, programArguments(`src/server/processes/${surface}.ts`), {
    // The channel lets it end with this process, however that ends.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { PATH: process.env['PATH'], ...env, ...own, TRUSTED_PROXIES: '127.0.0.1/32' },
  });
  const client = openSiteClient({ host, port });
  await until(`a ${surface} that answers`, () => {
    if (child.exitCode !== null) throw new Error(`the ${surface} has ended`);
    return client.ask('/health').catch(() => null);
  });
  return {
    ...{ surface, host, port, origin, pid: child.pid ?? 0, ask: client.ask },
    async stop(): Promise<void> {
      client.close();
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

export type SurfaceProcess = Awaited<ReturnType<typeof startSurfaceProcess>>;
