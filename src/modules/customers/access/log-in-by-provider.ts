import { findLoginPeople } from '../../../db/customers/login-store.ts';
import type {
  LoginProvider,
  ProviderIdentity,
} from '../../../domain/customers/access/login-provider.ts';
import { ADDRESS_PURPOSE } from '../mail/mail-rows.ts';
import type { LoginDeps } from './ask-for-code.ts';
import { auditRefusedLogin } from './audit-refused-login.ts';
import type { LoginFrom } from './code-asker.ts';
import { logIn, type LoginOutcome } from './log-in.ts';
import { issueCode } from './login-codes.ts';

/** Why a person whom the provider knows is not let in. */
export type ProviderRefusal = 'NO_ADDRESS' | 'NO_ACCOUNT' | 'NO_ROLE';

/** A browser as codes that stand for a provider's word know it: no code by mail is ever judged as one of them. */
export const providerBrowser = (browser: string): string => `provider/${browser}`;

/**
 * Logs in whom a provider has named. A code that no mail carries stands for its word: the login goes on as one by mail
 * does, so a person with passkeys shows one, and a person with several accounts chooses. What they may do stays in our
 * rows: the provider's roles only keep operators out. Answers the code with the outcome, for the step that may follow.
 */
export async function logInByProvider(
  deps: LoginDeps,
  { issuer, hasRoles }: LoginProvider,
  { address, roles }: ProviderIdentity,
  from: Omit<LoginFrom, 'address'> & { readonly browserName: string },
): Promise<
  | { readonly refusal: ProviderRefusal }
  | { readonly address: string; readonly code: string; readonly outcome: LoginOutcome }
> {
  if (address === null) return { refusal: 'NO_ADDRESS' };
  const attempt = { ...from, address, browser: providerBrowser(from.browser) };
  const issued = await deps.db.system(async (tx) => {
    const hashes = deps.vault.keyedHashes(ADDRESS_PURPOSE, address);
    const people = await findLoginPeople(tx, from.surface, hashes);
    if (people.length === 0) return 'NO_ACCOUNT';
    const isGranted = people.every(({ role }) => roles.some((granted) => granted === role));
    if (hasRoles && !isGranted) {
      await auditRefusedLogin(deps, tx, attempt, { by: 'PROVIDER', refusal: 'NO_ROLE' });
      return 'NO_ROLE';
    }
    return issueCode(deps, tx, attempt);
  });
  if (typeof issued === 'string') return { refusal: issued };
  const { code } = issued;
  const given = { ...attempt, code, personId: '', passkey: null, provider: issuer };
  return { address, code, outcome: await logIn(deps, given, () => Promise.resolve()) };
}
