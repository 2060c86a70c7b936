import { Type, type TSchema } from 'typebox';
import { ENVIRONMENTS, type Environment } from '../../domain/scope.ts';
import { listSettings, settingOf } from './settings.ts';

/** What the environment variables of one environment begin with. */
export const PREFIXES: Readonly<Record<Environment, string>> = { test: 'TEST_', live: 'LIVE_' };

/** The environment variable of a setting that each environment has: `TEST_BANK_URL`. */
export function variableOf(environment: Environment, name: string): string {
  return PREFIXES[environment] + name;
}

/** Settings that test and live each have. `build` declares them once, by their names without a prefix. */
export function perEnvironment<Schema extends TSchema>(
  build: (environment: Environment) => Schema,
) {
  return Type.Object({
    test: inEnvironment('test', build('test')),
    live: inEnvironment('live', build('live')),
  });
}

/** Settings that only this environment has, declared by their names without a prefix. */
export function inEnvironment<Schema extends TSchema>(
  environment: Environment,
  schema: Schema,
): Schema {
  const settings = Type.IsObject(schema) ? listSettings(schema) : [schema];
  for (const setting of settings) {
    const { env: name, scope } = settingOf(setting);
    if (scope !== undefined) throw new RangeError(`${name} has a scope already`);
    Object.assign(setting, { env: variableOf(environment, name), scope: environment });
  }
  return schema;
}

/** A setting's name without the prefix of its environment, as its file has it. */
export function baseNameOf(setting: TSchema): string {
  const { env, scope } = settingOf(setting);
  return scope === undefined ? env : env.slice(PREFIXES[scope].length);
}

/** Whether a name begins as those of one environment do. */
export function environmentOf(name: string): Environment | undefined {
  return ENVIRONMENTS.find((environment) => name.startsWith(PREFIXES[environment]));
}
