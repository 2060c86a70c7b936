import { Agent, type Dispatcher } from 'undici';

/** How a bank or KYC provider knows us, and how we know it. PEM texts. */
export interface ProviderAccess {
  /** Goes along with every request as `Authorization: Bearer`. */
  readonly token?: string;
  readonly clientCert?: string;
  readonly clientKey?: string;
  /** Certificates to trust instead of Node's. */
  readonly ca?: string;
}

/**
 * Connections to one provider at a time. Calls beyond would wait while their timeout runs, so there are
 * more than the slots of a worker that may call one bank (src/server/temporal/worker-slots.ts).
 */
export const CONNECTIONS_MAX = 200;

/**
 * Connections to one bank or KYC provider, without pipelining: one that breaks takes a single request
 * with it. `connectTimeoutMs` reaches to the end of the TLS handshake and must be shorter than a
 * call's timeout, or no call fails as "not sent".
 */
export function openProviderDispatcher(
  access: ProviderAccess,
  connectTimeoutMs: number,
): Dispatcher {
  const agent = new Agent({
    pipelining: 1,
    connections: CONNECTIONS_MAX,
    connect: {
      timeout: connectTimeoutMs,
      // Written out: NODE_TLS_REJECT_UNAUTHORIZED must not be able to switch it off.
      rejectUnauthorized: true,
      cert: access.clientCert,
      key: access.clientKey,
      ca: access.ca,
    },
  });
  const { token } = access;
  if (token === undefined) return agent;
  return agent.compose((dispatch) => (options, handler) => {
    // Connectors and providers give their headers as an object.
    const headers = options.headers as Readonly<Record<string, string>> | undefined;
    return dispatch(
      { ...options, headers: { ...headers, authorization: `Bearer ${token}` } },
      handler,
    );
  });
}
