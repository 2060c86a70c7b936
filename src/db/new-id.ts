import { typeid } from 'typeid-js';

/** A new identifier: TypeID (prefix + UUIDv7 in base32), unique without asking a server. */
export function newId(prefix: string): string {
  return typeid(prefix).toString();
}
