import { connect, type AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../../src/web/kit/http/app-type.ts';
import { installBodyTime } from '../../../src/api/plugins/body-time.ts';

const app = Fastify() as unknown as App;
beforeAll(async () => {
  installBodyTime(app, 50);
  app.post('/short', async () => 'taken');
  app.post('/files', { config: { takesFiles: true } }, async () => 'taken');
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());

/** Sends half a body, and the rest once told to; answers what came until the connection ended. */
function sendHalf(path: string) {
  const { port } = app.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (data) => (text += data.toString()));
  socket.on('error', () => undefined);
  const ended = new Promise<string>((resolve) => socket.on('close', () => resolve(text)));
  const head = `POST ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-type: text/plain`;
  socket.write(`${head}\r\ncontent-length: 8\r\n\r\nhalf`);
  return { ended, finish: () => socket.end('half') };
}

describe('a body that is long in coming', () => {
  it('ends its request, in the shape of every error', async () => {
    const text = await sendHalf('/short').ended;
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text).toContain('validation_failed');
  });

  it('is waited for where it is files', async () => {
    const files = sendHalf('/files');
    // As long as the other takes to be given up.
    await sendHalf('/short').ended;
    files.finish();
    expect(await files.ended).toMatch(/^HTTP\/1\.1 200 [^]*taken$/);
  });
});
