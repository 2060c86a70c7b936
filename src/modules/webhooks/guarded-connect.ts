import { isIP, type LookupFunction, type Socket } from 'node:net';
import { buildConnector } from 'undici';
import { limitAnswers } from './answer-limit.ts';
import type { ResolveName } from './resolve-name.ts';
import { areAllowedAddresses, isAllowedAddress, type UrlPolicy } from './url-rules.ts';

/** The socket would have gone, or went, where webhooks may not go. */
class AddressRefused extends Error {
  readonly code = 'ADDRESS_REFUSED';
}

interface GuardedConnectOptions {
  readonly policy: UrlPolicy;
  readonly resolve: ResolveName;
  readonly timeoutMs: number;
  /** Certificates to trust instead of the system's. */
  readonly ca?: string;
}

/**
 * Opens sockets only to addresses that the policy allows. The name is resolved once and the socket
 * gets exactly the addresses that were judged, so a name that changes its answer gains nothing. An
 * address in the URL is never looked up, so it is judged here, and the peer once more when it is there.
 */
export function createGuardedConnect(options: GuardedConnectOptions): buildConnector.connector {
  const { policy } = options;
  const connect = buildConnector({
    lookup: guardLookup(options),
    timeout: options.timeoutMs,
    // Written out: NODE_TLS_REJECT_UNAUTHORIZED must not be able to switch it off.
    rejectUnauthorized: true,
    ca: options.ca,
    allowH2: false,
  });
  return (target, callback) => {
    if (isIP(target.hostname) !== 0 && !isAllowedAddress(target.hostname, policy)) {
      callback(new AddressRefused('address refused'), null);
      return;
    }
    connect(target, (...[error, socket]) => {
      const refusal = error ?? judgePeer(socket, policy);
      if (refusal === null && socket !== null) {
        limitAnswers(socket);
        callback(null, socket);
        return;
      }
      socket?.destroy();
      callback(refusal ?? gone(), null);
    });
  };
}

function judgePeer(socket: Socket, policy: UrlPolicy): Error | null {
  const { remoteAddress } = socket;
  // Reset as soon as it was open: it leads nowhere any more, which says nothing of its address.
  if (remoteAddress === undefined) return gone();
  return isAllowedAddress(remoteAddress, policy)
    ? null
    : new AddressRefused('peer address refused');
}

function gone(): NodeJS.ErrnoException {
  return Object.assign(new Error('connection gone'), { code: 'ECONNRESET' });
}

function guardLookup(options: GuardedConnectOptions): LookupFunction {
  return (hostname, { all, family }, callback) => {
    options.resolve(hostname).then(
      (addresses) => {
        if (addresses.length > 0 && !areAllowedAddresses(addresses, options.policy)) {
          callback(new AddressRefused('address refused'), []);
          return;
        }
        const entries = addresses.map((address) => ({ address, family: isIP(address) }));
        const wanted = entries.filter((entry) => !family || entry.family === Number(family));
        const first = wanted[0];
        if (first === undefined) callback(nameNotFound(), []);
        else if (all === true) callback(null, wanted);
        else callback(null, first.address, first.family);
      },
      () => {
        callback(nameNotFound(), []);
      },
    );
  };
}

function nameNotFound(): NodeJS.ErrnoException {
  return Object.assign(new Error('name not found'), { code: 'ENOTFOUND' });
}
