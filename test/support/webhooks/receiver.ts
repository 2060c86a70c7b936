import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface Received {
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly contentType: string | undefined;
  readonly body: string;
  readonly path: string;
}

export interface Receiver {
  readonly url: string;
  readonly port: number;
  /** Every complete request, in the order of arrival. */
  readonly received: Received[];
  /** What the next requests are answered with; 204 unless told. */
  answer: (request: Received, response: ServerResponse) => void;
  /** Checks all that was received with the independent library; throws on a bad signature. */
  verifyAll(secret: string): void;
  close(): Promise<void>;
}

/** A partner's webhook receiver on loopback. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const text = (name: string) => String(request.headers[name]);
      const one: Received = {
        id: text('webhook-id'),
        timestamp: text('webhook-timestamp'),
        signature: text('webhook-signature'),
        contentType: request.headers['content-type'],
        body,
        path: request.url ?? '',
      };
      received.push(one);
      receiver.answer(one, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${String(port)}/hooks`,
    port,
    received,
    answer: (_request, response) => response.writeHead(204).end(),
    verifyAll(secret) {
      const webhook = new Webhook(secret);
      for (const one of received) {
        webhook.verify(one.body, {
          'webhook-id': one.id,
          'webhook-timestamp': one.timestamp,
          'webhook-signature': one.signature,
        });
      }
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
