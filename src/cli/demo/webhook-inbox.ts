import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly resource: { readonly id: string; readonly version: number };
}

export interface WebhookInbox {
  readonly url: string;
  /** The secret arrives with the endpoint's creation; until then everything is refused. */
  trust(secret: string): void;
  /** Events whose signature the independent package has verified. */
  readonly events: readonly ReceivedEvent[];
  /** Why messages were refused. */
  readonly refusals: readonly string[];
  close(): Promise<void>;
}

/** A partner's webhook receiver: verifies with the `standardwebhooks` package, not with our own code. */
export async function openInbox(): Promise<WebhookInbox> {
  const events: ReceivedEvent[] = [];
  const refusals: string[] = [];
  let webhook: Webhook | null = null;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      try {
        if (webhook === null) throw new Error('no secret yet');
        const headers = request.headers as Record<string, string>;
        const event = webhook.verify(Buffer.concat(chunks).toString(), headers);
        events.push(event as ReceivedEvent);
        response.writeHead(204).end();
      } catch (error) {
        refusals.push(error instanceof Error ? error.message : 'unknown');
        response.writeHead(401).end();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}/webhooks`,
    trust: (secret) => {
      webhook = new Webhook(secret);
    },
    events,
    refusals,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}
