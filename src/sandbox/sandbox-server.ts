import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { SandboxLog } from './sandbox-log.ts';

/** Also of a batch of questions about the events of hundreds of addresses. */
const BODY_BYTES_MAX = 1024 * 1024;
/** Of what is no JSON: a picture or PDF. */
const FILE_BYTES_MAX = 10 * 1024 * 1024;
const FILE_TYPE = /^(image\/|application\/pdf)/;
/** A hung request ends by itself at last, or forgotten ones would pile up. */
const HANG_MS_MAX = 120_000;
/** Longer than a caller lets a connection rest, which would else be closed just as a request is sent on it. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;

export interface SandboxRequest {
  readonly method: string;
  /** The path without its leading slash, split at the slashes. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  /** Bytes where a picture or PDF was sent, else JSON. */
  readonly body: unknown;
  readonly headers: IncomingHttpHeaders;
}

/** DROP closes the connection without an answer; HANG keeps it open and says nothing. */
export type SandboxReply =
  | { readonly kind: 'JSON'; readonly status: number; readonly body: unknown }
  | {
      readonly kind: 'TEXT';
      readonly status: number;
      readonly contentType: string;
      readonly chunks: Iterable<string>;
    }
  | { readonly kind: 'DROP' }
  | { readonly kind: 'HANG' };

export type SandboxHandler = (request: SandboxRequest) => Promise<SandboxReply>;

export interface SandboxServer {
  /** Port 0 takes a free one. Resolves to the URL, which has no slash at its end. */
  listen(port: number, host?: string): Promise<string>;
  readonly url: string;
  close(): Promise<void>;
}

/** A request that the caller must correct: answered with its status and the field's name. */
export class BadInput extends Error {
  readonly status: 400 | 422;
  readonly field: string;
  constructor(status: 400 | 422, field: string, message: string) {
    super(message);
    this.status = status;
    this.field = field;
  }
}

export function answerJson(status: number, body: unknown): SandboxReply {
  return { kind: 'JSON', status, body };
}

export const NOT_FOUND = answerJson(404, { error: 'not_found', message: 'Not found.' });

/** Serves one handler over plain HTTP; made for loopback, as the sandbox has no credentials. */
export function createSandboxServer(handle: SandboxHandler, log: SandboxLog): SandboxServer {
  let url: string | null = null;
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS }, (request, response) => {
    exchange(request, response).catch((error: unknown) => {
      log.warn({ reason: String(error) }, 'Sandbox: request failed');
      response.destroy();
    });
  });

  async function exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let reply: SandboxReply;
    try {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://sandbox');
      reply = await handle({
        method: request.method ?? 'GET',
        path: pathname.slice(1).split('/'),
        query: searchParams,
        body: await readBody(request),
        headers: request.headers,
      });
    } catch (error) {
      reply = answerError(error, log);
    }
    await write(response, reply);
  }

  return {
    async listen(port, host = '127.0.0.1') {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          server.off('error', reject);
          resolve();
        });
      });
      const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
      url = `http://${reachable}:${(server.address() as AddressInfo).port}`;
      return url;
    },
    get url() {
      if (url === null) throw new Error('the sandbox server does not listen yet');
      return url;
    },
    async close() {
      if (!server.listening) return;
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const isFile = FILE_TYPE.test(request.headers['content-type'] ?? '');
  const bytesMax = isFile ? FILE_BYTES_MAX : BODY_BYTES_MAX;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // Read on without keeping it: leaving the loop would reset the connection before the answer.
    if (bytes <= bytesMax) chunks.push(chunk);
  }
  if (bytes > bytesMax) throw new BadInput(400, 'body', `the body is over ${bytesMax} bytes`);
  if (isFile) return Buffer.concat(chunks);
  if (bytes === 0) return undefined;
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new BadInput(400, 'body', 'the body is not JSON');
  }
}

function answerError(error: unknown, log: SandboxLog): SandboxReply {
  if (error instanceof BadInput) {
    const { status, field, message } = error;
    return answerJson(status, { error: 'invalid_field', field, message });
  }
  log.warn({ reason: String(error) }, 'Sandbox: request failed');
  return answerJson(500, { error: 'internal_error', message: 'Internal error of the sandbox.' });
}

async function write(response: ServerResponse, reply: SandboxReply): Promise<void> {
  switch (reply.kind) {
    case 'JSON':
      response.writeHead(reply.status, { 'content-type': 'application/json; charset=utf-8' });
      response.end(JSON.stringify(reply.body));
      return;
    case 'TEXT':
      response.writeHead(reply.status, {
        'content-type': reply.contentType,
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
        'x-content-type-options': 'nosniff',
      });
      await pipeline(Readable.from(reply.chunks), response);
      return;
    case 'DROP':
      response.destroy();
      return;
    case 'HANG': {
      const ending = setTimeout(() => response.destroy(), HANG_MS_MAX);
      response.once('close', () => clearTimeout(ending));
    }
  }
}
