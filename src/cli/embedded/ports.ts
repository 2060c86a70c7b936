import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { PlainError } from '../../server/runtime/plain-error.ts';

const LOOPBACK = '127.0.0.1';
const ATTEMPTS_MAX = 200;
/**
 * Below the ports that Linux (from 32768) and macOS (from 49152) give to outgoing connections. What is
 * free among those may be some program's own end of a connection before we listen on it, and then stay
 * taken for as long as that lasts.
 */
const LOWEST_PORT = 20_000;
const PORT_COUNT = 12_000;
// Picked at random, one may come up twice while no process listens on it yet.
const handedOut = new Set<number>();

/** A TCP port that is free on the loopback address and was not given to this process before. */
export async function freePort(): Promise<number> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const port = LOWEST_PORT + randomInt(PORT_COUNT);
    if (handedOut.has(port)) continue;
    handedOut.add(port);
    if (await isFree(port)) return port;
  }
  throw new PlainError(`No free TCP port was found on ${LOOPBACK}.`);
}

async function isFree(port: number): Promise<boolean> {
  try {
    await listenOnce(port);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
}

/**
 * Checks that no process listens on `port` of the loopback address.
 * @param what the part that wants the port, as a person would call it.
 * @param variable the environment variable that moves it.
 * @throws PlainError naming all three.
 */
export async function assertPortFree(port: number, what: string, variable: string): Promise<void> {
  try {
    await listenOnce(port);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason =
      code === 'EADDRINUSE' ? 'is in use by another program' : `is refused (${code ?? 'no code'})`;
    throw new PlainError(
      `Port ${port}, wanted for ${what}, ${reason}. ` +
        `Free it, or set ${variable} to another port (0 picks a free port).`,
    );
  }
}

/** Runs a start on a free port again, twice at most, where another program was quicker to take it. */
export async function retryLostPort<T>(start: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start();
    } catch (error) {
      const isLost = error instanceof Error && /address already in use/i.test(error.message);
      if (!isLost || attempt === 3) throw error;
    }
  }
}

function listenOnce(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host: LOOPBACK, exclusive: true }, () => {
      server.close(() => resolve());
    });
  });
}
