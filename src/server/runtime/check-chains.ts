import { setTimeout as pause } from 'node:timers/promises';
import { checkNetwork } from '../../adapters/evm/check-network.ts';
import type { NetworkProblem } from '../../adapters/evm/network-problem.ts';
import type { ChainPlace } from '../../domain/onchain/network.ts';
import type { NetworkSetup } from '../../domain/onchain/network-setup.ts';
import { ENVIRONMENTS, type Environment } from '../../domain/scope.ts';
import { PlainError } from './plain-error.ts';
import type { Resources } from './resources.ts';

/** Until nodes that did not answer are asked again. */
const RETRY_MS = 5_000;

/** Which networks nodes and settings agree about. */
export interface CheckedChains {
  /** False where they contradict each other, and until the nodes have answered. */
  isOpen(place: ChainPlace): boolean;
  /** Ends the checks that are still to be repeated. */
  close(): Promise<void>;
}

/**
 * Holds every network's settings against what its nodes say, before anything is signed. One of test that
 * they contradict is in the log and stays closed; nodes that cannot be read are asked again until they
 * can, while the others work. Throws PlainError for a network of live whose nodes contradict it.
 */
export async function checkChains(
  { config, log }: Pick<Resources, 'config' | 'log'>,
  retryMs = RETRY_MS,
): Promise<CheckedChains> {
  const open = new Set<string>();
  const stopping = new AbortController();
  const { signal } = stopping;

  /** Answers what is wrong; null where nodes have to be asked again. */
  async function check(place: ChainPlace, setup: NetworkSetup): Promise<NetworkProblem[] | null> {
    const { environment } = place;
    const problems = await checkNetwork({ environment, ...setup }, { pause: (ms) => pause(ms) });
    const wrong = problems.filter(({ kind }) => kind === 'WRONG');
    if (problems.length === 0) open.add(keyOf(place));
    for (const { kind, network, field, problem } of problems) {
      const facts = { environment, network, field, problem };
      if (kind === 'WRONG') log.error(facts, 'network closed: its nodes contradict each other');
      else log.warn(facts, 'network closed until its nodes answer');
    }
    return wrong.length === 0 && problems.length > 0 ? null : wrong;
  }

  async function checkUntilRead(place: ChainPlace, setup: NetworkSetup): Promise<void> {
    do {
      await pause(retryMs, undefined, { signal }).catch(() => undefined);
    } while (!signal.aborted && (await check(place, setup)) === null);
  }

  const all = ENVIRONMENTS.flatMap((environment) =>
    config.chain[environment].map((setup) => ({
      ...{ place: { environment, network: setup.network }, setup },
    })),
  );
  const found = await Promise.all(all.map(({ place, setup }) => check(place, setup)));
  refuseWrong('live', found.flat());
  const later = all.filter((_one, index) => found[index] === null);
  const repeated = later.map(({ place, setup }) => checkUntilRead(place, setup));
  return {
    isOpen: (place) => open.has(keyOf(place)),
    async close() {
      stopping.abort();
      await Promise.all(repeated);
    },
  };
}

function refuseWrong(refused: Environment, problems: readonly (NetworkProblem | null)[]): void {
  const lines = problems.flatMap((one) =>
    one?.environment === refused ? [`${one.network}: ${one.field} ${one.problem}`] : [],
  );
  if (lines.length === 0) return;
  throw new PlainError(`The nodes of ${refused} contradict its networks:\n${lines.join('\n')}`);
}

const keyOf = ({ environment, network }: ChainPlace): string => `${environment}/${network}`;
