const COUNTRY = '(?:ukraine|ukraina|ukrayina|ua|russia|rossiya|russian federation|rf|ru)';
const REGION_WORD =
  '(?:oblast|oblasti|obl|region|rayon|raion|rajon|district|province|respublika|republic|republique|republik|resp|ar|arc|autonomous|avtonomna|avtonomnaya|peoples|narodna|narodnaya)';
const TOWN_WORD = '(?:gorod|gor|g|misto|m|city|town|selo|s|smt|pgt)';
const PLACE_WORD = `(?:${REGION_WORD}|${TOWN_WORD})`;

// A postal code, and not the number of a house.
const BEFORE = new RegExp(`^(?:(?:${COUNTRY}|[0-9]{5,6}) )+`);
const AFTER = new RegExp(`(?: (?:${COUNTRY}|[0-9]{5,6}))+$`);
const REGION_WORDS_AFTER = new RegExp(`(?: ${REGION_WORD})+$`);
const PLACE_WORDS_AFTER = new RegExp(`(?: ${PLACE_WORD})+$`);
const REGION_WORDS_BEFORE = new RegExp(`(?:^| )${REGION_WORD}(?: of| the)*$`);
/** Behind the number of a house, too, the street has ended. */
const PLACE_WORDS_BEFORE = new RegExp(`(?:^| )(?:${PLACE_WORD}|[0-9]+[a-z]?)(?: of| the)*$`);

/**
 * Whether a part of a street's line says a place, and is not a street that is called after one: the
 * name alone, beside a word such as oblast or city, or at the end behind a number or another name. An
 * adjective ("Donetska") does so beside oblast and the like only. All in the readings of `placeParts`.
 */
export function standsAlone(
  part: string,
  names: readonly string[],
  adjectives: readonly string[],
): boolean {
  const bare = part.replace(BEFORE, '').replace(AFTER, '');
  const rest = (text: string, name: string): string | null => {
    if (text === name) return '';
    return text.endsWith(` ${name}`) ? text.slice(0, -name.length - 1) : null;
  };
  const isPlace = (text: string): boolean => {
    const alone = text.replace(PLACE_WORDS_AFTER, '');
    return names.some((name) => {
      const before = rest(alone, name);
      if (before === null) return false;
      return before === '' || alone !== text || PLACE_WORDS_BEFORE.test(before) || isPlace(before);
    });
  };
  const ofRegion = bare.replace(REGION_WORDS_AFTER, '');
  return (
    isPlace(bare) ||
    adjectives.some((name) => {
      const before = rest(ofRegion, name);
      return before !== null && (ofRegion !== bare || REGION_WORDS_BEFORE.test(before));
    })
  );
}
