import type { ChainDeps } from '../../../src/modules/onchain/chain-deps.ts';
import { createChainMemory } from '../../../src/modules/onchain/chain-memory.ts';
import type { AnyTransaction } from '../../../src/db/client/database.ts';
import type { SignerHarness } from './signer-harness.ts';

class Killed extends Error {}

export type KilledWhen = 'BEFORE' | 'AFTER';

/** The same parts, of which one ends the process at its n-th effect: before it, or right after it. */
function killedAt(deps: ChainDeps, effect: number, when: KilledWhen): Partial<ChainDeps> {
  let effects = 0;
  const orDie = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    effects += 1;
    if (effects === effect && when === 'BEFORE') throw new Killed();
    const result = await work();
    if (effects === effect) throw new Killed();
    return result;
  };
  return {
    db: {
      ...deps.db,
      system: (work) => orDie(() => deps.db.system(work)),
      write: (scope, work, options) => orDie(() => deps.db.write(scope, work, options)),
    },
    nodes: { ...deps.nodes, broadcast: (raws) => orDie(() => deps.nodes.broadcast(raws)) },
    signerOf(address) {
      const signer = deps.signerOf(address);
      return signer && { address, sign: (unsigned) => orDie(() => signer.sign(unsigned)) };
    },
  };
}

/**
 * The same parts, of which one ends the process right after its n-th effect: a transaction that wrote something, a
 * signature, a broadcast or a wake. Nothing outside the process changes between two of them: what is there after one is
 * what is there before the next.
 */
function killedAfter(
  deps: ChainDeps,
  effect: number,
): { readonly parts: Partial<ChainDeps>; isDead(): boolean } {
  let effects = 0;
  async function counted<Result>(
    work: () => Promise<Result>,
    isEffect = (): boolean => true,
  ): Promise<Result> {
    // Not even what catches every error goes on.
    if (effects >= effect) throw new Killed();
    const result = await work();
    if (isEffect()) effects += 1;
    if (effects >= effect) throw new Killed();
    return result;
  }
  /** PostgreSQL gives a number to each transaction that writes. */
  async function countedIfWritten<Transaction extends AnyTransaction, Result>(
    transact: (work: (tx: Transaction) => Promise<Result>) => Promise<Result>,
    work: (tx: Transaction) => Promise<Result>,
  ): Promise<Result> {
    let isWritten = false;
    const watched = async (tx: Transaction): Promise<Result> => {
      const result = await work(tx);
      const sql = 'SELECT pg_current_xact_id_if_assigned() IS NOT NULL AS is';
      isWritten = (await tx.query<{ is: boolean }>(sql))[0]?.is === true;
      return result;
    };
    return counted(
      () => transact(watched),
      () => isWritten,
    );
  }
  const { db, nodes, workflows } = deps;
  const parts: Partial<ChainDeps> = {
    // A process that begins remembers nothing.
    memory: createChainMemory(),
    db: {
      ...db,
      system: (work) => countedIfWritten((watched) => db.system(watched), work),
      write: (scope, work, options) =>
        countedIfWritten((watched) => db.write(scope, watched, options), work),
    },
    nodes: { ...nodes, broadcast: (raws) => counted(() => nodes.broadcast(raws)) },
    signerOf(address) {
      const signer = deps.signerOf(address);
      return signer && { address, sign: (unsigned) => counted(() => signer.sign(unsigned)) };
    },
    workflows: {
      wakePayment: (...woken) => counted(() => workflows.wakePayment(...woken)),
    },
  };
  return { parts, isDead: () => effects >= effect };
}

/** A poll cycle that ends there. Whether it came to its end before the effect at which it was to be killed. */
export async function pollKilledAt(
  { deps, poll }: Pick<SignerHarness, 'deps' | 'poll'>,
  effect: number,
  when: KilledWhen,
): Promise<boolean> {
  return (await orKilled(() => poll(killedAt(deps, effect, when)))) !== null;
}

/** The same after the effect, of those that leave something behind. */
export async function pollKilledAfter(
  { deps, poll }: Pick<SignerHarness, 'deps' | 'poll'>,
  effect: number,
): Promise<boolean> {
  const { parts, isDead } = killedAfter(deps, effect);
  await orKilled(() => poll(parts));
  return !isDead();
}

async function orKilled<Result>(work: () => Promise<Result>): Promise<Result | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Killed) return null;
    throw error;
  }
}
