import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { flood, NO_CONTENT, trickle } from './raw-receiver.ts';

type Say = (socket: Socket) => unknown;
/** What it is, what the receiver does, and the status and error that the attempt must have. */
export type HostileAnswer = readonly [name: string, say: Say, status: number | null, error: string];

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;
/** What inflates to a gigabyte of zeros, in members of 16 MiB. */
const BOMB = Buffer.concat(Array<Buffer>(64).fill(gzipSync(Buffer.alloc(16 * 1_024 * 1_024))));
const write =
  (bytes: string): Say =>
  (socket) =>
    socket.write(bytes);
const bodyOf = (bytes: number): string =>
  `${OK}Content-Length: ${String(bytes)}\r\n\r\n${'a'.repeat(bytes)}`;
const thenFlood =
  (head: string, bytes: string): Say =>
  (socket) => {
    socket.write(head);
    flood(socket, bytes);
  };
const thenTrickle =
  (head: string, bytes: string): Say =>
  (socket) => {
    socket.write(head);
    trickle(socket, bytes);
  };
/** Resets once the bytes are on their way and taken. */
const thenReset =
  (head: string): Say =>
  (socket) =>
    socket.write(head, () => setTimeout(() => socket.resetAndDestroy(), 50));

export const ENDLESS: readonly HostileAnswer[] = [
  ['a body', thenFlood(`${OK}\r\n`, 'a'.repeat(60_000)), 200, 'ANSWER_TOO_LONG'],
  ['chunks of a byte', thenFlood(CHUNKED, '1\r\nx\r\n'.repeat(9_000)), 200, 'ANSWER_TOO_LONG'],
  ['a chunk extension', thenFlood(`${CHUNKED}5;`, 'a'.repeat(60_000)), 200, 'ANSWER_TOO_LONG'],
  ['trailers', thenFlood(`${CHUNKED}0\r\n`, `A: ${'a'.repeat(999)}\r\n`), 200, 'BAD_ANSWER'],
  ['headers', thenFlood(OK, `A: ${'a'.repeat(999)}\r\n`), null, 'BAD_ANSWER'],
  ['one header', thenFlood(`${OK}A: `, 'a'.repeat(60_000)), null, 'BAD_ANSWER'],
  ['a reason', thenFlood('HTTP/1.1 200 ', 'a'.repeat(60_000)), null, 'ANSWER_TOO_LONG'],
  [
    'interim answers',
    thenFlood('', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(1_000)),
    null,
    'ANSWER_TOO_LONG',
  ],
];

export const SLOW: readonly HostileAnswer[] = [
  ['nothing at all', () => {}, null, 'TIMEOUT'],
  ['a head, byte by byte', thenTrickle(`${OK}A: `, 'a'), null, 'TIMEOUT'],
  ['a body, byte by byte', thenTrickle(`${OK}\r\n`, 'a'), 200, 'TIMEOUT'],
  ['chunks, byte by byte', thenTrickle(CHUNKED, '1\r\na\r\n'), 200, 'TIMEOUT'],
  ['a trailer, byte by byte', thenTrickle(`${CHUNKED}0\r\nA: `, 'a'), 200, 'TIMEOUT'],
  ['interim answers', thenTrickle('', 'HTTP/1.1 102 Processing\r\n\r\n'), null, 'TIMEOUT'],
  ['a body that never comes', write(`${OK}Content-Length: 5\r\n\r\n`), 200, 'TIMEOUT'],
  ['status 199', write('HTTP/1.1 199 X\r\nContent-Length: 0\r\n\r\n'), null, 'TIMEOUT'],
];

export const BROKEN: readonly HostileAnswer[] = [
  ['a whole body of 65 KiB', write(bodyOf(65 * 1_024)), 200, 'ANSWER_TOO_LONG'],
  [
    'a gzip bomb',
    (socket: Socket) => {
      const length = `Content-Length: ${String(BOMB.length)}\r\n`;
      socket.write(`${OK}Content-Encoding: gzip\r\n${length}\r\n`);
      socket.write(BOMB);
    },
    200,
    'ANSWER_TOO_LONG',
  ],
  ['a reset before the head', (socket) => socket.resetAndDestroy(), null, 'RESET'],
  ['a reset in the head', thenReset(`${OK}A: a`), null, 'RESET'],
  ['a reset in the body', thenReset(`${OK}Content-Length: 9\r\n\r\nab`), 200, 'RESET'],
  ['half a close before the head', (socket) => socket.end(), null, 'RESET'],
  ['half a close in the head', (socket) => socket.end(`${OK}A: a`), null, 'RESET'],
  ['less than its length', (s) => s.end(`${OK}Content-Length: 9\r\n\r\nab`), 200, 'RESET'],
  ['HTTP/0.9', (socket) => socket.end('<html>hello</html>'), null, 'BAD_ANSWER'],
  ['HTTP/2', write('\0\0\x12\x04\0\0\0\0\0\0\x03\0\0\0\x80'), null, 'BAD_ANSWER'],
  ['HTTP/9.9', write('HTTP/9.9 200 OK\r\nContent-Length: 0\r\n\r\n'), null, 'BAD_ANSWER'],
  ['bare line feeds', write('HTTP/1.1 200 OK\nContent-Length: 0\n\n'), null, 'BAD_ANSWER'],
  [
    'two lengths',
    write(`${OK}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`),
    null,
    'BAD_ANSWER',
  ],
  [
    'a length and chunks',
    write(`${OK}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`),
    null,
    'BAD_ANSWER',
  ],
  ['a length below zero', write(`${OK}Content-Length: -1\r\n\r\n`), null, 'BAD_ANSWER'],
  ['a length of no number', write(`${OK}Content-Length: NaN\r\n\r\n`), null, 'BAD_ANSWER'],
  ['a chunk beyond 64 bits', write(`${CHUNKED}FFFFFFFFFFFFFFFFF\r\nx`), 200, 'BAD_ANSWER'],
  ['status 000', write('HTTP/1.1 000 X\r\nContent-Length: 0\r\n\r\n'), null, 'BAD_ANSWER'],
  ['status NaN', write('HTTP/1.1 NaN X\r\nContent-Length: 0\r\n\r\n'), null, 'BAD_ANSWER'],
  ['status 2000', write('HTTP/1.1 2000 X\r\nContent-Length: 0\r\n\r\n'), null, 'BAD_ANSWER'],
  ['status 600', write('HTTP/1.1 600 X\r\nContent-Length: 0\r\n\r\n'), 600, 'STATUS'],
  ['status 100 that was not asked for', write(`HTTP/1.1 100 Continue\r\n\r\n`), null, 'BAD_ANSWER'],
  [
    'another protocol',
    write('HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
    null,
    'BAD_ANSWER',
  ],
];

/** What is odd and still a whole success. */
export const ODD: readonly (readonly [name: string, say: Say, status: number])[] = [
  ['status 299', write('HTTP/1.1 299 X\r\nContent-Length: 0\r\n\r\n'), 299],
  ['204 with a body', write('HTTP/1.1 204 X\r\nContent-Length: 2\r\n\r\nab'), 204],
  ['more than its length', thenFlood(`${OK}Content-Length: 0\r\n\r\n`, 'a'.repeat(9_000)), 200],
  ['an interim answer before', write(`HTTP/1.1 103 Early Hints\r\n\r\n${NO_CONTENT}`), 204],
  ['a whole body of 64 KiB', write(bodyOf(64 * 1_024)), 200],
  ['a body that the close ends', (socket) => socket.end(`${OK}\r\nok`), 200],
  [
    'what inflates to 16 MiB',
    (socket) => {
      const bytes = BOMB.subarray(0, BOMB.length / 64);
      const length = `Content-Length: ${String(bytes.length)}\r\n`;
      socket.write(`${OK}Content-Encoding: gzip\r\n${length}\r\n`);
      socket.write(bytes);
    },
    200,
  ],
];
