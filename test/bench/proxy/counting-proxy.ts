import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { RunScope } from '../scope.ts';
import { createFrontendReader } from './frontend-reader.ts';
import { createTransactionReader, type Transaction } from './transaction-reader.ts';

/** Stands between an engine and PostgreSQL and writes down the transactions. */
export interface CountingProxy {
  /** The server's URL, by way of the proxy. */
  readonly url: string;
  /** What has ended since the last call. */
  takeTransactions(): Transaction[];
}

/** Starts a proxy in front of a server; it ends with the scope. */
export async function startCountingProxy(
  scope: RunScope,
  serverUrl: string,
): Promise<CountingProxy> {
  const address = new URL(serverUrl);
  const open = new Set<Socket>();
  let transactions: Transaction[] = [];

  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ port: Number(address.port), host: address.hostname, noDelay: true });
    const read = createFrontendReader(
      createTransactionReader((transaction) => transactions.push(transaction)),
    );
    client.on('data', read);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(one);
      one.pipe(other);
      // The end of one side is the end of both, whichever way it comes.
      one.on('error', () => other.destroy());
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  scope.defer(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  );

  const proxied = new URL(serverUrl);
  proxied.host = `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return {
    url: proxied.href,
    takeTransactions() {
      const taken = transactions;
      transactions = [];
      return taken;
    },
  };
}
