import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readEnvLine } from './env-line.ts';
import { problemInFile, problemInProcess, type FileKind } from './misplaced-names.ts';
import type { Program } from './program-secrets.ts';
import { judgeMode, readSecretFiles } from './secret-files.ts';
import { SECRET_NAMES, VARIABLES } from './setting-names.ts';
import { PREFIXES } from './setting-scope.ts';
import { ConfigError, textOf, type Env } from './settings.ts';

const KINDS = ['common', 'test', 'live'] as const;
const FILES: readonly string[] = KINDS.map((kind) => `${kind}.env`);

/** What Kubernetes sets for each service of a namespace, as SMTP_PORT for one named smtp: not a setting of ours. */
const SERVICE_LINK = /^(?:tcp|udp|sctp):\/\//;
/** A URL with a password. */
const LOGIN = /:\/\/[^/@\s]*:[^/@\s]+@/;
/** Node's own variable, which every connection of the program follows. */
const UNCHECKED = 'NODE_TLS_REJECT_UNAUTHORIZED';
const FLAGS = ['TEMPORAL_TLS', 'TEMPORAL_TLS_DISABLE_HOST_VERIFICATION'];

/**
 * The environment variables of a program: those of the process, then those of the env files in
 * CONFIG_DIR, and the program's secrets that files of their own hold. The result no longer names a file that was read, so a child
 * process does not read it again. A setting that is empty is not in it: programs of others would take it for a value.
 * `warn` gets a line for each file that every user of the machine can read and that holds a secret.
 * @throws ConfigError with all problems at once, without values.
 */
export function readEnvironment(
  processEnv: Env,
  program: Program,
  warn: (line: string) => void = console.error,
): Record<string, string> {
  const { CONFIG_DIR: folder, ...own } = Object.fromEntries(
    Object.entries(processEnv).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !isServiceLink(entry),
    ),
  );
  const problems = Object.keys(own).flatMap(
    (name) => (textOf(own, name) === '' ? null : problemInProcess(name)) ?? [],
  );
  const files =
    folder === undefined || folder.trim() === '' ? {} : readFolder(folder.trim(), problems, warn);
  const set = Object.entries(own).filter(([name]) => textOf(own, name) !== '' || !(name in files));
  const all = readSecretFiles({ ...files, ...Object.fromEntries(set) }, program, problems, warn);
  // The SDK takes anything but true and 1 for false.
  const wrong = FLAGS.filter((name) => !/^(?:true|false|1|0)?$/i.test(textOf(all, name)));
  problems.push(...wrong.map((name) => `${name} must be true or false`));
  if (textOf(all, 'NODE_ENV') === 'production' && textOf(all, UNCHECKED) === '0') {
    problems.push(`${UNCHECKED} must not be 0: no certificate would be checked`);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => {
      if (!VARIABLES.has(name)) return [[name, value]];
      const text = textOf(all, name);
      if (text === '') return [];
      return [[name, name.startsWith('TEMPORAL_') ? text : value]];
    }),
  );
}

const isServiceLink = ([name, value]: readonly [string, string | undefined]): boolean =>
  name.endsWith('_PORT') && SERVICE_LINK.test(value ?? '');

type Report = string[];

function readFolder(
  folder: string,
  problems: Report,
  warn: (line: string) => void,
): Record<string, string> {
  let names: readonly string[];
  try {
    names = readdirSync(folder).filter((name) => name.toLowerCase().endsWith('.env'));
  } catch {
    problems.push('CONFIG_DIR must be a folder that the program can read');
    return {};
  }
  const unknown = names.filter((name) => !FILES.includes(name));
  problems.push(
    ...unknown.map((name) => `${name} is not read. CONFIG_DIR holds ${FILES.join(', ')}.`),
  );
  if (names.length === 0) problems.push(`CONFIG_DIR holds none of ${FILES.join(', ')}`);
  return Object.assign(
    {},
    ...KINDS.filter((kind) => names.includes(`${kind}.env`)).map((kind) =>
      readFile(join(folder, `${kind}.env`), kind, problems, warn),
    ),
  ) as Record<string, string>;
}

function readFile(
  path: string,
  kind: FileKind,
  problems: Report,
  warn: (line: string) => void,
): Record<string, string> {
  const file = `${kind}.env`;
  let text: string;
  let mode: number;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
    ({ mode } = statSync(path));
  } catch {
    problems.push(`${file} must be a text file (UTF-8) that the program can read`);
    return {};
  }
  if (judgeMode(mode, false) === 'WRITABLE') {
    problems.push(`${file} can be changed by every user of the machine: chmod o-w`);
  }
  const prefix = kind === 'common' ? '' : PREFIXES[kind];
  const read = new Map<string, string>();
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    const report = (problem: string) => problems.push(`${file} line ${String(at + 1)}: ${problem}`);
    const one = readEnvLine(line);
    if (one.kind === 'problem') report(one.problem);
    if (one.kind !== 'variable') continue;
    const problem = problemInFile(one.name, kind);
    if (problem !== null) report(problem);
    else if (read.has(prefix + one.name)) report(`${one.name} is set twice`);
    read.set(prefix + one.name, one.value);
  }
  const holdsSecrets = [...read].some(
    ([name, value]) => value !== '' && (SECRET_NAMES.has(name) || LOGIN.test(value)),
  );
  if (judgeMode(mode, holdsSecrets) === 'READABLE') {
    warn(`Warning: ${file} holds secrets, and every user of this machine can read it: chmod o-r.`);
  }
  return Object.fromEntries(read);
}
