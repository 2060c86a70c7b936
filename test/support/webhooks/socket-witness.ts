import { createServer, Socket, type AddressInfo } from 'node:net';
import { vi } from 'vitest';

/** Two witnesses of connections: a listener on every address of this machine, and what the process dials. */
export interface SocketWitness {
  /** Of the listener. */
  readonly port: number;
  /** Connections that the listener has taken. */
  accepted(): number;
  /** Addresses dialled at the listener's port or at 443, in order. */
  readonly dialled: string[];
  close(): Promise<void>;
}

/** Starts them. One at a time: it puts itself in the place of the sockets' own `connect`. */
export async function startSocketWitness(): Promise<SocketWitness> {
  let accepted = 0;
  const server = createServer((socket) => {
    accepted += 1;
    socket.destroy();
  });
  // Without a host: all addresses of both families, where the machine has both.
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  const dialled: string[] = [];
  const connect = Socket.prototype.connect as (this: Socket, ...args: unknown[]) => Socket;
  const spy = vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (
    this: Socket,
    ...args: unknown[]
  ) {
    // Emitted by Node right before each address is dialled.
    this.on('connectionAttempt', (ip: string, to: number) => {
      if (to === port || to === 443) dialled.push(ip);
    });
    return connect.apply(this, args);
  });
  return {
    port,
    dialled,
    accepted: () => accepted,
    async close() {
      spy.mockRestore();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
