import { bankAccountRow } from '../bank-accounts/bank-account-personal.ts';
import type { BankAccountPersonal } from '../bank-accounts/bank-account-personal.ts';
import type { ScreenedParty } from '../../../db/parties/screening-party-store.ts';
import type { ScreeningSubject } from '../../../domain/parties/screening/screening-provider.ts';
import type { PartyRef } from '../../../domain/workflows/work-refs.ts';
import { endUserRow, type EndUserPersonal, type Person } from '../end-users/end-user-personal.ts';
import type { Vault } from '../../../vault/vault.ts';

type Named = Omit<ScreeningSubject, 'reference'>;

/** A party with its sealed names and whose key opens them. */
export type NamedParty = PartyRef &
  Pick<ScreenedParty, 'type' | 'personal' | 'endUserId' | 'ownerKey'>;

/** No key opens a party's names. It says which party, and nothing of what is wrong. */
export class UnreadableNames extends Error {
  readonly party: PartyRef;

  constructor(party: PartyRef) {
    super(`the names of ${party.id} cannot be read`);
    this.name = 'UnreadableNames';
    this.party = party;
  }
}

/**
 * Every name of a party that is looked up: of an individual theirs, of a business its own and those of
 * its persons, of a bank account its holder's. Throws UnreadableNames.
 */
export function screenedNames(
  vault: Vault,
  { kind, type, ...party }: NamedParty,
): ScreeningSubject[] {
  const { id, personal } = party;
  const sealer = vault.of(party);
  let named: Named[];
  try {
    named =
      kind === 'END_USER'
        ? namesOfEndUser(sealer.openJson<EndUserPersonal>(personal, endUserRow(id)))
        : [namesOfHolder(sealer.openJson<BankAccountPersonal>(personal, bankAccountRow(id)), type)];
  } catch {
    throw new UnreadableNames({ kind, id });
  }
  return named.map((one, index) => ({ reference: `${id}/${String(index)}`, ...one }));
}

/** Equal for equal names, and says nothing of them: a release is good for the names it was given for. Under each pepper. */
export function namesHashes(
  vault: Vault,
  subjects: readonly ScreeningSubject[],
): readonly Buffer[] {
  const said = subjects.map(({ kind, names, dateOfBirth, country }) => [
    kind,
    names,
    dateOfBirth ?? null,
    country ?? null,
  ]);
  return vault.keyedHashes('screened_names', JSON.stringify(said));
}

function namesOfEndUser({ individual, business }: EndUserPersonal): Named[] {
  if (individual !== undefined) return [namesOfPerson(individual)];
  if (business === undefined) throw new Error('an end-user is an individual or a business');
  const { legalName, incorporationCountry: country, persons } = business;
  return [{ kind: 'ENTITY', names: [legalName], country }, ...persons.map(namesOfPerson)];
}

const namesOfPerson = ({ firstName, lastName, dateOfBirth, nationality }: Person): Named => ({
  kind: 'PERSON',
  names: [`${firstName} ${lastName}`],
  dateOfBirth,
  country: nationality,
});

const namesOfHolder = (
  { holderName }: BankAccountPersonal,
  type: ScreenedParty['type'],
): Named => ({ kind: type === 'BUSINESS' ? 'ENTITY' : 'PERSON', names: [holderName] });
