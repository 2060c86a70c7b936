import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface BankCall {
  readonly method: 'PUT' | 'GET';
  readonly reference: string;
  readonly body: string;
}

export type BankReply =
  | { readonly status: number; readonly body?: unknown }
  /** The connection is torn down in the middle of the exchange. */
  | 'RESET'
  /** No answer, ever. */
  | 'SILENCE';

/** A bank that does what a test tells it to, the contract be damned. */
export interface ScriptedBank {
  readonly url: string;
  readonly calls: BankCall[];
  puts(): BankCall[];
  onPut: (call: BankCall) => BankReply | Promise<BankReply>;
  onGet: (call: BankCall) => BankReply | Promise<BankReply>;
  /** Refuses connections, as a bank that is down does. */
  goDown(): Promise<void>;
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

export const NEVER_SEEN: BankReply = { status: 404, body: { error: 'not_found' } };

/** What a bank that keeps the contract answers. */
export const says =
  (status: string, reason?: string) =>
  ({ reference }: BankCall): BankReply => ({
    status: 200,
    body: { reference, status, bankReference: `B-${reference}`, ...(reason && { reason }) },
  });

export async function startScriptedBank(): Promise<ScriptedBank> {
  let port = 0;
  const calls: BankCall[] = [];
  const create = () =>
    createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const call: BankCall = {
          method: request.method === 'PUT' ? 'PUT' : 'GET',
          reference: (request.url ?? '').split('/').at(-1) ?? '',
          body: Buffer.concat(chunks).toString(),
        };
        calls.push(call);
        const answer = call.method === 'PUT' ? bank.onPut : bank.onGet;
        void Promise.resolve(answer(call)).then((reply) => {
          send(response, reply);
        });
      });
    });
  let server = create();
  const listen = async (): Promise<void> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  };
  const stop = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  await listen();
  const bank: ScriptedBank = {
    url: `http://127.0.0.1:${String(port)}`,
    calls,
    puts: () => calls.filter(({ method }) => method === 'PUT'),
    onPut: says('SETTLED'),
    onGet: () => NEVER_SEEN,
    goDown: stop,
    async comeBack() {
      server = create();
      await listen();
    },
    close: stop,
  };
  return bank;
}

function send(response: ServerResponse, reply: BankReply): void {
  if (reply === 'SILENCE') return;
  if (reply === 'RESET') {
    response.socket?.resetAndDestroy();
    return;
  }
  const isText = typeof reply.body === 'string';
  const body = isText ? reply.body : JSON.stringify(reply.body ?? {});
  response.writeHead(reply.status, { 'content-type': 'application/json' }).end(body);
}
