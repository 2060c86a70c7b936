import { lookup, Resolver } from 'node:dns/promises';

/** All addresses of a name, never none. Rejects where the name has none or no name server answers. */
export type ResolveName = (hostname: string) => Promise<string[]>;

const QUERY_TIMEOUT_MS = 2_000;
const QUERY_TRIES = 2;
/** Codes by which DNS says that there is nothing, so that the machine's own files may know it. */
const NOTHING_FOUND = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED']);

/**
 * Asks DNS directly. The system's own look-up runs on a few threads that a dead name server would
 * hold for many seconds, and every other endpoint would wait; it is only asked about names that DNS
 * does not have, such as those of /etc/hosts.
 */
export const resolveName: ResolveName = (hostname) => resolve(hostname);

/** The same by certain name servers, each `address` or `address:port`, rather than the system's. */
export function createNameResolver(servers: readonly string[]): ResolveName {
  return (hostname) => resolve(hostname, servers);
}

async function resolve(hostname: string, servers?: readonly string[]): Promise<string[]> {
  // RFC 6761, section 6.3: these names never leave the machine.
  if (/(^|\.)localhost\.?$/i.test(hostname)) return ['127.0.0.1', '::1'];
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  const answers = await Promise.allSettled([
    resolver.resolve4(hostname),
    resolver.resolve6(hostname),
  ]);
  const addresses = answers.flatMap((answer) =>
    answer.status === 'fulfilled' ? answer.value : [],
  );
  if (addresses.length > 0) return addresses;
  for (const answer of answers) {
    if (answer.status === 'rejected' && !NOTHING_FOUND.has(codeOf(answer.reason))) {
      throw new Error('the name could not be looked up', { cause: answer.reason });
    }
  }
  return (await lookup(hostname, { all: true })).map((entry) => entry.address);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
