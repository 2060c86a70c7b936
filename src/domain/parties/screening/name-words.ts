import { asSounded } from './fold-name.ts';

/** As words of a folded name are written. */
const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(' ').map(asSounded));

/** Words that a name may have or not. */
const PARTICLES = wordsOf(
  'al el ul as ad an abu bin ibn ben bint van von de del der den da di du la le dos das of the and und y e',
);

/** What stands before or behind a person's name and is none. Some are names as well. */
const TITLES = wordsOf(
  'mr mrs ms miss mister mme mlle herr frau senor senora dr doctor prof professor phd md sir madam lord lady dame rev hon esq jr sr junior senior ii iii iv sheikh sheik shaikh shaykh haji hajji hadji haj hajj alhaji sayyid sayed syed mullah mulla maulvi mawlawi maulana imam ayatollah gen general col colonel capt captain',
);

/** Forms of companies, and words that stand for them; at either end of a name they say nothing. */
const LEGAL_FORMS = wordsOf(
  'ltd limited llc inc incorporated corp corporation co company gmbh ag kg ohg ug sa sas sarl sl srl spa bv nv oy ab as aps plc pte pty ooo oao zao pao ao jsc pjsc ojsc cjsc fze fzco fzc lp llp kft sro doo ltda eood ead aktiengesellschaft',
);
/** Next to a form they are a part of it: public joint stock company. */
const OF_A_FORM = wordsOf('public open closed joint stock liability private');

export const isParticle = (word: string): boolean => PARTICLES.has(word);

/** A person's name without titles; at least `min` words are left. */
export function withoutTitles(words: readonly string[], min: number): readonly string[] {
  const names = words.filter((word) => !TITLES.has(word));
  return names.length < min ? words : names;
}

/** A company's name without its form at either end; at least one word is left. */
export function withoutLegalForm(words: readonly string[]): readonly string[] {
  let end = words.length;
  for (let at = end - 1; at > 0 && isOfForm(words[at] ?? ''); at -= 1) {
    const isForm = LEGAL_FORMS.has(words[at] ?? '');
    // What belongs to a form goes with the form behind it.
    if (isForm || end < words.length) end = at;
  }
  let start = 0;
  for (let at = 0; at < end - 1; at += 1) {
    const word = words[at] ?? '';
    if (LEGAL_FORMS.has(word)) start = at + 1;
    else if (!isOfForm(word) && !isParticle(word)) break;
  }
  return words.slice(start, end);
}

const isOfForm = (word: string): boolean => LEGAL_FORMS.has(word) || OF_A_FORM.has(word);
