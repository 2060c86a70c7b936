import { Client, Connection, type ConnectionLike } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';

/** Where Temporal is and who we are there, as the SDK's own environment names say. */
export interface TemporalSettings {
  readonly namespace: string;
  readonly connection: NonNullable<ReturnType<typeof loadClientConnectConfig>['connectionOptions']>;
}

/**
 * Reads TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TEMPORAL_API_KEY, TEMPORAL_TLS_* and the profile file
 * as every Temporal tool does, so that Temporal Cloud needs no code of ours. Throws TypeError, which holds no value.
 */
export function readTemporalSettings(
  env: Readonly<Record<string, string | undefined>>,
): TemporalSettings {
  const given = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  let loaded: ReturnType<typeof loadClientConnectConfig>;
  try {
    loaded = loadClientConnectConfig({ overrideEnvVars: Object.fromEntries(given) });
  } catch {
    // What the SDK throws may quote a key, or a line of the profile file.
    const names = given.map(([name]) => name).filter((name) => name.startsWith('TEMPORAL_'));
    throw new TypeError(
      `The settings of Temporal cannot be used. Check ${names.sort().join(', ')}, and the profile file.`,
    );
  }
  return {
    namespace: loaded.namespace ?? 'default',
    connection: loaded.connectionOptions,
  };
}

/** A client that connects when it is first used: the API starts while Temporal is down. */
export function connectLazily(settings: TemporalSettings): Client {
  return clientOver(Connection.lazy(settings.connection), settings);
}

export function clientOver(connection: ConnectionLike, settings: TemporalSettings): Client {
  return new Client({ connection, namespace: settings.namespace });
}
