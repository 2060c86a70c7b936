import type { ChainDeps } from '../../../src/chain/chain-deps.ts';
import type { LaneHarness } from './lane-harness.ts';

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
    nodes: { ...deps.nodes, broadcast: (raw) => orDie(() => deps.nodes.broadcast(raw)) },
    signerOf(address) {
      const signer = deps.signerOf(address);
      return signer && { address, sign: (unsigned) => orDie(() => signer.sign(unsigned)) };
    },
  };
}

/** A tick that ends there. Whether it came to its end before the effect at which it was to be killed. */
export async function tickKilledAt(
  { deps, tick }: Pick<LaneHarness, 'deps' | 'tick'>,
  effect: number,
  when: KilledWhen,
): Promise<boolean> {
  try {
    await tick(killedAt(deps, effect, when));
    return true;
  } catch (error) {
    if (error instanceof Killed) return false;
    throw error;
  }
}
