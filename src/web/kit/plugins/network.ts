import ipaddr from 'ipaddr.js';
import { createClientAddressReader } from '../http/client-address.ts';
import type { WebApp } from '../web-deps.ts';

/**
 * Declares where a request came from, past trusted proxies as the API sees it: `request.network`, the /24 or /64 that
 * its sender can be thought to have all of, and `request.wideNetwork`, the /48 that a provider gives to one customer.
 */
export function installNetwork(
  app: WebApp,
  trustedProxies: readonly string[] = [],
  onUntrusted?: () => void,
): void {
  const read = createClientAddressReader(trustedProxies, onUntrusted);
  app.decorateRequest('network', '');
  app.decorateRequest('wideNetwork', '');
  app.addHook('onRequest', async (request) => {
    const forwardedFor = request.headers['x-forwarded-for'];
    const text = typeof forwardedFor === 'string' ? forwardedFor : forwardedFor?.join(',');
    const address = read(request.raw.socket.remoteAddress, text);
    request.network = networkOf(address, 64);
    request.wideNetwork = networkOf(address, 48);
  });
}

/** The network of an address as CIDR text; what is no address is one network by itself. */
function networkOf(address: string, bitsOfIpv6: number): string {
  const [plain = ''] = address.split('%');
  if (ipaddr.IPv6.isValid(plain)) {
    const bits = String(bitsOfIpv6);
    return `${ipaddr.IPv6.networkAddressFromCIDR(`${plain}/${bits}`).toString()}/${bits}`;
  }
  if (!ipaddr.IPv4.isValidFourPartDecimal(plain)) return address;
  return `${ipaddr.IPv4.networkAddressFromCIDR(`${plain}/24`).toString()}/24`;
}
