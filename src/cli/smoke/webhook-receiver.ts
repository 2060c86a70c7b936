import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

interface SmokeEvent {
  readonly id: string;
  readonly type: string;
  readonly resource: { readonly id: string; readonly version: number };
}

/** Receives webhooks on loopback and verifies them with the independent package. */
export interface WebhookReceiver {
  readonly port: number;
  /** The secret arrives with the endpoint's creation; until then all is refused. */
  trust(secret: string): void;
  readonly events: readonly SmokeEvent[];
  /** How many were not genuine. */
  refused(): number;
  close(): Promise<void>;
}

/** Far more than an event has. */
const BODY_BYTES_MAX = 256 * 1_024;

/** Listens on 127.0.0.1; port 0 picks a free one. Throws what Node throws where the port is taken. */
export async function openWebhookReceiver(port: number): Promise<WebhookReceiver> {
  const events: SmokeEvent[] = [];
  let refused = 0;
  let webhook: Webhook | null = null;

  async function take(request: IncomingMessage): Promise<number> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > BODY_BYTES_MAX) return 413;
      chunks.push(chunk);
    }
    try {
      if (webhook === null) return 401;
      const headers = request.headers as Record<string, string>;
      events.push(webhook.verify(Buffer.concat(chunks).toString(), headers) as SmokeEvent);
      return 204;
    } catch {
      refused += 1;
      return 401;
    }
  }

  const server = createServer((request, response) => {
    take(request).then(
      (status) => response.writeHead(status).end(),
      // The sender has gone.
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: '127.0.0.1', exclusive: true }, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    trust: (secret) => (webhook = new Webhook(secret)),
    events,
    refused: () => refused,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
