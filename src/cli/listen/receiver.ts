import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PlainError } from '../../server/runtime/plain-error.ts';

/** Far more than an event has. */
const BODY_BYTES_MAX = 1_024 * 1_024;
const REQUEST_MS_MAX = 15_000;

/** A request as it arrived. */
export interface IncomingWebhook {
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, as they were written. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

export interface WebhookAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

interface ListeningReceiver {
  readonly port: number;
  /** Cuts what is still open. */
  close(): Promise<void>;
}

/**
 * Receives what is posted to one path of a port of this machine; anything else is answered 404 and not looked at.
 * Throws PlainError where the port is taken.
 */
export async function openReceiver(
  port: number,
  path: string,
  take: (webhook: IncomingWebhook) => Promise<WebhookAnswer>,
): Promise<ListeningReceiver> {
  const server = createServer({ requestTimeout: REQUEST_MS_MAX }, (request, response) => {
    receive(request, path, take).then(
      ({ status, headers = {}, body }) => response.writeHead(status, headers).end(body),
      // The sender has gone.
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'is in use' : `is refused (${error.code ?? ''})`;
      reject(
        new PlainError(`Port ${port} ${reason}. Give --port another port (0 picks a free port).`),
      );
    });
    server.listen({ port, host: '127.0.0.1', exclusive: true }, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function receive(
  request: IncomingMessage,
  path: string,
  take: (webhook: IncomingWebhook) => Promise<WebhookAnswer>,
): Promise<WebhookAnswer> {
  if (request.url !== path) return { status: 404, headers: { connection: 'close' } };
  if (request.method !== 'POST') return { status: 405, headers: { connection: 'close' } };
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) return { status: 413, headers: { connection: 'close' } };
    chunks.push(chunk);
  }
  const { headers, rawHeaders } = request;
  return take({ headers, rawHeaders, body: Buffer.concat(chunks) });
}
