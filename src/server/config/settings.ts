import { Type, type Static, type TObject, type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import type { Environment } from '../../domain/scope.ts';

/** Settings that cannot be used. The message names every variable and what it should be. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(['The settings cannot be used:', ...problems.map((line) => `- ${line}`)].join('\n'));
    this.name = 'ConfigError';
  }
}

/** Environment variables by name, as `process.env` is. */
export type Env = Readonly<Record<string, string | undefined>>;

/** What a setting's schema says beside its type. Made by setting-types.ts. */
export interface Setting {
  /** The environment variable. */
  readonly env: string;
  /** Its meaning, for docs/reference/configuration.md. */
  readonly description: string;
  readonly unit: string;
  /** The environment that has it; absent where both share it. Set by setting-scope.ts. */
  readonly scope?: Environment;
  /** What its value must be, in words for messages: `a whole number from 1 to 9`. */
  readonly must: string;
  readonly default?: unknown;
  /** Instead of the default in docs/reference/configuration.md, where the default is no fixed value. */
  readonly defaultText?: string;
  readonly parse?: (text: string) => unknown;
  /** A secret: NAME_FILE may name a file that holds it (secret-files.ts). */
  readonly isSecret?: true;
}

/** Reports what goes beyond one variable, in a line that names them. */
export type Report = (names: readonly string[], line: string) => void;

/**
 * Reads the environment variables that a schema names, into the schema's shape; `check` reports what
 * goes beyond one variable. Throws ConfigError with all problems at once. Values are never repeated,
 * for some are secrets. An optional group of settings is absent where its first variable is not set.
 */
export function readSettings<Schema extends TObject>(
  schema: Schema,
  env: Env,
  check: (settings: Static<Schema>, report: Report) => void = () => undefined,
): Static<Schema> {
  const wrong = new Map<string, string>();
  const settings = readGroup(schema, env, wrong) as Static<Schema>;
  const lines: string[] = [];
  check(settings, (names, line) => {
    // What follows from a value that is wrong by itself would only mislead.
    if (!names.some((name) => wrong.has(name))) lines.push(line);
  });
  if (wrong.size + lines.length > 0) throw new ConfigError([...wrong.values(), ...lines]);
  return settings;
}

/** The variable's text, `''` where it is not set: an empty one counts as that. */
export function textOf(env: Env, name: string): string {
  return env[name]?.trim() ?? '';
}

/** The settings of a schema, those of its groups included. */
export function listSettings(group: TObject): TSchema[] {
  return Object.values(group.properties).flatMap((schema) =>
    Type.IsObject(schema) ? listSettings(schema) : [schema],
  );
}

export function settingOf(schema: TSchema): Setting {
  return schema as unknown as Setting;
}

function readGroup(group: TObject, env: Env, wrong: Map<string, string>): unknown {
  const [first] = listSettings(group);
  const isUsed = first !== undefined && textOf(env, settingOf(first).env) !== '';
  if (Type.IsOptional(group) && !isUsed) return undefined;
  const entries = Object.entries(group.properties).map(([field, schema]) => [
    field,
    Type.IsObject(schema) ? readGroup(schema, env, wrong) : readOne(schema, env, wrong),
  ]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function readOne(schema: TSchema, env: Env, wrong: Map<string, string>): unknown {
  const { env: name, default: fallback, parse = String, must } = settingOf(schema);
  const text = textOf(env, name);
  const value = text === '' ? fallback : parse(text);
  if (value === undefined && Type.IsOptional(schema)) return undefined;
  if (value !== undefined && Value.Check(schema, value)) return value;
  wrong.set(name, value === undefined ? `${name} is not set: ${must}` : `${name} must be ${must}`);
  // Of the right type, so that the checks beyond one variable can go on.
  return Type.IsString(schema) ? text : fallback;
}
