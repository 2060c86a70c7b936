import type { TelemetryOptions } from '@temporalio/worker';
import type { Config } from '../config/config.ts';

/** Upper bounds in seconds. The SDK's own begin at 0.1 s, above what most of our tasks take. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** Histograms of the SDK by their names without `temporal_`. */
const HISTOGRAMS = [
  ...['workflow_task_schedule_to_start_latency', 'workflow_task_execution_latency'],
  ...['workflow_task_replay_latency', 'workflow_endtoend_latency', 'request_latency'],
  ...['activity_schedule_to_start_latency', 'activity_execution_latency'],
  ...['activity_succeed_endtoend_latency', 'local_activity_execution_latency'],
  ...['local_activity_succeed_endtoend_latency'],
];

/**
 * The SDK's metrics on a port of their own, in seconds and with `_total`. Without the port the SDK has no exporter, and
 * its metrics cost nothing.
 */
export function sdkTelemetry({
  monitor,
  temporalMetricsPort,
}: Pick<Config, 'monitor' | 'temporalMetricsPort'>): TelemetryOptions {
  if (temporalMetricsPort === undefined) return {};
  const { host } = monitor;
  return {
    metrics: {
      prometheus: {
        bindAddress: `${host.includes(':') ? `[${host}]` : host}:${String(temporalMetricsPort)}`,
        ...{ countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true },
        histogramBucketOverrides: Object.fromEntries(HISTOGRAMS.map((name) => [name, BUCKETS])),
      },
    },
  };
}
