/** What stands in the place of what is not shown: as long for every text, for a length tells something too. */
const HIDDEN = '•••';

/** A letter, whole: one beyond the first 65,536 has two code units. */
const firstOf = (text: string): string => Array.from(text)[0] ?? '';

/** The first letter of each of the first two words: "A••• S•••". */
export function maskName(name: string): string {
  const words = name.trim().split(/\s+/u).slice(0, 2);
  return words.map((word) => `${firstOf(word)}${HIDDEN}`).join(' ');
}

/** "a•••@•••" */
export const maskEmail = (address: string): string => `${firstOf(address)}${HIDDEN}@${HIDDEN}`;

/** Of an account or a phone number the end that people tell them apart by: "•••• 3000". */
export const maskNumber = (end: string): string => `•••• ${end.replaceAll('*', '')}`.trim();

/** An id as a table shows it; all of it stands where it leads to: "pay_01m7…qhs4a". */
export function shortId(id: string): string {
  const start = id.indexOf('_') + 1;
  const [prefix, suffix] = [id.slice(0, start), id.slice(start)];
  return suffix.length <= 12 ? id : `${prefix}${suffix.slice(0, 4)}…${suffix.slice(-5)}`;
}
