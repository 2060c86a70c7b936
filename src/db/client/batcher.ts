/** Does the work of several items in one go; answers one outcome an item, in their order. */
type Flush<Item, Result> = (
  items: readonly Item[],
) => Promise<readonly PromiseSettledResult<Result>[]>;

/** Does an item's work together with what else waits in its batch key. Rejects with the item's own error. */
type Submit<Item, Result> = (batchKey: string, item: Item) => Promise<Result>;

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Larger batches gain little more, and one bad item costs all of them a second turn. */
const SIZE_MAX = 25;

/** A flush that takes longer, in ms, no longer holds up its batch key: a lock or a dead connection holds it. */
const HOLD_UP_MAX_MS = 1_000;

/**
 * Gathers work that waits anyway: the first item of a batch key is done at once and alone, what arrives
 * meanwhile goes into the next batch, and nothing ever waits for company. A batch key has one batch under way
 * at a time, unless that takes longer than a second; batch keys know nothing of each other. A flush that
 * throws has done nothing, or its commit is unknown: then each of its items is done again alone, side by
 * side, while the batch key goes on.
 */
export function createBatcher<Item, Result>(
  flush: Flush<Item, Result>,
  { sizeMax = SIZE_MAX, holdUpMaxMs = HOLD_UP_MAX_MS } = {},
): Submit<Item, Result> {
  const batchKeys = new Map<string, Waiting<Item, Result>[]>();

  /** Takes the batch key's next batch, or closes the batch key. */
  function goOn(batchKey: string, waiting: Waiting<Item, Result>[]): void {
    const batch = waiting.splice(0, sizeMax);
    if (batch.length === 0) {
      batchKeys.delete(batchKey);
      return;
    }
    let isHeld = true;
    const free = (): void => {
      clearTimeout(timer);
      if (!isHeld) return;
      isHeld = false;
      goOn(batchKey, waiting);
    };
    const timer = setTimeout(free, holdUpMaxMs);
    void flushTogether(batch, free);
  }

  /** `free` is called once the batch key need not wait any longer, before any item hears of its outcome. */
  async function flushTogether(
    batch: readonly Waiting<Item, Result>[],
    free: () => void,
  ): Promise<void> {
    try {
      const outcomes = await flush(batch.map(({ item }) => item));
      if (outcomes.length !== batch.length) throw new Error('a flush answers one outcome an item');
      free();
      for (const [index, { resolve, reject }] of batch.entries()) {
        const outcome = outcomes[index];
        if (outcome?.status === 'fulfilled') resolve(outcome.value);
        else reject(outcome?.reason);
      }
    } catch (error) {
      free();
      const [only, ...others] = batch;
      if (others.length === 0) only?.reject(error);
      else for (const one of batch) void flushTogether([one], () => undefined);
    }
  }

  return (batchKey, item) =>
    new Promise((resolve, reject) => {
      const waiting = batchKeys.get(batchKey);
      if (waiting !== undefined) {
        waiting.push({ item, resolve, reject });
        return;
      }
      const begun = [{ item, resolve, reject }];
      batchKeys.set(batchKey, begun);
      goOn(batchKey, begun);
    });
}
