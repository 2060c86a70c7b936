import type { EndUserRow } from '../../../db/parties/end-user-store.ts';
import type { KycCheckRow } from '../../../db/parties/kyc-check-store.ts';
import { endUserOwner, endUserRow } from '../end-users/end-user-personal.ts';
import type { EndUserPersonal, Person } from '../end-users/end-user-personal.ts';
import type { Vault } from '../../../vault/vault.ts';

/**
 * What the provider is told of an end-user: names, birth date, nationality, tax ids and address, which
 * identity is established by, and every person of a business. Neither contacts nor metadata nor
 * externalId: nothing is verified by them.
 */
export function kycOpening(
  stored: { readonly row: KycCheckRow; readonly endUser: EndUserRow },
  vault: Vault,
) {
  const { row, endUser } = stored;
  const { individual, business, address } = vault
    .of(endUserOwner(endUser))
    .openJson<EndUserPersonal>(endUser.personal, endUserRow(endUser.id));
  const person = individual ?? business?.persons[0];
  if (person === undefined) throw new Error(`end-user ${endUser.id} names no person`);
  return {
    reference: row.id,
    type: endUser.type,
    ...subject(person),
    persons: business?.persons.map(subject),
    legalName: business?.legalName,
    registrationNumber: business?.registrationNumber,
    incorporationCountry: business?.incorporationCountry,
    address,
    redirectUrl: row.redirectUrl ?? undefined,
  };
}

/** Named one by one: what is added to a person some day does not leave by itself. */
const subject = ({ firstName, lastName, dateOfBirth, nationality, taxIds }: Person) => ({
  ...{ firstName, lastName, dateOfBirth, nationality },
  taxIds: taxIds?.map(({ country, number }) => ({ country, number })),
});
