import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

interface KmsAnswer {
  readonly status: number;
  readonly body: object;
}

export interface KmsServer {
  readonly url: string;
  /** The operations that were asked for, in order. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** The JSON protocol of AWS KMS over HTTP. Where `answer` gives null, the question stays open. */
export async function startKmsServer(
  answer: (operation: string, body: Readonly<Record<string, unknown>>) => Promise<KmsAnswer | null>,
): Promise<KmsServer> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const operation = String(request.headers['x-amz-target']).replace('TrentService.', '');
    asked.push(operation);
    void json(request).then(async (given) => {
      const answered = await answer(operation, given as Record<string, unknown>);
      if (answered === null) return;
      response.writeHead(answered.status, { 'content-type': 'application/x-amz-json-1.1' });
      response.end(JSON.stringify(answered.body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    asked,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
