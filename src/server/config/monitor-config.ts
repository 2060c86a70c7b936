import { Type, type Static } from 'typebox';
import { port, text } from './setting-types.ts';

/** Where probes and Prometheus reach a process. */
export const MONITOR = Type.Object({
  host: text('MONITOR_HOST', {
    default: '127.0.0.1',
    unit: 'address',
    description: 'The address that `MONITOR_PORT` and `TEMPORAL_METRICS_PORT` listen on.',
  }),
  port: Type.Optional(
    port(
      'MONITOR_PORT',
      undefined,
      'The port of `/live`, `/ready`, and `/metrics` of a process. 0 picks a free port. Without it, the process does not serve them.',
    ),
  ),
});

export type MonitorSettings = Readonly<Static<typeof MONITOR>>;

/** The metrics of Temporal's SDK. Worker and chain process read it. */
export const TEMPORAL_METRICS = Type.Optional(
  port(
    'TEMPORAL_METRICS_PORT',
    undefined,
    "The port of `/metrics` with the metrics of Temporal's SDK, in worker and chain process. Without it, the SDK measures nothing.",
  ),
);
