import damerauLevenshtein from 'damerau-levenshtein';
import { isParticle, withoutTitles } from './name-words.ts';

/** An initial stands for every word that begins with it: nearly, but not quite, the word itself. */
const INITIAL_LIKENESS = 0.9;
/** Fewer letters than this make no name by themselves, and no word may be misspelled that is shorter. */
const WORD_MIN = 4;
/** Shorter names written in one are like too many others. */
const SQUEEZED_MIN = 8;
/** A company's only word that is as long names it by itself, whatever else is said. */
const ALONE_MIN = 8;

/** How alike two words are, 0 to 1; 0 where they are not the same word misspelled. */
function likenessOfWords(a: string, b: string): number {
  if (a === b) return 1;
  if (a.length === 1 || b.length === 1) {
    return a.startsWith(b) || b.startsWith(a) ? INITIAL_LIKENESS : 0;
  }
  const longer = Math.max(a.length, b.length);
  const shorter = Math.min(a.length, b.length);
  if (shorter < WORD_MIN || longer - shorter > 2) return 0;
  const { steps } = damerauLevenshtein(a, b);
  return steps <= (shorter < 7 ? 1 : 2) ? 1 - steps / longer : 0;
}

/**
 * How alike a name is to a listed one, 0 to 1, in whatever order their words stand, with titles and
 * without. All words of the one must be found in the other: of the listed name, or, where a person
 * leaves a name out, of the given one.
 */
export function likenessOfNames(
  given: readonly string[],
  listed: readonly string[],
  kind: 'PERSON' | 'ENTITY',
): number {
  const asWritten = likenessInWords(given, listed, kind);
  // A title and one name are a name by themselves on a list: Haji Karim is not every Karim.
  const [bare, bareListed] = [withoutTitles(given, 1), withoutTitles(listed, 2)];
  if (bare.length === given.length && bareListed.length === listed.length) return asWritten;
  return Math.max(asWritten, likenessInWords(bare, bareListed, kind));
}

function likenessInWords(
  given: readonly string[],
  listed: readonly string[],
  kind: 'PERSON' | 'ENTITY',
): number {
  const pairs = pairWords(given, listed);
  const ofListed = new Map(pairs.map((pair) => [pair.listed, pair]));
  const whole = coverage(listed, given, ofListed, kind === 'ENTITY');
  if (kind === 'ENTITY') return whole;
  const ofGiven = new Map(pairs.map((pair) => [pair.given, pair]));
  return Math.max(whole, coverage(given, listed, ofGiven, false));
}

/** How alike two names are that were written in one word. */
export function likenessSqueezed(given: string, listed: string): number {
  if (Math.min(given.length, listed.length) < SQUEEZED_MIN) return 0;
  const { steps } = damerauLevenshtein(given, listed);
  return 1 - steps / Math.max(given.length, listed.length);
}

interface Pair {
  readonly given: number;
  readonly listed: number;
  readonly likeness: number;
  readonly isInitial: boolean;
}

/** Pairs the words that are most alike, each word once. */
function pairWords(given: readonly string[], listed: readonly string[]): Pair[] {
  const pairs: Pair[] = given
    .flatMap((word, at) =>
      listed.map((other, index) => ({
        given: at,
        listed: index,
        likeness: likenessOfWords(word, other),
        isInitial: word.length === 1 || other.length === 1,
      })),
    )
    .filter(({ likeness }) => likeness > 0)
    .sort((one, other) => other.likeness - one.likeness);
  const taken: Pair[] = [];
  for (const pair of pairs) {
    if (taken.some((one) => one.given === pair.given || one.listed === pair.listed)) continue;
    taken.push(pair);
  }
  return taken;
}

/**
 * The likeness of the words found, weighed by their length; 0 where a word that counts is missing, or
 * where initials are all there is. A name of one word is only ever like another of one word, unless
 * the word is a long one and more `mayBeAdded`.
 */
function coverage(
  words: readonly string[],
  others: readonly string[],
  found: ReadonlyMap<number, Pair>,
  mayBeAdded: boolean,
): number {
  const wanted = wantedOf(words.map((word, index) => ({ word, pair: found.get(index) })));
  const [first, ...more] = wanted;
  if (first !== undefined && more.length === 0 && !isAlone(first.word, others)) {
    if (!mayBeAdded || first.word.length < ALONE_MIN) return 0;
  }
  const like = wanted.map(({ pair }) => pair?.likeness ?? 0);
  if (like.includes(0)) return 0;
  const hasWord = wanted.some(({ word, pair }) => word.length >= WORD_MIN && !pair?.isInitial);
  // Short names as "Li Bo": every word must be the same.
  if (!hasWord && wanted.some(({ pair }) => pair?.isInitial !== false)) return 0;
  const letters = wanted.reduce((sum, { word }) => sum + word.length, 0);
  return wanted.reduce((sum, { word }, at) => sum + word.length * (like[at] ?? 0), 0) / letters;
}

interface Wanted {
  readonly word: string;
  readonly pair: Pair | undefined;
}

/** The words that must be found: no particles, and no letters alone that stand for nothing, if two are left. */
function wantedOf(all: readonly Wanted[]): readonly Wanted[] {
  const counting = all.filter(({ word }) => !isParticle(word));
  const wanted = counting.length === 0 ? all : counting;
  const known = wanted.filter(({ word, pair }) => word.length > 1 || pair !== undefined);
  return known.length > 1 ? known : wanted;
}

/** Whether the others are one word as well. To a particle every word counts: De is not De Vries. */
const isAlone = (word: string, others: readonly string[]): boolean =>
  others.filter((other) => isParticle(word) || (other.length > 1 && !isParticle(other))).length <=
  1;
