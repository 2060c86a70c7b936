import { kycCheckRow } from '../../../../modules/parties/kyc/kyc-link.ts';
import type { KycPage } from '../../../../modules/parties/kyc/kyc-page.ts';
import type { HttpDeps } from '../../../deps.ts';

/** The provider's page of a check; null where the provider has not opened it. */
export function providerLink(
  { vault }: Pick<HttpDeps, 'vault'>,
  { check }: KycPage,
): string | null {
  if (check.providerUrl === null) return null;
  return vault.of(check).open(check.providerUrl, kycCheckRow(check.id)).toString();
}
