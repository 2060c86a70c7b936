import { findEndUser } from '../../db/parties/end-user-store.ts';
import { Refusal } from '../../domain/errors/refusal.ts';
import type { Scope } from '../../domain/scope.ts';
import { eraseEndUser } from '../../modules/parties/end-users/erase-end-user.ts';
import type { OpsDeps } from './command-context.ts';

/** Whom a list of erasures names. */
export type NamedEndUser = Scope & { readonly endUserId: string };

/** What became of one line: KNOWN was erased in this database already, MISSING is not in it. */
export type Reapplied =
  | { readonly kind: 'ERASED' | 'KNOWN' | 'MISSING' }
  | { readonly kind: 'REFUSED'; readonly codes: readonly string[] };

/**
 * Erases an end-user whom a restore has brought back. The retention was over when they were erased first,
 * so it is not judged again; an end-user who is not closed, or has payments that are not final, is refused:
 * their bytes may still be needed.
 */
export async function reapplyErasure(
  { db, vault, clock }: Pick<OpsDeps, 'db' | 'vault' | 'clock'>,
  { customerId, environment, endUserId }: NamedEndUser,
  operator: string,
): Promise<Reapplied> {
  const scope = { customerId, environment };
  const found = await db.read(scope, (tx) => findEndUser(tx, scope, endUserId));
  if (found === null) return { kind: 'MISSING' };
  if (found.erasedAt !== null) return { kind: 'KNOWN' };
  const who = { endUserId, actor: { kind: 'OPERATOR', name: operator } } as const;
  try {
    await db.write(scope, (tx) => eraseEndUser({ vault, clock, retentionMs: 0 }, tx, scope, who));
    return { kind: 'ERASED' };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { kind: 'REFUSED', codes: error.details.map(({ code }) => code) };
  }
}
