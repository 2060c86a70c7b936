import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openResources } from '../../../../src/server/runtime/resources.ts';
import { startWorker } from '../../../../src/server/runtime/start-worker.ts';
import { readConfig } from '../../../../src/server/config/config.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { SAMPLE_KEYS } from '../../../support/sample-secrets.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

it('a worker whose clock is off does not work, and begins once it is right', async () => {
  let offMs = 60_000;
  const said: string[] = [];
  const log = pino(
    {},
    {
      write: (line: string) => {
        said.push((JSON.parse(line) as { msg: string }).msg);
      },
    },
  );
  const config = readConfig({
    DATABASE_URL: database.url,
    ...SAMPLE_KEYS,
    WORKFLOW_BUNDLE_FILE: import.meta.filename,
  });
  // Only hangs up: what counts is whether the worker comes as far as Temporal.
  let visits = 0;
  const temporal = createServer((socket) => {
    visits += 1;
    socket.destroy();
  });
  await once(temporal.listen(0, '127.0.0.1'), 'listening');
  const { port } = temporal.address() as AddressInfo;
  const connection = { address: `127.0.0.1:${String(port)}` };
  const opened = await openResources(config, { namespace: 'none', connection }, 'test');
  const clock = { now: () => new Date(Date.now() + offMs) };
  const worker = startWorker({ ...opened, log, clock });
  await expect
    .poll(() => said)
    .toContainEqual(expect.stringContaining("clock is not PostgreSQL's"));
  expect(visits).toBe(0);
  offMs = 0;
  await expect.poll(() => visits).toBeGreaterThan(0);
  expect(said.filter((line) => line.includes('clock'))).toHaveLength(1);
  await worker.stop();
  await opened.close();
  temporal.close();
});
