import { endUserOwner, endUserRow, type EndUserPersonal } from '../end-users/end-user-personal.ts';
import type { EndUserRow } from '../../../db/parties/end-user-store.ts';
import type { Vault } from '../../../vault/vault.ts';

/** Something about an end-user that a KYC check may go by. */
export type KycFact =
  | 'NAME'
  | 'DATE_OF_BIRTH'
  | 'NATIONALITY'
  | 'ADDRESS'
  | 'TAX_NUMBER'
  | 'COMPANY_NAME'
  | 'REGISTRATION_NUMBER'
  | 'INCORPORATION_COUNTRY'
  | 'REPRESENTATIVES';

/** Which facts the partner has given of an end-user, and which it has not. It says nothing of what they are. */
export function givenFacts(
  vault: Vault,
  endUser: EndUserRow,
): readonly (readonly [KycFact, boolean])[] {
  const { individual, business, address } = vault
    .of(endUserOwner(endUser))
    .openJson<EndUserPersonal>(endUser.personal, endUserRow(endUser.id));
  if (business !== undefined) {
    return [
      ['COMPANY_NAME', true],
      ['REGISTRATION_NUMBER', business.registrationNumber !== undefined],
      ['INCORPORATION_COUNTRY', business.incorporationCountry !== undefined],
      ['REPRESENTATIVES', business.persons.length > 0],
      ['ADDRESS', address !== undefined],
    ];
  }
  return [
    ['NAME', individual !== undefined],
    ['DATE_OF_BIRTH', individual?.dateOfBirth !== undefined],
    ['NATIONALITY', individual?.nationality !== undefined],
    ['ADDRESS', address !== undefined],
    ['TAX_NUMBER', (individual?.taxIds ?? []).length > 0],
  ];
}
