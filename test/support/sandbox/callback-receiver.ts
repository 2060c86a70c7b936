import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface ReceivedCallback {
  id: string;
  body: Record<string, unknown>;
}

export interface CallbackReceiver {
  url: string;
  /** Those accepted, in order of arrival; each was verified by the independent library. */
  accepted: ReceivedCallback[];
  /** Ids of those refused on order. */
  refused: string[];
  /** Answers 500 to so many of the next ones. */
  refuseNext(count: number): void;
  close(): Promise<void>;
}

/** Receives signed callbacks and fails them with 401 where `standardwebhooks` does not agree. */
export async function startCallbackReceiver(secret: string): Promise<CallbackReceiver> {
  const accepted: ReceivedCallback[] = [];
  const refused: string[] = [];
  let refusals = 0;
  const webhook = new Webhook(secret);
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const id = String(request.headers['webhook-id']);
      if (refusals > 0) {
        refusals -= 1;
        refused.push(id);
        response.writeHead(500).end();
        return;
      }
      try {
        const text = Buffer.concat(chunks).toString('utf8');
        const headers = request.headers as Record<string, string>;
        accepted.push({ id, body: webhook.verify(text, headers) as Record<string, unknown> });
        response.writeHead(202).end();
      } catch {
        response.writeHead(401).end();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callbacks`,
    accepted,
    refused,
    refuseNext(count) {
      refusals = count;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
