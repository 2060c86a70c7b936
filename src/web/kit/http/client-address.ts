import ipaddr from 'ipaddr.js';

/** Stands for an address that cannot be told: it is in no range. */
const UNKNOWN_ADDRESS = 'unknown';

export type ReadClientAddress = (peer: string | undefined, forwardedFor?: string) => string;

/**
 * Tells where a request came from: the socket's peer, unless that is a trusted proxy; then
 * X-Forwarded-For is walked from the right, past trusted proxies, to the first address that is none.
 * What stands further left was written by the caller and proves nothing. IPv4-mapped IPv6 counts as
 * IPv4. Throws where a range is no CIDR text.
 * @param onUntrusted is called for a peer that names a client and is no trusted proxy.
 */
export function createClientAddressReader(
  trustedProxies: readonly string[],
  onUntrusted: () => void = () => undefined,
): ReadClientAddress {
  const isTrusted = createRangeCheck(trustedProxies);
  return (peer, forwardedFor) => {
    let seen = normaliseAddress(peer ?? '');
    if (forwardedFor !== undefined && !isTrusted(seen)) onUntrusted();
    const hops = forwardedFor === undefined ? [] : forwardedFor.split(',');
    while (hops.length > 0 && isTrusted(seen)) {
      seen = normaliseAddress(withoutPort((hops.pop() ?? '').trim()));
    }
    return seen;
  };
}

/** Does an address lie in one of the ranges (CIDR texts)? Throws where a range is malformed. */
export function createRangeCheck(ranges: readonly string[]): (address: string) => boolean {
  const parsed = ranges.map((range) => ipaddr.parseCIDR(range));
  return (address) => {
    if (!ipaddr.isValid(address)) return false;
    const ip = ipaddr.process(address);
    return parsed.some(
      ([network, bits]) => network.kind() === ip.kind() && ip.match(network, bits),
    );
  };
}

/** One spelling an address: IPv4 where it is one in disguise; "unknown" for what is no address. */
export function normaliseAddress(address: string): string {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return ipaddr.parse(address).toString();
  if (ipaddr.IPv6.isValid(address)) return ipaddr.process(address).toString();
  // "127.1" and the like are spellings of one address to some readers and of another to others.
  return UNKNOWN_ADDRESS;
}

/** The network that failures of one caller are counted by: an IPv6 customer owns a /64 at the least. */
export function networkOf(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${address.split('%')[0] ?? ''}/64`);
  return `${network.toString()}/64`;
}

// Some gateways write "192.0.2.1:4711" or "[2001:db8::1]:4711".
function withoutPort(text: string): string {
  const match = /^(?:\[([^\]]+)\]|([0-9.]+))(?::[0-9]{1,5})?$/.exec(text);
  return match?.[1] ?? match?.[2] ?? text;
}

/** As PostgreSQL's inet takes it: without the zone of a link-local address; null for what is no address. */
export function storableAddress(address: string): string | null {
  const plain = address.split('%')[0] ?? '';
  return ipaddr.isValid(plain) ? plain : null;
}
