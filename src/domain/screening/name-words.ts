/** Words that a name may have or not. */
const PARTICLES = new Set(
  'al el ul as ad an abu bin ibn ben bint van von de del der den da di du la le dos das of the and und y e'.split(
    ' ',
  ),
);

/** Forms of companies, and words that stand for them; at the end of a name they say nothing. */
const LEGAL_FORMS = new Set(
  'ltd limited llc inc incorporated corp corporation co company gmbh ag kg ohg ug sa sas sarl sl srl spa bv nv oy ab as aps plc pte pty ooo oao zao pao ao jsc pjsc ojsc cjsc fze fzco fzc lp llp kft sro doo ltda eood ead aktiengesellschaft'.split(
    ' ',
  ),
);

export const isParticle = (word: string): boolean => PARTICLES.has(word);

/** A company's name without its form; at least one word is left. */
export function withoutLegalForm(words: readonly string[]): readonly string[] {
  let end = words.length;
  while (end > 1 && LEGAL_FORMS.has(words[end - 1] ?? '')) end -= 1;
  return words.slice(0, end);
}
