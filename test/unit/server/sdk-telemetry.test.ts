import { expect, it } from 'vitest';
import { readConfig } from '../../../src/server/config/config.ts';
import { sdkTelemetry } from '../../../src/server/monitor/sdk-telemetry.ts';
import { SAMPLE_KEYS } from '../../support/sample-secrets.ts';

const telemetry = (env: Readonly<Record<string, string>>) =>
  sdkTelemetry(readConfig({ ...SAMPLE_KEYS, DATABASE_URL: 'postgres://localhost/sample', ...env }));

it("Temporal's SDK measures nothing unless TEMPORAL_METRICS_PORT is set", () => {
  expect(telemetry({ MONITOR_PORT: '9464' })).toEqual({});
});

it("the SDK's metrics are in seconds, on the address of the monitor", () => {
  const onPort = (host: string) =>
    telemetry({ MONITOR_HOST: host, TEMPORAL_METRICS_PORT: '9465' }).metrics;
  const prometheus = { useSecondsForDurations: true, countersTotalSuffix: true, unitSuffix: true };
  expect(onPort('127.0.0.1')).toMatchObject({
    prometheus: { ...prometheus, bindAddress: '127.0.0.1:9465' },
  });
  expect(onPort('::1')).toMatchObject({ prometheus: { bindAddress: '[::1]:9465' } });
});
