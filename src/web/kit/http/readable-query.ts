/**
 * Is the percent-encoding of a URL's query UTF-8? Fastify's parser keeps a part that it cannot decode as it is:
 * "%ff" would become three characters.
 */
export function isReadableQuery(url: string): boolean {
  const start = url.indexOf('?');
  if (start === -1) return true;
  try {
    decodeURIComponent(url.slice(start + 1));
    return true;
  } catch {
    return false;
  }
}
