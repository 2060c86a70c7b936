import type { Refusal } from '../../domain/errors/refusal.ts';

/**
 * The sentence of a refusal for a page: that of its first problem, or its own. It is written for the API, whose readers
 * expect names of fields in backticks; a page shows plain text.
 */
export const refusalText = ({ message, details }: Pick<Refusal, 'message' | 'details'>): string =>
  plainText(details[0]?.message ?? message);

/** A sentence of the API without the backticks around names. */
export const plainText = (sentence: string): string => sentence.replaceAll('`', '');
