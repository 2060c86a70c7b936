import { parseEnv } from 'node:util';

/** One line of an env file: a variable, nothing, or why it cannot be read. */
export type EnvLine =
  | { readonly kind: 'variable'; readonly name: string; readonly value: string }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'problem'; readonly problem: string };

const ASSIGNMENT = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*?)\s*$/;

/**
 * Reads one line with Node's own parser. Refuses lines that the parser would change without a word: an
 * open quote, text after a quote, "\\n" in double quotes, and a "#" in an unquoted value, which would cut a
 * password short.
 */
export function readEnvLine(line: string): EnvLine {
  if (/^\s*(#|$)/.test(line)) return { kind: 'nothing' };
  const [, name, given] = ASSIGNMENT.exec(line) ?? [];
  if (name === undefined || given === undefined) return problem('write NAME=value');
  const quote = /^["'`]/.exec(given)?.[0];
  if (quote === undefined) {
    if (/(?:^|\S)#/.test(given))
      return problem(`put the value of ${name} in quotes: it contains "#"`);
  } else {
    const end = given.indexOf(quote, 1);
    if (end === -1) return problem(`the quote of ${name} is not closed`);
    if (!/^\s*(#|$)/.test(given.slice(end + 1))) {
      return problem(`${name} has text after its closing quote`);
    }
    if (quote === '"' && given.slice(0, end).includes('\\n')) {
      return problem(`put the value of ${name} in single quotes: double quotes change "\\n"`);
    }
  }
  const parsed = parseEnv(`${name}=${given}`);
  return Object.hasOwn(parsed, name)
    ? { kind: 'variable', name, value: parsed[name] ?? '' }
    : problem('write NAME=value');
}

const problem = (text: string): EnvLine => ({ kind: 'problem', problem: text });
