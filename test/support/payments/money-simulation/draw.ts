const MASK = (1n << 64n) - 1n;

/** A source of chance that draws the same from the same seed, on any machine. */
export interface Draw {
  /** A whole number, both ends included. */
  int(from: number, to: number): number;
  /** True in so many of a hundred. */
  chance(percent: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** One of the names, each as often as its weight says. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name;
}

/** Draws by splitmix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014). */
export function drawFrom(...seeds: readonly number[]): Draw {
  let state = seeds.reduce((mixed, seed) => scramble(mixed ^ BigInt(seed)), 0x9e37_79b9n);
  const next = (): bigint => {
    state = (state + 0x9e37_79b9_7f4a_7c15n) & MASK;
    return scramble(state);
  };
  const int = (from: number, to: number) => from + Number(next() % BigInt(to - from + 1));
  return {
    int,
    chance: (percent) => int(1, 100) <= percent,
    pick: (items) => items[int(0, items.length - 1)]!,
    weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name {
      const entries = Object.entries(weights) as [Name, number][];
      let left = int(
        1,
        entries.reduce((sum, [, weight]) => sum + weight, 0),
      );
      for (const [name, weight] of entries) {
        left -= weight;
        if (left <= 0) return name;
      }
      throw new Error('nothing to choose from');
    },
  };
}

function scramble(value: bigint): bigint {
  let mixed = value & MASK;
  mixed = ((mixed ^ (mixed >> 30n)) * 0xbf58_476d_1ce4_e5b9n) & MASK;
  mixed = ((mixed ^ (mixed >> 27n)) * 0x94d0_49bb_1331_11ebn) & MASK;
  return mixed ^ (mixed >> 31n);
}
