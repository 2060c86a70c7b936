import { Client, Connection, type ConnectionLike } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { NativeConnection } from '@temporalio/worker';

/** Where Temporal is and who we are there, as the SDK's own environment names say. */
export interface TemporalSettings {
  readonly namespace: string;
  readonly connection: NonNullable<ReturnType<typeof loadClientConnectConfig>['connectionOptions']>;
}

/**
 * Reads TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TEMPORAL_API_KEY, TEMPORAL_TLS_* and the profile file
 * as every Temporal tool does, so that Temporal Cloud needs no code of ours.
 */
export function readTemporalSettings(env: Record<string, string>): TemporalSettings {
  const loaded = loadClientConnectConfig({ overrideEnvVars: env });
  return {
    namespace: loaded.namespace ?? 'default',
    connection: loaded.connectionOptions,
  };
}

/** A client that connects when it is first used: the API starts while Temporal is down. */
export function connectLazily(settings: TemporalSettings): Client {
  return clientOver(Connection.lazy(settings.connection), settings);
}

/** The worker's connection. Without gzip: payloads are a few ids, and the server is near. */
export function connectNatively(settings: TemporalSettings): Promise<NativeConnection> {
  return NativeConnection.connect(settings.connection);
}

export function clientOver(connection: ConnectionLike, settings: TemporalSettings): Client {
  return new Client({ connection, namespace: settings.namespace });
}
