import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { PlainError } from '../../server/runtime/plain-error.ts';
import type { SupervisedChild } from '../embedded/child.ts';

/** Where a part says that it is ready, and the URL whose host it wants to be asked under. */
interface ReadyPlace {
  readonly url: string;
  readonly named?: string;
}

type Part = Pick<SupervisedChild, 'deaths' | 'lastWords'>;

/** For all places together, on a machine that may do much else meanwhile. */
const READY_TIMEOUT_MS = 120_000;
/** A part may die of what another one, still starting, has not done yet; not over and over. */
const DEATHS_MAX = 2;
const LOST_PORT = /address already in use/i;

/**
 * Waits until every place answers with 200.
 * @param parts the processes behind them, by name.
 * @throws PlainError when a part dies again and again, at once when its port is taken, or when a place
 *   does not answer within two minutes.
 */
export async function untilReady(
  places: readonly ReadyPlace[],
  parts: ReadonlyMap<string, Part>,
): Promise<void> {
  const until = Date.now() + READY_TIMEOUT_MS;
  for (const { url, named = url } of places) {
    while (!(await answers(url, new URL(named).host))) {
      for (const [name, part] of parts) assertAlive(name, part);
      if (Date.now() > until) {
        throw new PlainError(
          `${url} did not answer within two minutes. See the logs folder of the data folder.`,
        );
      }
      await pause(100);
    }
  }
}

async function answers(url: string, host: string): Promise<boolean> {
  const answer = await request(url, { headersTimeout: 2_000, headers: { host } }).catch(() => null);
  await answer?.body.dump();
  return answer?.statusCode === 200;
}

function assertAlive(name: string, part: Part): void {
  const words = part.lastWords().join('\n');
  if (part.deaths() <= DEATHS_MAX && !LOST_PORT.test(words)) return;
  throw new PlainError(`The ${name} did not start. Its last output:\n${words}`);
}
