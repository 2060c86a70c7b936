import { describe, expect, it } from 'vitest';
import { createBatcher } from '../../../src/db/client/batcher.ts';

type Outcomes = readonly PromiseSettledResult<string>[];

interface Flushed {
  /** Ends the flush; each item succeeds with `done <item>` unless told otherwise. */
  end(outcomes?: Outcomes): void;
  fail(): void;
}

const isDone = (item: string) => ({ status: 'fulfilled', value: `done ${item}` }) as const;

function createDeferred<Value>() {
  let resolve: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** A batcher of letters whose flushes last until the test ends them. */
function createHarness(options?: { readonly sizeMax?: number; readonly holdUpMaxMs?: number }) {
  const batches: string[] = [];
  const settled: string[] = [];
  const begun = new Map<string, ReturnType<typeof createDeferred<Flushed>>>();
  const beginOf = (letters: string) => {
    const known = begun.get(letters) ?? createDeferred<Flushed>();
    begun.set(letters, known);
    return known;
  };
  const submit = createBatcher<string, string>(
    (items) =>
      new Promise((resolve, reject) => {
        const letters = items.join('');
        batches.push(letters);
        beginOf(letters).resolve({
          end: (outcomes: Outcomes = items.map(isDone)) => {
            resolve(outcomes);
          },
          fail: () => {
            reject(new Error(`lost ${letters}`));
          },
        });
      }),
    options,
  );
  return {
    /** What was flushed together, in the order of the beginnings. */
    batches,
    /** What the items came to, in the order in which they did. */
    settled,
    /** The flush of exactly these letters, once it has begun. */
    flushOf: (letters: string) => beginOf(letters).promise,
    /** Submits each letter as an item of its own; resolves once all of them are settled. */
    submit: (letters: string, batchKey = 'batchKey') =>
      Promise.all(
        Array.from(letters, async (item) => {
          try {
            settled.push(await submit(batchKey, item));
          } catch (error) {
            settled.push(String(error));
          }
        }),
      ),
  };
}

describe('a batch key', () => {
  it('does its first item at once and alone, then together what waited, in order', async () => {
    const { batches, settled, flushOf, submit } = createHarness();
    const first = submit('abc');
    expect(batches).toEqual(['a']);
    const last = submit('d');
    (await flushOf('a')).end();
    (await flushOf('bcd')).end();
    await Promise.all([first, last]);
    expect(settled).toEqual(['done a', 'done b', 'done c', 'done d']);
    expect(batches).toEqual(['a', 'bcd']);
  });

  it('does the next item at once and alone again when nothing has waited', async () => {
    const { batches, flushOf, submit } = createHarness();
    const first = submit('a');
    (await flushOf('a')).end();
    await first;
    void submit('bc');
    expect(batches).toEqual(['a', 'b']);
  });

  it('takes at most 25 items at a time', async () => {
    const { batches, settled, flushOf, submit } = createHarness();
    const [second, third] = ['bcdefghijklmnopqrstuvwxyz', 'ABCD'];
    const all = submit(`a${second}${third}`);
    (await flushOf('a')).end();
    (await flushOf(second)).end();
    (await flushOf(third)).end();
    await all;
    expect(second).toHaveLength(25);
    expect(batches).toEqual(['a', second, third]);
    expect(settled).toEqual(Array.from(`a${second}${third}`, (item) => `done ${item}`));
  });

  it('takes at most as many as it is told', async () => {
    const { batches, flushOf, submit } = createHarness({ sizeMax: 2 });
    void submit('abcd');
    (await flushOf('a')).end();
    (await flushOf('bc')).end();
    await flushOf('d');
    expect(batches).toEqual(['a', 'bc', 'd']);
  });

  it('does not wait for another', async () => {
    const { batches, settled, flushOf, submit } = createHarness();
    void submit('ab', 'one');
    const other = submit('cd', 'other');
    expect(batches).toEqual(['a', 'c']);
    (await flushOf('c')).end();
    (await flushOf('d')).end();
    await other;
    expect(settled).toEqual(['done c', 'done d']);
    expect(batches).toEqual(['a', 'c', 'd']);
  });
});

describe('a flush that throws', () => {
  it('rejects an item that was alone with what it threw, and the batch key goes on', async () => {
    const { settled, flushOf, submit } = createHarness();
    const both = submit('ab');
    (await flushOf('a')).fail();
    (await flushOf('b')).end();
    await both;
    expect(settled).toEqual(['Error: lost a', 'done b']);
  });

  it('does each of its items again alone, side by side, while the batch key goes on', async () => {
    const { batches, settled, flushOf, submit } = createHarness();
    const first = submit('abcd');
    (await flushOf('a')).end();
    const lost = await flushOf('bcd');
    const later = submit('ef');
    lost.fail();
    // The batch key goes on although none of those who are alone has ended, and they end in any order.
    (await flushOf('ef')).end();
    await later;
    (await flushOf('d')).end();
    (await flushOf('c')).fail();
    (await flushOf('b')).end();
    await first;
    expect(batches.toSorted()).toEqual(['a', 'b', 'bcd', 'c', 'd', 'ef']);
    const expected = ['done a', 'done e', 'done f', 'done d', 'Error: lost c', 'done b'];
    expect(settled).toEqual(expected);
  });

  it('is the same as one that answers another number of outcomes', async () => {
    const { settled, flushOf, submit } = createHarness();
    const all = submit('abc');
    (await flushOf('a')).end();
    (await flushOf('bc')).end([isDone('b')]);
    (await flushOf('b')).end();
    (await flushOf('c')).end([]);
    await all;
    expect(settled).toEqual(['done a', 'done b', 'Error: a flush answers one outcome an item']);
  });
});

describe('a rejection of one item', () => {
  it('concerns that item alone, and nothing is done again', async () => {
    const { batches, settled, flushOf, submit } = createHarness();
    const all = submit('abcd');
    (await flushOf('a')).end();
    const refused = { status: 'rejected', reason: new Error('refused') } as const;
    (await flushOf('bcd')).end([isDone('b'), refused, isDone('d')]);
    await all;
    expect(settled).toEqual(['done a', 'done b', 'Error: refused', 'done d']);
    expect(batches).toEqual(['a', 'bcd']);
  });
});

describe('a flush that takes too long', () => {
  it('no longer holds up its batch key, and is answered when it ends', async () => {
    const { batches, settled, flushOf, submit } = createHarness({ holdUpMaxMs: 1 });
    const held = submit('a');
    const hanging = await flushOf('a');
    const behind = submit('bc');
    (await flushOf('bc')).end();
    await behind;
    expect(settled).toEqual(['done b', 'done c']);
    hanging.end();
    await held;
    expect(settled).toEqual(['done b', 'done c', 'done a']);
    expect(batches).toEqual(['a', 'bc']);
  });
});
