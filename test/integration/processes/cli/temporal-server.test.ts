import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isProcessAlive } from '../../../../src/cli/embedded/process-facts.ts';
import { findTemporalCli } from '../../../../src/cli/embedded/temporal-cli.ts';
import type { EmbeddedTemporal } from '../../../../src/cli/embedded/temporal-server.ts';
import { startTemporalServer } from '../../../../src/cli/embedded/temporal-server.ts';

const FETCH_TIMEOUT_MS = 20 * 60_000;
let folder: string;
let cliPath: string;
const running: EmbeddedTemporal[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cw-temporal-'));
  cliPath = await findTemporalCli({
    environment: process.env,
    progress: (line) => console.log(line),
  });
}, FETCH_TIMEOUT_MS);
afterAll(async () => {
  await Promise.all(running.map((server) => server.stop()));
  rmSync(folder, { recursive: true, force: true });
});

async function start(
  options: Partial<Parameters<typeof startTemporalServer>[0]> = {},
): Promise<EmbeddedTemporal> {
  const server = await startTemporalServer({
    cliPath,
    // A name that a URL would read as a query.
    dbFile: join(folder, 'odd?name%20', 'temporal.db'),
    port: 0,
    uiPort: null,
    log: () => undefined,
    ...options,
  });
  running.push(server);
  return server;
}

async function describeDefault(address: string): Promise<{ days: number; attributes: string[] }> {
  const connection = await Connection.connect({ address });
  try {
    const namespace = 'default';
    const { config } = await connection.workflowService.describeNamespace({ namespace });
    const known = await connection.operatorService.listSearchAttributes({ namespace });
    const seconds = Number(config?.workflowExecutionRetentionTtl?.seconds);
    return { days: seconds / 86_400, attributes: Object.keys(known.customAttributes ?? {}) };
  } finally {
    await connection.close();
  }
}

describe('the embedded Temporal server', () => {
  it('keeps seven days, learns search attributes that came later than its file, and ends the server that a killed run left on it: SQLite has one writer', async () => {
    const first = await start({ searchAttributes: { CwOne: 'Keyword' } });
    expect(await describeDefault(first.address)).toEqual({ days: 7, attributes: ['CwOne'] });
    await first.stop();
    expect(isProcessAlive(first.pid)).toBe(false);
    const second = await start({ searchAttributes: { CwOne: 'Keyword', CwTwo: 'Keyword' } });
    const found = await describeDefault(second.address);
    expect(found.attributes.sort()).toEqual(['CwOne', 'CwTwo']);
    const next = await start();
    expect(isProcessAlive(second.pid)).toBe(false);
    expect(isProcessAlive(next.pid)).toBe(true);
    await next.stop();
  });

  it('shows its pages where a port for them is given, and names a port that is taken', async () => {
    const server = await start({ dbFile: null, uiPort: 0 });
    expect((await fetch(server.uiUrl ?? '')).status).toBe(200);
    const port = Number(server.address.split(':')[1]);
    await expect(start({ dbFile: null, port })).rejects.toThrow(
      new RegExp(`Port ${port}.*the Temporal server.*TEMPORAL_PORT`),
    );
  });
});
