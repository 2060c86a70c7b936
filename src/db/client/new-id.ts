import { TypeID, typeid } from 'typeid-js';

/** A new identifier: TypeID (prefix + UUIDv7 in base32), unique without asking a server. */
export function newId(prefix: string): string {
  return typeid(prefix).toString();
}

const UUID_BYTES = 16;

/**
 * The identifier that follows from a hash of 16 bytes or more: TypeID (prefix + UUIDv8, RFC 9562 section 5.8, in
 * base32). The same hash gives the same one, in every life of the database. Throws RangeError for a shorter hash.
 */
export function idOfHash(prefix: string, hash: Uint8Array): string {
  if (hash.length < UUID_BYTES) throw new RangeError('an id is made of 16 bytes');
  const bytes = Uint8Array.from(hash.subarray(0, UUID_BYTES));
  bytes[6] = 0x80 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  return TypeID.fromUUIDBytes(prefix, bytes).toString();
}
