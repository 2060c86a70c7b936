import damerauLevenshtein from 'damerau-levenshtein';
import { ENVIRONMENTS } from '../../domain/scope.ts';
import { NAMES, VARIABLES } from './setting-names.ts';
import { environmentOf, PREFIXES, variableOf } from './setting-scope.ts';

/** An env file, by the settings that it holds. */
export type FileKind = keyof typeof NAMES;

const NEAR_MAX = 2;
/** A process has variables of other programs, and shorter names are near too many of them. */
const LENGTH_MIN = 8;

/** API_PORT of another program is two steps from OPS_PORT: a shorter name of the process may be one away. */
const LENGTH_MIN_OF_TWO_STEPS = 12;

/** Usual variables of other programs that are near a setting's name. */
const FOREIGN: ReadonlySet<string> = new Set([
  ...['LOGLEVEL', 'MAILFROM', 'RATE_LIMIT', 'POSTGRESQL_PORT', 'TEMPORAL_DB_PORT'],
  ...['TEST_DATABASE_URL', 'TEST_BASE_URL', 'TEST_LOG_LEVEL', 'TEST_DATA_DIR'],
  'TEST_POSTGRES_PORT',
]);

/** DATABASE_URI or POSTGRES_HOST is a usual name of its own, and no misspelling. */
const LAST_WORD = /_(?:HOST|PORT|URL|URI)$/;

/** Anything else may be a piece of a secret whose line was wrapped. */
const NAME_LIKE = /^[A-Z][A-Z0-9_]*$/;

/** Why a file cannot hold the name, as a sentence without the place; null where it can. */
export function problemInFile(name: string, kind: FileKind): string | null {
  if (NAMES[kind].has(name)) return null;
  if (name === 'CONFIG_DIR') return 'CONFIG_DIR is read from the process only.';
  const upper = name.toUpperCase();
  const prefixed = environmentOf(upper);
  if (prefixed !== undefined) {
    const base = baseOf(upper);
    if (NAMES[prefixed].has(base)) {
      return prefixed === kind
        ? `${name} has a prefix that this file leaves out. Write ${base}.`
        : `${name} belongs in ${prefixed}.env, as ${base}.`;
    }
    if (NAMES.common.has(base)) return `${name} is not a setting. Did you mean ${base}?`;
  }
  if (NAMES.common.has(name)) return `${name} is a common setting. Move it to common.env.`;
  const owners = ENVIRONMENTS.filter((environment) => NAMES[environment].has(name));
  if (owners.length > 0) {
    return `${name} belongs in ${owners.map((owner) => `${owner}.env`).join(' or ')}.`;
  }
  const near = nearest(upper, NAMES[kind]);
  if (near === null && !NAME_LIKE.test(name)) return 'this is not the name of a setting.';
  return notASetting(name, near);
}

/** Why a variable of the process is probably a mistake; null where it is a setting or foreign. */
export function problemInProcess(name: string): string | null {
  if (VARIABLES.has(name) || FOREIGN.has(name)) return null;
  const upper = name.toUpperCase();
  const prefixed = environmentOf(upper);
  if (prefixed !== undefined) {
    const base = baseOf(upper);
    if (NAMES[prefixed].has(base)) return notASetting(name, variableOf(prefixed, base));
    if (NAMES.common.has(base) && base.length >= LENGTH_MIN) return notASetting(name, base);
  }
  const owners = ENVIRONMENTS.filter((environment) => NAMES[environment].has(name));
  if (owners.length > 0) {
    const variables = owners.map((owner) => variableOf(owner, name));
    return notASetting(name, variables.join(' or '));
  }
  if (name.length < LENGTH_MIN) return null;
  const steps = name.length < LENGTH_MIN_OF_TWO_STEPS ? 1 : NEAR_MAX;
  const near = nearest(name, VARIABLES, steps);
  if (near === null || near.length < LENGTH_MIN || isOtherWord(name, near)) return null;
  return notASetting(name, near);
}

const notASetting = (name: string, near: string | null): string =>
  `${name} is not a setting.${near === null ? '' : ` Did you mean ${near}?`}`;

/** A name without the prefixes of environments, however often they were written. */
const baseOf = (name: string): string =>
  name.replace(new RegExp(`^(?:${Object.values(PREFIXES).join('|')})+`), '');

const isOtherWord = (name: string, near: string): boolean =>
  LAST_WORD.test(name) &&
  LAST_WORD.test(near) &&
  name.replace(LAST_WORD, '') === near.replace(LAST_WORD, '');

/** The nearest name at most so many steps away; of a short name, it keeps more than half. */
function nearest(name: string, known: ReadonlySet<string>, stepsMax = NEAR_MAX): string | null {
  const max = Math.min(stepsMax, Math.floor((name.length - 1) / 2));
  const letters = countLetters(name);
  let found: { readonly name: string; readonly steps: number } | null = null;
  for (const one of known) {
    if (Math.abs(one.length - name.length) > max || isFar(letters, one, max)) continue;
    const { steps } = damerauLevenshtein(name, one);
    if (steps <= max && (found === null || steps < found.steps)) found = { name: one, steps };
  }
  return found?.name ?? null;
}

function countLetters(name: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const letter of name) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  return counts;
}

/** A step changes the counts of two letters at most: this is told apart without the distance, which costs far more. */
function isFar(letters: ReadonlyMap<string, number>, one: string, stepsMax: number): boolean {
  const others = countLetters(one);
  let differences = 0;
  for (const letter of new Set([...letters.keys(), ...others.keys()])) {
    differences += Math.abs((letters.get(letter) ?? 0) - (others.get(letter) ?? 0));
  }
  return differences > 2 * stepsMax;
}
