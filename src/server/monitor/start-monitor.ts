import type { Logger } from 'pino';
import type { MonitorSettings } from '../config/monitor-config.ts';
import { buildMonitor, type Checks, type Monitored } from './monitor-app.ts';

export interface RunningMonitor {
  /** Null where it is off. */
  readonly url: string | null;
  /** Closes the port: last of all, so that probes see the process until its end. */
  stop(): Promise<void>;
}

/**
 * Serves `/live`, `/ready` and `/metrics` where MONITOR_PORT is set. From the moment at which the process is asked to
 * end, it is not ready, while it serves on and closes.
 */
export async function startMonitor(
  { host, port }: MonitorSettings,
  monitored: Monitored,
  { asked, log }: { readonly asked: Promise<unknown>; readonly log: Pick<Logger, 'info'> },
): Promise<RunningMonitor> {
  if (port === undefined) return { url: null, stop: () => Promise.resolve() };
  let isClosing = false;
  void asked.then(() => {
    isClosing = true;
  });
  const ready = async (): Promise<Checks> =>
    isClosing ? { process: 'closing' } : monitored.ready();
  const app = buildMonitor({ ...monitored, ready });
  const url = await app.listen({ host, port });
  log.info({ url }, 'the monitor is listening');
  return { url, stop: () => app.close() };
}
