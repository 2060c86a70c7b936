import { connect } from 'node:net';
import { once } from 'node:events';
import { until } from './until.ts';

/** How long the API takes what it knows of a key for true: see FRESH_MS of its authentication. */
const LONGER_THAN_FRESH_MS = 400;

/** A request whose head has been sent and whose body has not: a sender on a bad line, or with a plan. */
export interface SlowPost {
  /** Sends the body, once the head is older than anything that was judged of it may get, and answers. */
  finish(): Promise<{ readonly status: number; readonly text: string }>;
}

/** Sends the head of a POST to 127.0.0.1, with a length and the fields given, and nothing of its body. */
export async function startSlowPost(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<SlowPost> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  let text = '';
  socket.on('data', (data) => (text += data.toString()));
  const closed = once(socket, 'close');
  const lines = Object.entries({
    ...headers,
    connection: 'close',
    'content-length': String(Buffer.byteLength(body)),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const sentAt = performance.now();
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  return {
    async finish() {
      await until('the head to be old', () =>
        performance.now() - sentAt > LONGER_THAN_FRESH_MS ? true : null,
      );
      socket.write(body);
      await closed;
      return { status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1] ?? 0), text };
    },
  };
}
