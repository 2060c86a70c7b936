import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../../../src/cli/embedded/ports.ts';
import { programArguments } from '../../../../src/cli/embedded/program-arguments.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { SAMPLE_KEYS } from '../../../support/sample-secrets.ts';
import { until } from '../../../support/until.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

it('a process that was told to end is not ready, serves what is under way, and closes', async () => {
  const [port, monitorPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, programArguments('src/server/processes/api.ts'), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...{ PATH: process.env['PATH'], ...SAMPLE_KEYS, DATABASE_URL: database.url },
      ...{ LOG_LEVEL: 'silent', PORT: String(port), MONITOR_PORT: String(monitorPort) },
      // Nothing listens there.
      TEMPORAL_ADDRESS: '127.0.0.1:9',
    },
  });
  const ended = once(child, 'exit');
  const ask = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${String(monitorPort)}${path}`);
    return { status: answer.status, body: (await answer.json()) as unknown };
  };
  try {
    await until('readiness', async () => {
      if (child.exitCode !== null) throw new Error('the API has ended');
      return (await ask('/ready').catch(() => null))?.status === 200 ? true : null;
    });
    // A request whose second half is missing holds the API open.
    const socket = connect(port, '127.0.0.1');
    socket.setEncoding('utf8');
    await once(socket, 'connect');
    socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\n');
    await until('the request to be under way', async () => {
      // The API reads what was sent before it answers another connection.
      await fetch(`http://127.0.0.1:${String(port)}/health`);
      return true;
    });
    child.kill('SIGTERM');
    await until('the process to be closing', async () =>
      (await ask('/ready')).status === 503 ? true : null,
    );
    expect(await ask('/ready')).toEqual({
      status: 503,
      body: { checks: { process: 'closing' } },
    });
    expect((await ask('/live')).status).toBe(200);
    const answered = once(socket, 'data');
    socket.write('\r\n');
    expect(String((await answered)[0])).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
    expect((await ended)[0]).toBe(0);
  } finally {
    child.kill('SIGKILL');
  }
});
