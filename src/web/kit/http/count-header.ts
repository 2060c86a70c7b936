import type { IncomingMessage } from 'node:http';

/** How often a header (its name in lower case) came. `headers` has joined or dropped the others. */
export function countHeader(raw: IncomingMessage, name: string): number {
  return raw.rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name)
    .length;
}
