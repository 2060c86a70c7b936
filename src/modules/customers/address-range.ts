import ipaddr from 'ipaddr.js';

/** Widths that an address of a key may have at most, as the database's `range_is_narrow` says. */
const BITS_MIN = { ipv4: 16, ipv6: 32 } as const;
const BITS_OF_ONE = { ipv4: 32, ipv6: 128 } as const;

const PREFIX = /^(?:0|[1-9][0-9]{0,2})$/;

/** What ipaddr.js calls ranges that no request from the internet comes from (RFC 6890). */
const NOT_PUBLIC: readonly string[] = [
  ...['unspecified', 'loopback', 'private', 'linkLocal', 'carrierGradeNat', 'uniqueLocal'],
];

type RangeReading =
  | { readonly kind: 'RANGE'; readonly range: string }
  | { readonly kind: 'PROBLEM'; readonly message: string };

const problem = (message: string): RangeReading => ({ kind: 'PROBLEM', message });

/**
 * Reads what a user or operator typed as an address or a range of a key: `203.0.113.7`, `203.0.113.0/24`,
 * `2001:db8::/48`. Answers the range as CIDR, or what is wrong in a sentence that says what to write.
 */
export function readAddressRange(typed: string): RangeReading {
  const [address = '', prefix, ...rest] = typed.trim().split('/');
  if (rest.length > 0 || (prefix !== undefined && !PREFIX.test(prefix))) return notARange();
  // "127.1" or "0177.0.0.1" are one address to some readers and another one to others.
  const isFour = ipaddr.IPv4.isValidFourPartDecimal(address);
  if (!isFour && !(ipaddr.IPv6.isValid(address) && !address.includes('%'))) return notARange();
  const ip = ipaddr.parse(address);
  const kind = ip.kind();
  if (ip instanceof ipaddr.IPv6 && ip.isIPv4MappedAddress()) {
    return problem(`Write it as an IPv4 address: ${ip.toIPv4Address().toString()}.`);
  }
  const bits = prefix === undefined ? BITS_OF_ONE[kind] : Number(prefix);
  if (bits > BITS_OF_ONE[kind]) return notARange();
  if (bits < BITS_MIN[kind]) {
    return problem(
      `/${String(bits)} is too wide: an ${kind === 'ipv4' ? 'IPv4' : 'IPv6'} range is /${String(BITS_MIN[kind])} or narrower.`,
    );
  }
  const network = networkOf(kind, ip.toString(), bits);
  if (network !== ip.toString()) {
    return problem(
      `${ip.toString()}/${String(bits)} is not the beginning of a range. Write ${network}/${String(bits)}, or ${ip.toString()} alone.`,
    );
  }
  return { kind: 'RANGE', range: `${network}/${String(bits)}` };
}

/**
 * Whether the addresses of a range, as `readAddressRange` answers it, are of private networks or of this machine. A
 * range is narrower than each of those, so its first address tells.
 */
export function isNotPublic(range: string): boolean {
  const [address = ''] = range.split('/');
  return NOT_PUBLIC.includes(ipaddr.parse(address).range());
}

const notARange = (): RangeReading =>
  problem('Enter an IP address or a range, as 203.0.113.7 or 203.0.113.0/24.');

function networkOf(kind: 'ipv4' | 'ipv6', address: string, bits: number): string {
  const cidr = `${address}/${String(bits)}`;
  return kind === 'ipv4'
    ? ipaddr.IPv4.networkAddressFromCIDR(cidr).toString()
    : ipaddr.IPv6.networkAddressFromCIDR(cidr).toString();
}
