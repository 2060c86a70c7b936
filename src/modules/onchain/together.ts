import type { ChainDeps } from './chain-deps.ts';
import { pastFault } from './past-fault.ts';

/**
 * Does work about several things of a network together. Where an error of ours is met, which `pastFault` tells, it is done
 * about each alone: one that is not as it must be keeps no other from its turn. Throws as `pastFault` does.
 */
export async function together<Item>(
  deps: Pick<ChainDeps, 'onFault' | 'signal'>,
  items: readonly Item[],
  nameOf: (item: Item) => string,
  work: (items: readonly Item[]) => Promise<unknown>,
): Promise<void> {
  const [first] = items;
  if (first === undefined) return;
  const isDone = await pastFault(deps, nameOf(first), async () => {
    await work(items);
    return true;
  });
  if (isDone !== null || items.length === 1) return;
  for (const item of items) await pastFault(deps, nameOf(item), () => work([item]));
}
