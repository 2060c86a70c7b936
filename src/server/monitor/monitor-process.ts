import type { Logger } from 'pino';
import type { MonitorSettings } from '../config/monitor-config.ts';
import type { Resources } from '../runtime/resources.ts';
import type { RunningWorker } from '../runtime/run-workers.ts';
import type { Checks } from './monitor-app.ts';
import { processMetrics } from './metrics.ts';
import { createProgressGauges } from './progress-gauges.ts';
import { createReadiness } from './readiness.ts';
import { startMonitor, type RunningMonitor } from './start-monitor.ts';

interface MonitoredProcess {
  /** Resolves once the process is asked to end. */
  readonly asked: Promise<unknown>;
  /** What it polls task queues with. */
  readonly worker?: RunningWorker;
  /** Whether it also answers requests: then it is ready while Temporal is down. */
  readonly answersRequests?: boolean;
  /** Whether its gauges tell what waits, as PostgreSQL says. */
  readonly tellsProgress?: boolean;
}

/** Serves the probes and metrics of a process that is built from resources. */
export function monitorProcess(
  resources: Resources,
  { asked, worker, answersRequests = false, tellsProgress = false }: MonitoredProcess,
): Promise<RunningMonitor> {
  const { config, metrics, log } = resources;
  if (config.monitor.port !== undefined) metrics.measureProcess();
  const needsTemporal = worker !== undefined && !answersRequests;
  const servers = createReadiness(resources, { needsTemporal });
  const readGauges = tellsProgress
    ? createProgressGauges(resources, statementOrigins(resources))
    : () => Promise.resolve();
  const ready = async (): Promise<Checks> => ({
    ...(await servers()),
    ...(needsTemporal && { worker: worker.isPolling() ? 'ok' : 'not_polling' }),
  });
  return startMonitor(
    config.monitor,
    {
      live: () => worker?.polling.checks() ?? {},
      ready,
      async metrics() {
        await readGauges();
        metrics.setGauges(
          ['workerPolling'],
          [...(worker?.polling.values() ?? [])].map(([queue, value]) => ({
            ...{ gauge: 'workerPolling', labels: { queue }, value },
          })),
        );
        return metrics.text();
      },
    },
    { asked, log },
  );
}

const statementOrigins = ({ config, connectors }: Resources) =>
  (['test', 'live'] as const).flatMap((environment) =>
    config.providers.bank[environment] === undefined
      ? []
      : connectors
          .statementSources(environment)
          .map(({ name: connector }) => ({ environment, connector })),
  );

/** The same for a process without PostgreSQL and Temporal: it is ready until it is asked to end. */
export function monitorAlone(
  settings: MonitorSettings,
  until: { readonly asked: Promise<unknown>; readonly log: Pick<Logger, 'info'> },
): Promise<RunningMonitor> {
  const ready = () => Promise.resolve({});
  const metrics = settings.port === undefined ? () => Promise.resolve('') : processMetrics();
  return startMonitor(settings, { live: () => ({}), ready, metrics }, until);
}
