import type { KeyedHashes } from '../../../vault/keyed-hash.ts';
import { formMadeAt } from './form-token.ts';

/** How long an authenticator may take to answer what a page asked of it. */
const LIFE_MS = 5 * 60_000;

/**
 * What a page asks an authenticator to sign, in base64url. It is made of the page's form: as random as its
 * token, good for the one use that the token is, and for nothing but what `of` names.
 */
export function passkeyChallenge(
  vault: KeyedHashes,
  formToken: string,
  of: readonly string[],
): string {
  return vault
    .briefHash('passkey-challenge', JSON.stringify([formToken, ...of]))
    .toString('base64url');
}

/** Was the form made so lately that what it asked may still be answered? */
export function isChallengeFresh(formToken: string, now: Date): boolean {
  const madeAt = formMadeAt(formToken);
  return madeAt !== null && now.getTime() - madeAt.getTime() <= LIFE_MS;
}
