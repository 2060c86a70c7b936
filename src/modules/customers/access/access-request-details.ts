import type { AccessRequestDetails } from '../../../domain/customers/access/access-request.ts';
import type { Vault } from '../../../vault/vault.ts';

/** The row that what a request tells is sealed for. */
export const detailsRow = (id: string): string => `access_requests/${id}/details`;

export const sealDetails = (
  vault: Pick<Vault, 'sealJson'>,
  id: string,
  details: AccessRequestDetails,
): Buffer => vault.sealJson(details, detailsRow(id));

/** What a request tells; null once it is erased. */
export const openDetails = (
  vault: Pick<Vault, 'openJson'>,
  request: { readonly id: string; readonly details: Buffer | null },
): AccessRequestDetails | null =>
  request.details === null
    ? null
    : vault.openJson<AccessRequestDetails>(request.details, detailsRow(request.id));
