import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { flood, startRawReceiver } from '../webhooks/raw-receiver.ts';

const PROGRAM = fileURLToPath(new URL('./programs/webhook-sender.ts', import.meta.url));
const SIDE_BY_SIDE = 8;
const MB = 1_048_576;
/** Of a process that reads 64 KiB of each answer: garbage included, and far below what is offered. */
const GROWTH_MB_MAX = 100;

/** Lets a process of its own send so many webhooks to a receiver, and hears what became of them. */
async function sendAll(url: string, count: number) {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', PROGRAM, url, String(count), String(SIDE_BY_SIDE)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const said = await text(child.stdout);
  return JSON.parse(said) as { codes: Record<string, number>; growthMb: number };
}

const HEAD = 'HTTP/1.1 200 OK\r\n';
/** 16 MiB of zeros, 64 times: a gigabyte once it is inflated. */
const BOMB = Buffer.concat(Array<Buffer>(64).fill(gzipSync(Buffer.alloc(16 * MB))));
const NOISE = Buffer.alloc(MB, 'a');

it.each([
  ['a body', `${HEAD}\r\n`, NOISE, 'ANSWER_TOO_LONG'],
  ['a header', `${HEAD}A: `, NOISE, 'BAD_ANSWER'],
  ['a reason', 'HTTP/1.1 200 ', NOISE, 'ANSWER_TOO_LONG'],
  ['a chunk extension', `${HEAD}Transfer-Encoding: chunked\r\n\r\n5;`, NOISE, 'ANSWER_TOO_LONG'],
  ['a gzip bomb', `${HEAD}Content-Encoding: gzip\r\n\r\n`, BOMB, 'ANSWER_TOO_LONG'],
])(
  'memory stays bounded under %s without end, though gigabytes are offered',
  async (_name, head, bytes, code) => {
    const receiver = await startRawReceiver();
    try {
      receiver.onRequest = (socket) => {
        socket.write(head);
        flood(socket, bytes);
      };
      const count = 400;
      const { codes, growthMb } = await sendAll(receiver.url, count);
      expect(codes).toEqual({ [code]: count });
      expect(growthMb).toBeLessThan(GROWTH_MB_MAX);
      await expect.poll(() => receiver.open.size).toBe(0);
    } finally {
      await receiver.close();
    }
  },
);
