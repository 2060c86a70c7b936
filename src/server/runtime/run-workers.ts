import { setTimeout as pause } from 'node:timers/promises';
import { DefaultLogger, NativeConnection, Runtime, type Worker } from '@temporalio/worker';
import { findMissingSearchAttributes } from '../../adapters/temporal/register-search-attributes.ts';
import { sdkTelemetry } from '../monitor/sdk-telemetry.ts';
import { watchPolling, type Polling } from '../monitor/polling.ts';
import { measureSkewMs, SKEW_MAX_MS } from './clock-skew.ts';
import { CLOCK_IS_OFF, keepWorking } from './keep-working.ts';
import { codeOf, type Resources } from './resources.ts';

const RECONNECT_AFTER_MS = 1_000;
const TEMPORAL_LOOK_MS = 5_000;

export interface RunningWorker {
  /** Resolves once workers poll; rejects never: it waits for Temporal as long as it takes. */
  readonly ready: Promise<void>;
  /** Resolves when the workers have ended; rejects where one of them failed. */
  readonly ended: Promise<void>;
  /** Whether all task queues are polled at this moment. */
  isPolling(): boolean;
  readonly polling: Polling;
  /** Lets running activities finish within the grace time of 30 s. */
  stop(): Promise<void>;
}

/** What a kind of process works on. */
interface WorkersOf {
  /** Called once; answers what builds workers over a connection. */
  readonly prepare: () => Promise<(connection: NativeConnection) => Promise<Worker[]>>;
  /** Called each time once workers poll. */
  readonly onWorking: () => Promise<void>;
}

/** Runs workers in the background: an API in the same process answers while Temporal is down. */
export function runWorkers(resources: Resources, { prepare, onWorking }: WorkersOf): RunningWorker {
  // The SDK's own log fields may hold inputs and causes: its messages go to our log, the rest stays out.
  const sdkLog = new DefaultLogger('ERROR', ({ message }) => {
    resources.log.error({ sdk: message }, 'Temporal SDK');
  });
  // Signals are ours to handle: the API beside the worker has to stop in order.
  Runtime.install({
    ...{ logger: sdkLog, shutdownSignals: [] },
    telemetryOptions: sdkTelemetry(resources.config),
  });
  const stopping = new AbortController();
  let workers: readonly Worker[] = [];
  let markReady: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => {
    markReady = resolve;
  });

  async function run(): Promise<void> {
    const createWorkers = await prepare();
    const connection = await connectPatiently(resources, stopping.signal);
    if (connection === null) return;
    resources.shareConnection(connection);
    try {
      await keepWorking({
        createWorkers: async () => (workers = await createWorkers(connection)),
        async onWorking() {
          await onWorking();
          markReady();
        },
        measureSkewMs: () => measureSkewMs(resources.db, resources.clock),
        log: resources.log,
        signal: stopping.signal,
      });
    } finally {
      await connection.close();
    }
  }

  const ended = run();
  const polling = watchPolling(() => workers, resources.clock);
  return {
    ready,
    ended,
    polling,
    isPolling() {
      const values = [...polling.values().values()];
      return values.length > 0 && values.every((value) => value === 1);
    },
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

/** Waits for a right clock, for Temporal and for our search attributes; null where it is told to stop. */
async function connectPatiently(
  resources: Resources,
  signal: AbortSignal,
): Promise<NativeConnection | null> {
  const { log } = resources;
  let lastReason = '';
  while (!signal.aborted) {
    const obstacle = await findObstacle(resources);
    if (obstacle === null) {
      try {
        // Without gzip: payloads are a few ids, and the server is near.
        return await NativeConnection.connect(resources.temporal.connection);
      } catch (error) {
        log.warn({ code: codeOf(error) }, 'Temporal does not answer yet');
      }
    } else if (obstacle.reason !== lastReason) {
      // Once, not every second: it may last.
      log.error(obstacle.facts, obstacle.reason);
    }
    lastReason = obstacle?.reason ?? '';
    await pause(RECONNECT_AFTER_MS, undefined, { signal }).catch(() => undefined);
  }
  return null;
}

interface Obstacle {
  readonly reason: string;
  readonly facts: object;
}

/** What keeps this process from working now; null where nothing does. */
async function findObstacle({ db, clock, getClient }: Resources): Promise<Obstacle | null> {
  try {
    const skewMs = await measureSkewMs(db, clock);
    if (Math.abs(skewMs) > SKEW_MAX_MS) {
      return {
        reason: CLOCK_IS_OFF,
        facts: { skewMs },
      };
    }
  } catch (error) {
    return { reason: 'PostgreSQL does not answer yet', facts: { code: codeOf(error) } };
  }
  try {
    const client = getClient();
    const missing = await client.connection.withDeadline(Date.now() + TEMPORAL_LOOK_MS, () =>
      findMissingSearchAttributes(client),
    );
    if (missing.length === 0) return null;
    return { reason: 'search attributes are missing: run "npm run migrate"', facts: { missing } };
  } catch (error) {
    return { reason: 'Temporal does not answer yet', facts: { code: codeOf(error) } };
  }
}
