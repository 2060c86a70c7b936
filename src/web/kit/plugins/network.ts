import ipaddr from 'ipaddr.js';
import { createClientAddressReader } from '../http/client-address.ts';
import type { WebApp } from '../web-deps.ts';

/**
 * Declares `request.network`: where it came from, past trusted proxies as the API sees it, as the /24 or /64
 * that its sender can be thought to have all of.
 */
export function installNetwork(
  app: WebApp,
  trustedProxies: readonly string[] = [],
  onUntrusted?: () => void,
): void {
  const read = createClientAddressReader(trustedProxies, onUntrusted);
  app.decorateRequest('network', '');
  app.addHook('onRequest', async (request) => {
    const forwardedFor = request.headers['x-forwarded-for'];
    const text = typeof forwardedFor === 'string' ? forwardedFor : forwardedFor?.join(',');
    request.network = networkOf(read(request.raw.socket.remoteAddress, text));
  });
}

/** The network of an address as CIDR text; what is no address is one network by itself. */
function networkOf(address: string): string {
  const [plain = ''] = address.split('%');
  if (ipaddr.IPv6.isValid(plain)) {
    return `${ipaddr.IPv6.networkAddressFromCIDR(`${plain}/64`).toString()}/64`;
  }
  if (!ipaddr.IPv4.isValidFourPartDecimal(plain)) return address;
  return `${ipaddr.IPv4.networkAddressFromCIDR(`${plain}/24`).toString()}/24`;
}
