import SearchableMap from 'minisearch/SearchableMap';
import { consonantsOf, foldName, readingsOf, type FoldedName } from './fold-name.ts';
import { likenessOfNames, likenessSqueezed } from './match-names.ts';
import { isParticle, withoutLegalForm } from './name-words.ts';
import type { ScreeningHit, ScreeningSubject } from './screening-provider.ts';

/** A person or an entity on a list. */
export interface ListEntry {
  readonly id: string;
  readonly kind: 'PERSON' | 'ENTITY';
  /** The name and every alias, in any script. */
  readonly names: readonly string[];
  /** YYYY, YYYY-MM or YYYY-MM-DD. */
  readonly datesOfBirth: readonly string[];
}

export interface NameList {
  /** The entries that the subjects may be; a subject's best name counts. */
  screen(subjects: readonly ScreeningSubject[], thresholdPercent: number): ScreeningHit[];
}

/** Edits within which a listed word is looked at; match-names.ts judges. A transposition counts as two. */
const EDITS_LOOKED_AT = 2;
/** Words whose neighbours are remembered: names repeat. */
const REMEMBERED_WORDS_MAX = 2_000;

interface ListedName {
  readonly entry: ListEntry;
  readonly name: string;
  readonly words: readonly string[];
  readonly isVowelless: boolean;
}

type Index = SearchableMap<number[]>;

/** Prepares a list for look-ups: see `prepareNameList`. */
export function createNameList(entries: readonly ListEntry[]): NameList {
  const work = prepareNameList(entries);
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}

/**
 * Prepares a list for look-ups: listed words, and names written in one, stand in radix trees that are
 * searched with a few edits, so that a look-up does not compare with every name. A large list takes
 * seconds: a caller with other things to do does them where this yields, every 100 entries.
 */
export function* prepareNameList(entries: readonly ListEntry[]): Generator<undefined, NameList> {
  const names: ListedName[] = [];
  const byWord: Index = new SearchableMap();
  const bySqueezed: Index = new SearchableMap();
  const byConsonants: Index = new SearchableMap();
  for (const [nth, entry] of entries.entries()) {
    for (const name of entry.names) {
      const folded = foldName(name);
      const words = entry.kind === 'ENTITY' ? withoutLegalForm(folded.words) : folded.words;
      const at = names.push({ entry, name, words, isVowelless: folded.isVowelless }) - 1;
      for (const word of new Set(words)) note(byWord, word, at);
      for (const squeezed of new Set(ordersOf(words))) note(bySqueezed, squeezed, at);
      for (const word of new Set(words.map(consonantsOf))) note(byConsonants, word, at);
    }
    if (nth % 100 === 99) yield;
  }
  const alikeWords = remembering((word) => lookUp(byWord, word));

  /** Listed names that share enough words to be worth a comparison. */
  function* sharing(words: readonly string[]): Generator<ListedName> {
    const shared = new Map<number, number>();
    for (const word of new Set(words)) {
      for (const at of new Set(alikeWords(word))) shared.set(at, (shared.get(at) ?? 0) + 1);
    }
    for (const [at, count] of shared) {
      const listed = names[at];
      if (listed !== undefined && count >= wordsToShare(words, listed.words)) yield listed;
    }
  }

  function* candidatesOf({ words, isVowelless }: FoldedName): Generator<[ListedName, number]> {
    for (const listed of sharing(words)) {
      yield [listed, likenessOfNames(words, listed.words, listed.entry.kind)];
    }
    const squeezed = words.join('');
    for (const at of lookUp(bySqueezed, squeezed)) {
      const listed = names[at];
      if (listed === undefined) continue;
      const orders = ordersOf(listed.words);
      yield [listed, Math.max(...orders.map((order) => likenessSqueezed(squeezed, order)))];
    }
    const consonants = words.map(consonantsOf).filter((word) => word.length > 1);
    for (const at of new Set(consonants.flatMap((word) => byConsonants.get(word) ?? []))) {
      const listed = names[at];
      if (listed === undefined || isVowelless === listed.isVowelless) continue;
      yield [listed, sharesConsonants(consonants, listed.words.map(consonantsOf))];
    }
  }

  return {
    screen: (subjects, thresholdPercent) =>
      subjects.flatMap((subject) => {
        const best = new Map<string, ScreeningHit>();
        for (const reading of subject.names.flatMap(waysToRead)) {
          for (const [listed, likeness] of candidatesOf(reading)) {
            const score = Math.floor(likeness * 100);
            if (score < thresholdPercent) continue;
            if (!mayBeBornOn(subject.dateOfBirth, listed.entry.datesOfBirth)) continue;
            if ((best.get(listed.entry.id)?.score ?? -1) >= score) continue;
            const { reference } = subject;
            best.set(listed.entry.id, {
              reference,
              entryId: listed.entry.id,
              score,
              name: listed.name,
            });
          }
        }
        return [...best.values()];
      }),
  };
}

/** How many words two names must share, misspelled or not, to be alike at all. Initials share none. */
function wordsToShare(given: readonly string[], listed: readonly string[]): number {
  const isInitial = (word: string) => word.length === 1;
  if (given.some(isInitial) || listed.some(isInitial)) return 1;
  const count = (words: readonly string[]) => words.filter((word) => !isParticle(word)).length;
  return Math.max(1, Math.min(2, count(given), count(listed)));
}

/** With and without the form of a company: the one who gives the name may call a company a person. */
function waysToRead(name: string): FoldedName[] {
  return readingsOf(name).flatMap((reading) => {
    const words = withoutLegalForm(reading.words);
    return words.length === reading.words.length ? [reading] : [reading, { ...reading, words }];
  });
}

/** The name in one word: as it stands, with each word first in turn, and the other way round. */
function ordersOf(words: readonly string[]): string[] {
  const turns = words.map((_, at) => [...words.slice(at), ...words.slice(0, at)].join(''));
  return [...turns, words.toReversed().join('')];
}

/** Names of at least two words all of whose consonants are the same. */
function sharesConsonants(given: readonly string[], listed: readonly string[]): number {
  const wanted = listed.filter((word) => word.length > 1);
  const isSame = wanted.length > 1 && wanted.every((word) => given.includes(word));
  return isSame ? 1 : 0;
}

function note(index: Index, key: string, at: number): void {
  if (key === '') return;
  const known = index.get(key);
  if (known === undefined) index.set(key, [at]);
  else known.push(at);
}

function lookUp(index: Index, key: string): number[] {
  const edits = key.length < 4 ? 0 : EDITS_LOOKED_AT;
  return [...index.fuzzyGet(key, edits).values()].flatMap(([found]) => found);
}

function remembering(find: (word: string) => number[]): (word: string) => number[] {
  const known = new Map<string, number[]>();
  return (word) => {
    const found = known.get(word) ?? find(word);
    if (known.size >= REMEMBERED_WORDS_MAX) known.clear();
    known.set(word, found);
    return found;
  };
}

/** How far a listed year of birth may be off: lists often know it only about. */
const YEARS_OFF_MAX = 1;

/**
 * Whether a person may have been born on a listed date. A list may know the year alone (`1970`) or the
 * month (`1970-03`). A list or person without a date excludes nothing.
 */
function mayBeBornOn(given: string | undefined, listed: readonly string[]): boolean {
  if (given === undefined || listed.length === 0) return true;
  const year = Number(given.slice(0, 4));
  return listed.some((date) => Math.abs(Number(date.slice(0, 4)) - year) <= YEARS_OFF_MAX);
}
