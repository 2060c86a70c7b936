import { noSuchPage } from './page-refusal.ts';

// Sequences are positive int8; 18 digits stay below its end.
const CURSOR = /^[1-9][0-9]{0,17}$/;

/** Where a list goes on, as its link says it; null at its beginning. Throws PageRefusal (404) for what is none. */
export function readBefore(text: string | undefined): bigint | null {
  if (text === undefined) return null;
  if (!CURSOR.test(text)) throw noSuchPage();
  return BigInt(text);
}
