/**
 * A place's name as it is compared: lower case, without accents, apostrophes and invisible characters,
 * its words apart by one blank.
 */
export function placeName(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{Cf}\p{Lm}'’‘`´]/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
