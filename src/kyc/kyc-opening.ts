import type { EndUserRow } from '../db/end-user-store.ts';
import type { KycCheckRow } from '../db/kyc-check-store.ts';
import { endUserOwner, endUserRow } from '../end-users/end-user-personal.ts';
import type { EndUserPersonal } from '../end-users/end-user-personal.ts';
import type { Vault } from '../vault/vault.ts';

/** What the provider is told of an end-user: who they are, neither contacts nor tax ids. */
export function kycOpening(
  stored: { readonly row: KycCheckRow; readonly endUser: EndUserRow },
  vault: Vault,
) {
  const { row, endUser } = stored;
  const { individual, business } = vault
    .of(endUserOwner(endUser))
    .openJson<EndUserPersonal>(endUser.personal, endUserRow(endUser.id));
  const person = individual ?? business?.persons[0];
  if (person === undefined) throw new Error(`end-user ${endUser.id} names no person`);
  return {
    reference: row.id,
    type: endUser.type,
    firstName: person.firstName,
    lastName: person.lastName,
    dateOfBirth: person.dateOfBirth,
    nationality: person.nationality,
    legalName: business?.legalName,
    registrationNumber: business?.registrationNumber,
    incorporationCountry: business?.incorporationCountry,
    redirectUrl: row.redirectUrl ?? undefined,
  };
}
