import { isValidE164 } from '../../../domain/parties/bank-accounts/e164.ts';
import { isCountry } from '../../../domain/payments/corridors/countries.ts';
import { findRestrictions } from '../../../domain/payments/corridors/restrictions.ts';
import type { Restrictions } from '../../../domain/payments/corridors/restrictions.ts';
import type { ProblemCode } from '../../../domain/errors/problem-codes.ts';
import type { Problem } from '../../../domain/errors/refusal.ts';
import { isWithinMetadataSize, METADATA_PAIRS_MAX } from '../../../domain/metadata.ts';
import { isPastDate } from './past-date.ts';
import type { EndUserType } from '../../../db/parties/end-user-store.ts';
import type { Address, Business, EndUserPersonal, Person, TaxId } from './end-user-personal.ts';

const problem = (path: string, code: ProblemCode, message: string): Problem => ({
  path,
  code,
  message,
});

/**
 * What a schema cannot say about an end-user: real countries, dates and telephone numbers, the one
 * part that belongs to the type, nothing half-said by a patch, nothing masked, and places that are not
 * restricted. A nationality is no place. All problems at once; none holds a value.
 */
export function checkEndUser(
  type: EndUserType,
  personal: EndUserPersonal,
  now: Date,
  restrictions: Restrictions,
): Problem[] {
  const { individual, business, phone, address, metadata } = personal;
  const problems = checkParts(type, personal);
  // The part of the other type is refused as a whole; a patch may say half of it.
  if (type === 'INDIVIDUAL' && individual !== undefined) {
    problems.push(...checkPerson(individual, '/individual', now));
  }
  if (type === 'BUSINESS' && business !== undefined) {
    problems.push(...checkBusiness(business, now));
  }
  if (phone !== undefined && !isValidE164(phone)) {
    problems.push(problem('/phone', 'invalid_phone', 'phone must be an E.164 number.'));
  }
  if (address !== undefined) {
    problems.push(...checkWhole(address), ...checkAddress(address, '/address'));
  }
  if (Object.keys(metadata).length > METADATA_PAIRS_MAX) {
    problems.push(problem('/metadata', 'too_many', 'metadata must have at most 50 pairs.'));
  } else if (!isWithinMetadataSize(metadata)) {
    problems.push(problem('/metadata', 'too_large', 'metadata must not exceed 8 kB of JSON.'));
  }
  const countries = [['/business/incorporationCountry', business?.incorporationCountry]] as const;
  const said = { countries, addresses: [['/address', address]] as const };
  return [...problems, ...findRestrictions(restrictions, said)];
}

/** The one thing that a schema cannot say about an address. */
export function checkAddress(address: Address, path: string): Problem[] {
  return checkCountry(address.country, `${path}/country`);
}

export function checkCountry(country: string | undefined, path: string): Problem[] {
  if (country === undefined || isCountry(country)) return [];
  const message = 'The value is not an ISO 3166-1 alpha-2 country code.';
  return [problem(path, 'unsupported_country', message)];
}

/** A patch may say one member of an address that there was none of. */
function checkWhole(address: Partial<Address>): Problem[] {
  return (['line1', 'city', 'country'] as const)
    .filter((name) => address[name] === undefined)
    .map((name) => problem(`/address/${name}`, 'required', 'The field is required in an address.'));
}

function checkParts(type: EndUserType, personal: EndUserPersonal): Problem[] {
  const [wanted, other] =
    type === 'INDIVIDUAL'
      ? (['individual', 'business'] as const)
      : (['business', 'individual'] as const);
  const problems: Problem[] = [];
  if (personal[wanted] === undefined) {
    problems.push(problem(`/${wanted}`, 'required', `${wanted} is required for the type ${type}.`));
  }
  if (personal[other] !== undefined) {
    problems.push(problem(`/${other}`, 'not_allowed', `${other} is no part of the type ${type}.`));
  }
  return problems;
}

function checkPerson(person: Person, path: string, now: Date): Problem[] {
  const problems = checkCountry(person.nationality, `${path}/nationality`);
  if (person.dateOfBirth !== undefined && !isPastDate(person.dateOfBirth, now)) {
    const message = 'dateOfBirth must be a date of the calendar (YYYY-MM-DD) that is not to come.';
    problems.push(problem(`${path}/dateOfBirth`, 'invalid_date', message));
  }
  (person.taxIds ?? []).forEach((taxId, index) => {
    problems.push(...checkTaxId(taxId, `${path}/taxIds/${String(index)}`));
  });
  return problems;
}

/** Read, and sent back as it was shown: the stars would take the number's place. */
function checkTaxId({ country, number }: TaxId, path: string): Problem[] {
  const problems = checkCountry(country, `${path}/country`);
  if (number.includes('*')) {
    const message = 'The number is masked, as in an answer. Send the complete number.';
    problems.push(problem(`${path}/number`, 'masked_value', message));
  }
  return problems;
}

function checkBusiness(business: Business, now: Date): Problem[] {
  return [
    ...checkCountry(business.incorporationCountry, '/business/incorporationCountry'),
    ...business.persons.flatMap((person, index) =>
      checkPerson(person, `/business/persons/${String(index)}`, now),
    ),
  ];
}
