/** Does the work of several items in one go; answers one outcome an item, in their order. */
export type Flush<Item, Result> = (
  items: readonly Item[],
) => Promise<readonly PromiseSettledResult<Result>[]>;

/** Does an item's work together with what else waits in its lane. Rejects with the item's own error. */
export type Submit<Item, Result> = (lane: string, item: Item) => Promise<Result>;

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Larger batches gain little more, and one bad item costs all of them a second turn. */
const SIZE_MAX = 25;

/** A flush that takes longer, in ms, no longer holds up its lane: a lock or a dead connection holds it. */
const HOLD_UP_MAX_MS = 1_000;

/**
 * Gathers work that waits anyway: the first item of a lane is done at once and alone, what arrives
 * meanwhile goes into the next batch, and nothing ever waits for company. A lane has one batch under way
 * at a time, unless that takes longer than a second; lanes know nothing of each other. A flush that throws has done nothing, or its commit is unknown: then
 * each of its items is done again alone, side by side, while the lane goes on.
 */
export function createBatcher<Item, Result>(
  flush: Flush<Item, Result>,
  { sizeMax = SIZE_MAX, holdUpMaxMs = HOLD_UP_MAX_MS } = {},
): Submit<Item, Result> {
  const lanes = new Map<string, Waiting<Item, Result>[]>();

  async function flushAll(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    const outcomes = await flush(batch.map(({ item }) => item));
    if (outcomes.length !== batch.length) throw new Error('a flush answers one outcome an item');
    for (const [index, outcome] of outcomes.entries()) {
      const waiting = batch[index];
      if (outcome.status === 'fulfilled') waiting?.resolve(outcome.value);
      else waiting?.reject(outcome.reason);
    }
  }

  async function flushBatch(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      await flushAll(batch);
    } catch (error) {
      const [only, ...others] = batch;
      if (others.length === 0) only?.reject(error);
      else for (const one of batch) void flushBatch([one]);
    }
  }

  async function drain(lane: string, waiting: Waiting<Item, Result>[]): Promise<void> {
    while (waiting.length > 0) {
      await atMost(holdUpMaxMs, flushBatch(waiting.splice(0, sizeMax)));
    }
    lanes.delete(lane);
  }

  return (lane, item) =>
    new Promise((resolve, reject) => {
      const waiting = lanes.get(lane);
      if (waiting !== undefined) {
        waiting.push({ item, resolve, reject });
        return;
      }
      const begun = [{ item, resolve, reject }];
      lanes.set(lane, begun);
      void drain(lane, begun);
    });
}

/** Waits until work that never rejects has ended, `ms` at most. */
async function atMost(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const isOver = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, isOver]);
  clearTimeout(timer);
}
