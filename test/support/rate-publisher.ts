import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RatePublisher {
  readonly url: string;
  /** What is answered from now on: a document, or anything else that a server may do. */
  answer(behaviour: string | RequestListener): void;
  close(): Promise<void>;
}

/** A server on loopback that publishes a document of rates, rightly or not. */
export async function startRatePublisher(document: string): Promise<RatePublisher> {
  let behaviour: string | RequestListener = document;
  const server = createServer((request, response) => {
    response.on('error', () => undefined);
    if (typeof behaviour === 'string') response.end(behaviour);
    else behaviour(request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}/rates`,
    answer(next) {
      behaviour = next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
