import { createVariables, type Env, type Variables } from './variables.ts';

export interface DatabaseConfig {
  /** The owner of the tables: migrations and nothing else, where the other two are set. */
  readonly url: string;
  readonly appUrl: string;
  readonly systemUrl: string;
  readonly appConnectionsMax: number;
  readonly systemConnectionsMax: number;
}

/**
 * Reads where PostgreSQL is. DATABASE_URL alone will do: its connections take on the roles of the
 * application. APP_DATABASE_URL and SYSTEM_DATABASE_URL give each a login of its own.
 */
export function readDatabaseConfig(variables: Variables): DatabaseConfig {
  const url = variables.required('DATABASE_URL', 'where PostgreSQL is (postgres://...)');
  const optionalUrl = (name: string): string => readPostgresUrl(variables, name) ?? url;
  readPostgresUrl(variables, 'DATABASE_URL');
  return {
    url,
    appUrl: optionalUrl('APP_DATABASE_URL'),
    systemUrl: optionalUrl('SYSTEM_DATABASE_URL'),
    appConnectionsMax: variables.integer('DATABASE_CONNECTIONS_MAX', 20, [2, 1_000]),
    systemConnectionsMax: variables.integer('SYSTEM_DATABASE_CONNECTIONS_MAX', 4, [1, 100]),
  };
}

function readPostgresUrl(variables: Variables, name: string): string | undefined {
  const value = variables.optional(name);
  if (value === undefined || /^postgres(ql)?:\/\//.test(value)) return value;
  variables.problem(`${name} must begin with postgres://`);
  return undefined;
}

/** The owner's URL alone, for a program that needs nothing else. */
export function readOwnerUrl(env: Env): string {
  const variables = createVariables(env);
  const { url } = readDatabaseConfig(variables);
  variables.finish();
  return url;
}
