import type { SignerAccountKey } from '../../db/onchain/signer-account-store.ts';
import { platformScope } from '../../domain/platform-account.ts';
import { ENVIRONMENTS, type Scope } from '../../domain/scope.ts';

/** What a signer account is called where two operators decide about it: `environment/network/address`. */
export const nameOfSignerAccount = ({ environment, network, address }: SignerAccountKey): string =>
  `${environment}/${network}/${address}`;

/**
 * Signer accounts belong to no customer: two operators decide about one in the platform account, in the signer account's
 * environment.
 */
export function scopeOfSignerAccount(name: string): Scope {
  const environment = ENVIRONMENTS.find((one) => name.startsWith(`${one}/`));
  if (environment === undefined) throw new Error(`${name} names no signer account`);
  return platformScope(environment);
}
