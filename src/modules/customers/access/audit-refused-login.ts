import type { SystemTransaction } from '../../../db/client/database.ts';
import { takeBudget } from '../../../db/customers/login-challenge-store.ts';
import { recordLoginFailure } from '../../../db/customers/login-store.ts';
import { ADDRESS_PURPOSE } from '../mail/mail-rows.ts';
import type { LoginDeps } from './ask-for-code.ts';
import type { LoginFrom } from './code-asker.ts';

/** What was refused, in our own words: nothing that a stranger sent. */
type RefusedLogin =
  | { readonly by: 'CODE'; readonly isKnownDevice: boolean }
  | { readonly by: 'PASSKEY' }
  | { readonly by: 'PROVIDER'; readonly refusal: 'NO_ROLE' };

/**
 * Writes a refused login down for the people whom the address lets in: one row for an address, an hour and a way to log
 * in, and one more when a limit is reached. A flood writes no more, and an address that nobody has gets no row.
 */
export async function auditRefusedLogin(
  { vault, clock }: Pick<LoginDeps, 'vault' | 'clock'>,
  tx: SystemTransaction,
  { surface, address, network }: Pick<LoginFrom, 'surface' | 'address' | 'network'>,
  refused: RefusedLogin,
  isLast = false,
): Promise<void> {
  const at = clock.now();
  const key = vault.briefHash('code-budget', `audited:${refused.by}:${surface}:${address}`);
  const isFirst = await takeBudget(tx, key, at, 1);
  const failure = {
    ...{ surface, at, addressHashes: vault.keyedHashes(ADDRESS_PURPOSE, address) },
    details: { surface, network, ...refused },
  };
  if (isFirst) await recordLoginFailure(tx, { ...failure, action: 'login.failed' });
  if (isLast) await recordLoginFailure(tx, { ...failure, action: 'login.limit_reached' });
}
