import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { superviseChild, type SupervisedChild } from '../../../../src/cli/embedded/child.ts';
import { freePort } from '../../../../src/cli/embedded/ports.ts';
import { untilReady } from '../../../../src/cli/dev/until-ready.ts';
import { PlainError } from '../../../../src/server/runtime/plain-error.ts';

let folder: string;
let child: SupervisedChild | undefined;
let server: Server | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cw-ready-'));
});
afterEach(async () => {
  await child?.stop(0);
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

function run(program: string): SupervisedChild {
  child = superviseChild({
    ...{ name: 'console', command: process.execPath, args: ['-e', program], env: {} },
    ...{ logFile: join(folder, 'web.log'), restart: { withinMs: 200 } },
  });
  return child;
}
const place = (port: number) => ({ url: `http://127.0.0.1:${String(port)}/health` });

it('a part that dies over and over ends the wait, with what it wrote last', async () => {
  const port = await freePort();
  const web = run(`console.error('PEPPER is not set'); process.exit(1)`);
  const waiting = untilReady([place(port)], new Map([['console', web]]));
  await expect(waiting).rejects.toThrow(PlainError);
  await expect(waiting).rejects.toThrow(
    /The console did not start\. Its last output:\nPEPPER is not set/,
  );
  expect(web.deaths()).toBeGreaterThanOrEqual(3);
});

it('a part whose port another program took ends the wait at its first death, in words that are tried again', async () => {
  const port = await freePort();
  server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  const web = run(`require('node:http').createServer().listen(${String(port)}, '127.0.0.1')`);
  const waiting = untilReady([place(await freePort())], new Map([['console', web]]));
  await expect(waiting).rejects.toThrow(/address already in use 127\.0\.0\.1/);
});

it('a part that dies once and then comes up is waited for, under the host it is named by', async () => {
  const port = await freePort();
  const hosts: (string | undefined)[] = [];
  const web = { deaths: () => 1, lastWords: () => ['killed'] };
  const waiting = untilReady(
    [{ ...place(port), named: 'http://ops.localhost:1234' }],
    new Map([['console', web]]),
  );
  server = createServer((request, response) => {
    hosts.push(request.headers.host);
    response.writeHead(hosts.length === 1 ? 503 : 200).end();
  }).listen(port, '127.0.0.1');
  await waiting;
  expect(hosts).toEqual(['ops.localhost:1234', 'ops.localhost:1234']);
});
