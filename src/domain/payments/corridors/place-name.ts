import anyAscii from 'any-ascii';
import unhomoglyph from 'unhomoglyph';
import { joinSpelled, lettersForDigits } from '../../parties/screening/fold-name.ts';

/** Accents, invisible characters and apostrophes: nothing of a name is left where they were. */
const UNHEARD = /[\p{M}\p{Cf}\p{Cc}\p{Lm}\u115f\u1160\uffa0'"’‘`´]/gu;
const LINE_ENDS = /[\r\n\t\u2028\u2029]+/gu;
const NOT_ASCII = /[^ -~]/gu;
/** What stands between the parts of an address in one line. */
const BETWEEN_PARTS = /[,;:|/\\()[\]]| -+ /;

/**
 * The ways in which a place's name may be meant, each in a-z, 0-9 and punctuation: transliterated, by
 * the looks of its letters as they are written and as small ones, and with letters for digits.
 */
function readingsOf(text: string): string[] {
  const plain = text.replaceAll(LINE_ENDS, ',').normalize('NFKD').replaceAll(UNHEARD, '');
  const byLooks = [plain, plain.toLowerCase()].map((one) => one.replaceAll(NOT_ASCII, unhomoglyph));
  // The transliteration writes the soft sign as an apostrophe.
  const readings = [plain, ...byLooks].map((one) =>
    anyAscii(one).toLowerCase().replaceAll(/['"`]/g, ''),
  );
  const withoutDigits = readings.map((one) => one.replaceAll(/[a-z0-9]+/g, lettersForDigits));
  return [...new Set([...readings, ...withoutDigits])];
}

/** Words apart by one blank; what was written letter by letter is joined. */
const wordsOf = (reading: string): string =>
  joinSpelled(reading.split(/[^a-z0-9]+/).filter((word) => word !== '')).join(' ');

/** A text's readings as words, to be compared with those of a name. */
export function placeNames(text: string): string[] {
  return unique(readingsOf(text).map(wordsOf));
}

/** The same of every part of a text that stands between commas and the like. */
export function placeParts(text: string): string[] {
  return unique(readingsOf(text).flatMap((one) => one.split(BETWEEN_PARTS).map(wordsOf)));
}

const unique = (texts: readonly string[]): string[] =>
  [...new Set(texts)].filter((one) => one !== '');

/**
 * What a postal code may be, in ASCII digits: all its digits, and those before a hyphen or the like,
 * "98600-1".
 */
export function postalDigits(text: string): string[] {
  const ascii = anyAscii(text.normalize('NFKC'));
  const [first = ''] = /[0-9][0-9 ]*/.exec(ascii) ?? [];
  const [run = ''] = first.split(' ');
  return unique([ascii, first, run].map((one) => one.replaceAll(/[^0-9]/g, '')));
}
