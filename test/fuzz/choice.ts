import fc from 'fast-check';
import { createRandom } from '../support/random.ts';

/** Seeded decisions: the same seed decides the same. */
export interface Choice {
  /** True in this share of cases, 0 to 1. */
  chance(share: number): boolean;
  /** A whole number from 0 up to, not including, `bound`. */
  below(bound: number): number;
  /** One of a list that is not empty. */
  pick<Item>(items: readonly Item[]): Item;
  /** A text that a regular expression takes; null where none can be made of it. */
  matching(pattern: string, maxLength: number): string | null;
}

export function createChoice(seed: number): Choice {
  const random = createRandom(seed);
  const below = (bound: number) => Math.floor(random() * bound);
  return {
    chance: (share) => random() < share,
    below,
    pick<Item>(items: readonly Item[]) {
      const item = items[below(items.length)];
      if (item === undefined && items.length === 0) throw new Error('there is nothing to pick of');
      return item as Item;
    },
    matching(pattern, maxLength) {
      try {
        const texts = fc.stringMatching(new RegExp(pattern, 'u'), { maxLength });
        return fc.sample(texts, { numRuns: 1, seed: below(2 ** 31) })[0] ?? null;
      } catch {
        // Not every pattern can be turned round.
        return null;
      }
    },
  };
}
