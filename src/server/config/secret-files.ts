import { readFileSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { readsSecret, type Program } from './program-secrets.ts';
import { fileVariable, SECRET_NAMES } from './setting-names.ts';
import { textOf, type Env } from './settings.ts';

const READABLE_BY_ALL = 0o004;
const WRITABLE_BY_ALL = 0o002;
const BYTES_MAX = 65_536;

/** What is wrong with a file for every user of the machine. `holdsSecrets`: they may not read it either. */
export function judgeMode(mode: number, holdsSecrets: boolean): 'WRITABLE' | 'READABLE' | null {
  if ((mode & WRITABLE_BY_ALL) !== 0) return 'WRITABLE';
  return holdsSecrets && (mode & READABLE_BY_ALL) !== 0 ? 'READABLE' : null;
}

/**
 * The variables with the secrets that files hold: `PEPPER_FILE` names the file of `PEPPER`, as Docker and Kubernetes
 * mount secrets. Files of secrets that the program does not read stay closed. The result names no such file, so a child process
 * does not read it again. Reports problems by name and path, never by what a file holds.
 */
export function readSecretFiles(
  env: Readonly<Record<string, string>>,
  program: Program,
  problems: string[],
  warn: (line: string) => void,
): Record<string, string> {
  const own = [...SECRET_NAMES].filter((name) => readsSecret(program, name));
  const secrets = own.flatMap((name) => {
    const path = textOf(env, fileVariable(name));
    return path === '' ? [] : [[name, readSecret(env, name, path, problems, warn)] as const];
  });
  const files = new Set([...SECRET_NAMES].map(fileVariable));
  const others = Object.entries(env).filter(([name]) => !files.has(name));
  return Object.fromEntries([...others, ...secrets]);
}

function readSecret(
  env: Env,
  name: string,
  path: string,
  problems: string[],
  warn: (line: string) => void,
): string {
  const variable = fileVariable(name);
  if (textOf(env, name) !== '') {
    problems.push(`${name} and ${variable} are both set: set one of them`);
    return '';
  }
  // What is no path may be the secret itself, which no message repeats.
  if (!isAbsolute(path)) {
    problems.push(`${variable} must be a path that begins with /`);
    return '';
  }
  const file = readTextFile(path);
  if (file === null) {
    problems.push(
      `${variable}: ${path} must be a text file (UTF-8) of at most 64 kB that the program can read`,
    );
    return '';
  }
  const judged = judgeMode(file.mode, true);
  if (judged === 'WRITABLE') {
    problems.push(`${variable}: ${path} can be changed by every user of the machine: chmod o-w`);
  }
  if (judged === 'READABLE') {
    warn(`Warning: every user of this machine can read ${path} of ${variable}: chmod o-r.`);
  }
  const secret = file.text.replace(/\r?\n$/, '');
  if (secret.trim() === '') problems.push(`${variable}: ${path} is empty`);
  return secret;
}

function readTextFile(path: string): { readonly text: string; readonly mode: number } | null {
  try {
    const stats = statSync(path);
    // A pipe or a device might never end.
    if (!stats.isFile() || stats.size > BYTES_MAX) return null;
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
    return { text, mode: stats.mode };
  } catch {
    return null;
  }
}
