import { createServer } from 'node:net';
import { PlainError } from '../../runtime/plain-error.ts';

const LOOPBACK = '127.0.0.1';
const ATTEMPTS_MAX = 50;
// The system may hand out the same port twice while no process listens on it yet.
const handedOut = new Set<number>();

/** A TCP port that is free on the loopback address and was not given to this process before. */
export async function freePort(): Promise<number> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const port = await listenOnce(0);
    if (handedOut.has(port)) continue;
    handedOut.add(port);
    return port;
  }
  throw new PlainError(`No free TCP port was found on ${LOOPBACK}.`);
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
        `Free it, or set ${variable} to another port (0 picks a free one).`,
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

function listenOnce(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host: LOOPBACK, exclusive: true }, () => {
      const address = server.address();
      const bound = typeof address === 'object' && address !== null ? address.port : port;
      server.close(() => resolve(bound));
    });
  });
}
