/** A pseudo-random generator with a seed, so that a failure can be run again (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export type Random = () => number;

export const pick = <Item>(random: Random, items: readonly Item[] | string): Item =>
  items[Math.floor(random() * items.length)] as Item;

export const digits = (random: Random, length: number): string =>
  Array.from({ length }, () => pick<string>(random, '0123456789')).join('');

/** One digit replaced by another. */
export function mistype(random: Random, text: string): string {
  const places = [...text.matchAll(/[0-9]/g)].map(({ index }) => index);
  const at = pick<number>(random, places);
  const other = pick<string>(random, '0123456789'.replace(text[at] ?? '', ''));
  return text.slice(0, at) + other + text.slice(at + 1);
}

/** Two unlike digits beside each other, changed round; null where there are none. */
export function swap(random: Random, text: string): string | null {
  const places = [...text.matchAll(/(?=([0-9])([0-9]))/g)]
    .filter(([, one, other]) => one !== other)
    .map(({ index }) => index);
  if (places.length === 0) return null;
  const at = pick<number>(random, places);
  return text.slice(0, at) + (text[at + 1] ?? '') + (text[at] ?? '') + text.slice(at + 2);
}
