import type { FastifyRequest } from 'fastify';
import { Refusal } from '../domain/errors/refusal.ts';
import type { RequireVersion } from '../domain/require-version.ts';

/** The strong entity tag of a version (RFC 9110 section 8.8.3). */
export const entityTag = (version: number): string => `"${String(version)}"`;

const PATH = '/header/if-match';

// RFC 9110 section 8.8.3: an opaque tag may hold commas, so a list cannot be split at them.
const TAG = /[ \t]*(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*(?:,|$)/y;
const EMPTY_ELEMENT = /[ \t]*(?:,|$)/y;

/**
 * What a request's If-Match asks for (RFC 9110 section 13.1.1): one of the versions named, or with `*`
 * any. A weak tag matches nothing. Throws 400 invalid_parameter for what is no If-Match, whatever it is
 * asked of; without the header every version will do.
 */
export function requireVersionOf(request: FastifyRequest): RequireVersion {
  const header = request.headers['if-match'];
  if (header === undefined || header.trim() === '*') return () => undefined;
  const tags = readStrongTags(header);
  if (tags === null) {
    const message = 'If-Match must be * or a list of entity tags such as "3".';
    throw new Refusal('invalid_parameter', message, [
      { path: PATH, code: 'invalid_parameter', message },
    ]);
  }
  return (version) => {
    if (tags.has(entityTag(version))) return;
    const message =
      'If-Match does not match the current version of the resource. Read the resource again and use its new ETag.';
    throw new Refusal('precondition_failed', message, [
      { path: PATH, code: 'precondition_failed', message, meta: { version } },
    ]);
  };
}

/** The strong tags of a list; null where it is malformed or names none at all. */
function readStrongTags(header: string): ReadonlySet<string> | null {
  const strong = new Set<string>();
  let named = 0;
  for (let at = 0; at < header.length;) {
    TAG.lastIndex = at;
    EMPTY_ELEMENT.lastIndex = at;
    const tag = TAG.exec(header);
    if (tag !== null) {
      named += 1;
      if (tag[1] === undefined) strong.add(`"${tag[2] ?? ''}"`);
      at = TAG.lastIndex;
    } else if (EMPTY_ELEMENT.test(header)) at = EMPTY_ELEMENT.lastIndex;
    else return null;
  }
  return named === 0 ? null : strong;
}
