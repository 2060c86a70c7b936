import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * `public` may be sent to. `loopback` is this machine, allowed only where the operator says so.
 * `forbidden` is never sent to: private networks, cloud metadata, shared and special ranges.
 */
type AddressKind = 'public' | 'loopback' | 'forbidden';

/** What a receiver under development has. */
const LOOPBACK_4 = ['127.0.0.0/8'];
/** IANA IPv4 Special-Purpose Address Registry, what is not globally reachable, and multicast. */
const FORBIDDEN_4 = [
  '0.0.0.0/8',
  '10.0.0.0/8', // private networks (RFC 1918), as the next two
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10', // carrier-grade NAT
  '169.254.0.0/16', // link-local, cloud metadata
  '168.63.129.16/32', // Azure's own services, on every machine there
  '192.0.0.0/24',
  '192.0.2.0/24', // documentation, as the next two
  '198.51.100.0/24',
  '203.0.113.0/24',
  '192.88.99.0/24', // 6to4 relays
  '198.18.0.0/15', // benchmarks
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
];
const LOOPBACK_6 = ['::1/128'];
/** Holes in what would be public: NAT64 and global unicast. What is neither is forbidden as a whole. */
const FORBIDDEN_6 = [
  '2001::/23', // IETF protocols: Teredo, ORCHID, benchmarks
  '2001:db8::/32', // documentation, as the next one
  '3fff::/20',
  '64:ff9b:1::/48', // NAT64 of a private network
];
const GLOBAL_UNICAST_6 = ['2000::/3'];

const loopback4 = blockList(LOOPBACK_4, 'ipv4');
const forbidden4 = blockList(FORBIDDEN_4, 'ipv4');
const loopback6 = blockList(LOOPBACK_6, 'ipv6');
const forbidden6 = blockList(FORBIDDEN_6, 'ipv6');
const globalUnicast6 = blockList(GLOBAL_UNICAST_6, 'ipv6');

/** Judges one address in the form that a socket has. What is no such address is forbidden. */
export function classifyAddress(address: string): AddressKind {
  if (isIP(address) === 0) return 'forbidden';
  // IPv4-compatible (RFC 4291, deprecated): ipaddr.js would take it for IPv4-mapped.
  if (/^::\d+\./.test(address)) return 'forbidden';
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv4) return classify4(parsed.toString());
  if (parsed.isIPv4MappedAddress()) return classify4(parsed.toIPv4Address().toString());
  const normal = parsed.toNormalizedString().replace(/%.*$/, '');
  if (forbidden6.check(normal, 'ipv6')) return 'forbidden';
  const carried = carriedIPv4(parsed);
  // A translator carries the packet to the IPv4 address inside, which only the public may be.
  if (carried !== null) return classify4(carried) === 'public' ? 'public' : 'forbidden';
  if (loopback6.check(normal, 'ipv6')) return 'loopback';
  return globalUnicast6.check(normal, 'ipv6') ? 'public' : 'forbidden';
}

function classify4(address: string): AddressKind {
  if (forbidden4.check(address, 'ipv4')) return 'forbidden';
  return loopback4.check(address, 'ipv4') ? 'loopback' : 'public';
}

/** The IPv4 address within NAT64's well-known prefix (RFC 6052) or 6to4 (RFC 3056). */
function carriedIPv4(address: ipaddr.IPv6): string | null {
  const bytes = address.toByteArray();
  const range = address.range();
  if (range === 'rfc6052') return bytes.slice(12).join('.');
  return range === '6to4' ? bytes.slice(2, 6).join('.') : null;
}

function blockList(ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits = ''] = range.split('/');
    list.addSubnet(network, Number(bits), family);
  }
  return list;
}
