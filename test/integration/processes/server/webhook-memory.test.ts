import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { flood, startRawReceiver } from '../../../support/webhooks/raw-receiver.ts';
import { programArguments } from '../../../../src/cli/embedded/program-arguments.ts';

const PROGRAM = fileURLToPath(
  new URL('../../../support/server/programs/webhook-sender.ts', import.meta.url),
);
const SIDE_BY_SIDE = 8;
const MB = 1_048_576;
/** Of a process that reads 64 KiB of each answer: garbage included, and far below what is offered. */
const GROWTH_MB_MAX = 100;

/** Lets a process of its own send so many webhooks to each receiver, and hears what became of them. */
async function sendAll(urls: readonly string[], count: number) {
  const child = spawn(
    process.execPath,
    [...programArguments(PROGRAM), String(count), String(SIDE_BY_SIDE), ...urls],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const said = await text(child.stdout);
  return JSON.parse(said) as { codes: Record<string, number>[]; growthMb: number };
}

const HEAD = 'HTTP/1.1 200 OK\r\n';
/** 16 MiB of zeros, 64 times: a gigabyte once it is inflated. */
const BOMB = Buffer.concat(Array<Buffer>(64).fill(gzipSync(Buffer.alloc(16 * MB))));
const NOISE = Buffer.alloc(MB, 'a');

const ENDLESS: readonly (readonly [head: string, bytes: Buffer, code: string])[] = [
  [`${HEAD}\r\n`, NOISE, 'ANSWER_TOO_LONG'],
  [`${HEAD}A: `, NOISE, 'BAD_ANSWER'],
  ['HTTP/1.1 200 ', NOISE, 'ANSWER_TOO_LONG'],
  [`${HEAD}Transfer-Encoding: chunked\r\n\r\n5;`, NOISE, 'ANSWER_TOO_LONG'],
  [`${HEAD}Content-Encoding: gzip\r\n\r\n`, BOMB, 'ANSWER_TOO_LONG'],
];

it('memory stays bounded under a body, a header, a reason, a chunk extension and a gzip bomb without end', async () => {
  const receivers = await Promise.all(ENDLESS.map(() => startRawReceiver()));
  try {
    for (const [n, [head, bytes]] of ENDLESS.entries()) {
      receivers[n]!.onRequest = (socket) => {
        socket.write(head);
        flood(socket, bytes);
      };
    }
    const count = 100;
    const { codes, growthMb } = await sendAll(
      receivers.map(({ url }) => url),
      count,
    );
    expect(codes).toEqual(ENDLESS.map(([, , code]) => ({ [code]: count })));
    expect(growthMb).toBeLessThan(GROWTH_MB_MAX);
    for (const { open } of receivers) await expect.poll(() => open.size).toBe(0);
  } finally {
    for (const receiver of receivers) await receiver.close();
  }
});
