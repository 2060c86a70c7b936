import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

export interface HangingServer {
  readonly url: string;
  /** Connections that were made so far. */
  readonly opened: () => number;
  /** Connections that the caller has given up so far. */
  readonly givenUp: () => number;
  close(): Promise<void>;
}

/** A server on loopback that takes every connection and never answers. */
export async function startHangingServer(): Promise<HangingServer> {
  const sockets = new Set<Socket>();
  let givenUp = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => (givenUp += 1));
    socket.resume();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    opened: () => sockets.size,
    givenUp: () => givenUp,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
