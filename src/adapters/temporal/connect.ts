import { setTimeout as pause } from 'node:timers/promises';
import {
  Client,
  Connection,
  defaultGrpcRetryOptions,
  makeGrpcRetryInterceptor,
  type ConnectionLike,
  type GrpcRetryOptions,
} from '@temporalio/client';
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

/** The longest time until the SDK repeats a call that failed. */
const RETRY_MAX_MS = 1_000;

/**
 * A client that connects when it is first used: the API starts while Temporal is down. Closing its connection waits for
 * calls that are about to be repeated, one second at the most: on a closed channel the SDK would throw out of a timer, and
 * end the process.
 */
export function connectLazily(settings: TemporalSettings): Client {
  const { options, end } = retryUntilClosed();
  const interceptors = [makeGrpcRetryInterceptor(options)];
  const connection = Connection.lazy({ ...settings.connection, interceptors });
  const close = connection.close.bind(connection);
  connection.close = async () => {
    await end();
    await close();
  };
  return clientOver(connection, settings);
}

function retryUntilClosed(): { readonly options: GrpcRetryOptions; end(): Promise<void> } {
  const { delayFunction, retryableDecider } = defaultGrpcRetryOptions();
  let isClosing = false;
  let waiting = 0;
  return {
    options: {
      retryableDecider: (attempt, status) => !isClosing && retryableDecider(attempt, status),
      delayFunction(attempt, status) {
        const ms = Math.min(RETRY_MAX_MS, delayFunction(attempt, status));
        waiting += 1;
        // After the SDK's own timer, which begins later by what stands between.
        setTimeout(() => (waiting -= 1), ms + 50);
        return ms;
      },
    },
    async end() {
      isClosing = true;
      while (waiting > 0) await pause(10);
    },
  };
}

export function clientOver(connection: ConnectionLike, settings: TemporalSettings): Client {
  return new Client({ connection, namespace: settings.namespace });
}
