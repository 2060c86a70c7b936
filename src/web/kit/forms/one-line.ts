/**
 * Controls, line ends, and what turns the direction of text: in a name they make a page or a mail say
 * something else. Joiners (U+200C, U+200D) belong to the spelling of some languages.
 */
const NOT_OF_A_NAME = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Says what is wrong with a name of a person or a thing: one line of plain characters. */
export const checkOneLine = (text: string): string | null =>
  NOT_OF_A_NAME.test(text) ? 'Enter one line without hidden characters.' : null;
