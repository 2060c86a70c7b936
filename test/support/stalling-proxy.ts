import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface StallingProxy {
  /** The address given to `startStallingProxy`, by way of this proxy. */
  readonly url: string;
  /** From now on no byte goes either way: connections stand, and new ones are taken and left alone. */
  stall(): void;
  /** Hands on what has waited, and all that comes. */
  resume(): void;
  close(): Promise<void>;
}

/** A TCP proxy in front of a server that can turn into a black hole, as a lost network route is. */
export async function startStallingProxy(target: string): Promise<StallingProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isStalled = false;
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => to.write(bytes));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      if (isStalled) from.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  // A database of the tests is reached by its socket file otherwise.
  url.searchParams.delete('host');
  url.host = `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return {
    url: url.href,
    stall() {
      isStalled = true;
      for (const socket of sockets) socket.pause();
    },
    resume() {
      isStalled = false;
      for (const socket of sockets) socket.resume();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
