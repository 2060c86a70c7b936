import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { createHttpBank, type HttpBankOptions } from '../../../src/adapters/http-bank/http-bank.ts';

export const reference = 'CWAAAAAAAAAAAAAAAAAAAAAAAAAA01';
export const transfer = { reference, encodedTransfer: Buffer.from('{"amount":"10.00"}') };

/** What a raw bank saw: the whole of each request, in order, and on how many connections. */
export interface RawBank {
  port: number;
  requests: string[];
  connections: number;
  server: Server;
}

type Answer = (socket: Socket, request: string, nth: number) => void;

/** A bank made of bytes: it can break the protocol in ways that an HTTP server will not. */
export async function startRawBank(
  answer: Answer,
  onConnection: (socket: Socket) => void = () => undefined,
): Promise<RawBank> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    bank.connections += 1;
    let text = '';
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      const headEnd = text.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? '0');
      if (headEnd < 0 || text.length < headEnd + 4 + length) return;
      const whole = text;
      text = '';
      bank.requests.push(whole);
      answer(socket, whole, bank.requests.length);
    });
    onConnection(socket);
  });
  const bank: RawBank = { port: 0, requests: [], connections: 0, server };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  bank.port = (server.address() as AddressInfo).port;
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return bank;
}

/** A connector to a port on this machine, closed when the test ends. */
export function connectorTo(port: number, options: Partial<HttpBankOptions> = {}) {
  const connector = createHttpBank({
    baseUrl: `http://127.0.0.1:${port}/`,
    name: 'test',
    ...options,
  });
  onTestFinished(() => connector.close());
  return connector;
}

export function http(status: number, body: unknown, headers: Record<string, string> = {}): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const all = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Status\r\n${lines.join('')}\r\n${text}`;
}

/** A port on which nothing listens. */
export async function closedPort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
