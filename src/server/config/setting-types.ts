import { readFileSync } from 'node:fs';
import { Type, type TSchema } from 'typebox';
import type { Setting } from './settings.ts';

type About = Omit<Setting, 'env' | 'must' | 'scope'> & { readonly must?: string };

/** Text; with `isRight` such as it allows, which `must` then says in words. */
export function text(env: string, about: About, isRight: (text: string) => boolean = () => true) {
  return Type.Refine(Type.String({ env, must: about.description, ...about }), isRight);
}

/** A text that nobody else may read. */
export function secret(env: string, about: About, isRight?: (text: string) => boolean) {
  return text(env, { ...about, isSecret: true }, isRight);
}

/** A whole number from `min` to `max`, both included. */
export function integer(env: string, [min, max]: readonly [number, number], about: About) {
  const must = `a whole number from ${String(min)} to ${String(max)}`;
  const parse = (given: string) => (/^[0-9]{1,15}$/.test(given) ? Number(given) : given);
  return Type.Integer({ env, minimum: min, maximum: max, must, parse, ...about });
}

export function port(env: string, fallback: number | undefined, description: string) {
  return integer(env, [0, 65_535], { default: fallback, unit: 'port', description });
}

/** `true`, `1`, `false` or `0`; false where it is not set, unless told otherwise. */
export function flag(env: string, description: string, fallback = false) {
  const words = new Map([
    ...['true', '1'].map((word) => [word, true] as const),
    ...['false', '0'].map((word) => [word, false] as const),
  ]);
  const parse = (given: string) => words.get(given) ?? given;
  const must = 'true or false';
  return Type.Boolean({ env, default: fallback, must, parse, unit: 'true/false', description });
}

/** One of the words; the first one where it is not set. */
export function choice<Words extends string[]>(
  env: string,
  words: readonly [...Words],
  description: string,
) {
  const must = `one of ${words.join(', ')}`;
  return Type.Enum(words, { env, default: words[0], must, unit: 'word', description });
}

/** A list of different words with commas between; `must` says which. */
export function words<Word extends TSchema>(
  env: string,
  word: Word,
  about: Omit<About, 'unit'> & { readonly must: string },
) {
  const parse = (given: string) => given.split(',').map((part) => part.trim());
  return Type.Array(word, { env, uniqueItems: true, parse, unit: 'words', ...about });
}

/** An http or https URL, without the slash at its end. */
export function url(env: string, description: string, more: Partial<Setting> = {}) {
  const isHttp = (given: string): boolean =>
    URL.canParse(given) && /^https?:$/.test(new URL(given).protocol);
  const must = 'a URL that begins with http:// or https://';
  const parse = (given: string) => given.replace(/\/+$/, '');
  return text(env, { must, parse, unit: 'URL', description, ...more }, isHttp);
}

/** The object that a JSON file holds; the variable names the file. What is in it is checked elsewhere. */
export function jsonFile(env: string, description: string, defaultText = '-') {
  const parse = (path: string): unknown => {
    try {
      return JSON.parse(readFileSync(path, 'utf8'));
    } catch {
      return null;
    }
  };
  const must = 'the path of a readable JSON file that holds an object';
  const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
  return Type.Refine(
    Type.Unknown({ env, must, parse, unit: 'path', description, defaultText }),
    isObject,
  );
}

/** The text of a PEM file that holds a certificate or a key; the variable names the file. */
export function pemFile(env: string, description: string) {
  const must = 'the path of a readable PEM file';
  const parse = (path: string): string | null => {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return null;
    }
  };
  return text(env, { must, parse, unit: 'path', description }, (given) =>
    given.includes('-----BEGIN '),
  );
}
