import { createHash } from 'node:crypto';
import type { QueryConfig } from 'pg';

const names = new Map<string, string>();

/**
 * A statement with values is prepared once a connection under a name made from its text: PostgreSQL
 * then parses and plans it once. Texts are constants of the stores, so the names stay few.
 */
export function prepareStatement(text: string, values?: readonly unknown[]): QueryConfig {
  if (values === undefined || values.length === 0) return { text };
  let name = names.get(text);
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 24);
    names.set(text, name);
  }
  return { name, text, values: [...values] };
}
