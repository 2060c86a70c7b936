import anyAscii from 'any-ascii';
import unhomoglyph from 'unhomoglyph';

/** A name as words of a-z and 0-9, in which nothing is left of how it was written. */
export interface FoldedName {
  readonly words: readonly string[];
  /** Whether it was written in a script that leaves vowels out. */
  readonly isVowelless: boolean;
}

/** More than any field holds (201): a bound on the work that a name can make. */
const CHARACTERS_MAX = 300;
/** More than those can make; a character may stand for several words. */
const WORDS_MAX = 1_500;

const VOWELLESS = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}]/u;
/** Accents and points that letters carry. Vowel signs of Indic scripts are letters here, and stay. */
const ACCENTS =
  /[\p{Script=Inherited}\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670]/gu;
/** Zero-width characters, marks of direction, soft hyphens, control characters. */
const INVISIBLE = /[\p{Cf}\p{Cc}\u034f\u115f\u1160\u3164\uffa0]/gu;
const NOT_ASCII = /[^ -~]/gu;
/** They stand inside of words: O'Neil, Mu`ammar. */
const WITHIN_WORDS = /['"`\u2018\u2019\u02bb\u02bc]/g;

/** Digits that pass for letters in a word. */
const DIGITS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '6': 'g',
  '7': 't',
  '8': 'b',
};

/** The name as it is meant to be read: other scripts are transliterated (any-ascii). */
export function foldName(name: string): FoldedName {
  return fold(name, anyAscii);
}

/**
 * Every way in which a name may be meant: transliterated; by the looks of its letters, as a Cyrillic
 * word in place of a Latin one is read; and with digits for the letters that they resemble.
 */
export function readingsOf(name: string): FoldedName[] {
  const transliterated = foldName(name);
  const byLooks = fold(name, (text) => anyAscii(text.replace(NOT_ASCII, unhomoglyph)));
  const readings = [transliterated, byLooks].flatMap((reading) => [
    reading,
    withoutDigits(reading),
  ]);
  const seen = new Map(readings.map((reading) => [reading.words.join(' '), reading]));
  return [...seen.values()];
}

function fold(name: string, toAscii: (text: string) => string): FoldedName {
  const plain = name
    .slice(0, CHARACTERS_MAX)
    .normalize('NFKD')
    .replace(INVISIBLE, '')
    .replace(ACCENTS, '')
    .normalize('NFC');
  const words = toAscii(plain)
    .toLowerCase()
    .replace(WITHIN_WORDS, '')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .slice(0, WORDS_MAX);
  return { words: joinSpelled(words).map(asSounded), isVowelless: VOWELLESS.test(plain) };
}

/** What is one sound in many transliterations is written one way: Mahzoor, Mahzour, Mahzur. */
export const asSounded = (word: string): string =>
  word.replace(/o[ou]/g, 'u').replace(/ee/g, 'i').replace(/ph/g, 'f').replace(/ck/g, 'k');

/** "S a n c t i o n e d" is a word. Two letters in a row are initials. */
export function joinSpelled(words: readonly string[]): string[] {
  const joined: string[] = [];
  let spelled: string[] = [];
  const end = () => {
    if (spelled.length >= 3) joined.push(spelled.join(''));
    else joined.push(...spelled);
    spelled = [];
  };
  for (const word of words) {
    if (word.length === 1) {
      spelled.push(word);
      continue;
    }
    end();
    joined.push(word);
  }
  end();
  return joined;
}

function withoutDigits(name: FoldedName): FoldedName {
  return { ...name, words: name.words.map(lettersForDigits) };
}

/** A word with the letters that its digits pass for; a number stays. */
export function lettersForDigits(word: string): string {
  return /[a-z]/.test(word) ? word.replace(/[0-9]/g, (digit) => DIGITS[digit] ?? digit) : word;
}

/** What a script without vowels keeps of a word: Muhammad and Mohamed are both mhmd. */
export function consonantsOf(word: string): string {
  return word
    .replace(/[aeiouwy]/g, '')
    .replaceAll('q', 'k')
    .replace(/(.)\1+/g, '$1');
}
