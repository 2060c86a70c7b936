import type { CompanyData } from '../../../../../modules/customers/live/company.ts';
import { isCountry } from '../../../../../domain/payments/corridors/countries.ts';
import type { Problem } from '../../../../../domain/errors/refusal.ts';
import {
  PERSON_ROLES,
  type BusinessPerson,
} from '../../../../../modules/parties/end-users/end-user-personal.ts';
import type { FieldProblem } from '../../../../kit/forms/form-rules.ts';
import { plainText } from '../../../../kit/refusal-text.ts';
import type { FormValues } from '../../../../kit/forms/read-form.ts';

const plain = (text: string): string | null =>
  /\p{Cc}/u.test(text) ? 'Enter one line without control characters.' : null;
const country = (text: string): string | null =>
  isCountry(text) ? null : 'Choose a country from the list.';
const role = (text: string): string | null =>
  PERSON_ROLES.some((one) => one === text) ? null : 'Choose one from the list.';
const date = (text: string): string | null =>
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text) ? null : 'Enter the date as YYYY-MM-DD.';
const version = (text: string): string | null =>
  /^[0-9]{1,9}$/.test(text) ? null : 'Open the page again.';

/** What the form of a company takes. A person that is stored stays where nothing is said of one. */
export const COMPANY_FORM = {
  legalName: { what: 'the registered name', lengthMax: 200, check: plain },
  registrationNumber: { what: 'the registration number', lengthMax: 100, check: plain },
  country: { what: 'the country of registration', lengthMax: 2, check: country },
  line1: { what: 'street and number', lengthMax: 200, check: plain },
  line2: { what: 'floor or unit', lengthMax: 200, check: plain, isOptional: true },
  postalCode: { what: 'the postal code', lengthMax: 20, check: plain, isOptional: true },
  city: { what: 'the town', lengthMax: 100, check: plain },
  region: { what: 'state or province', lengthMax: 100, check: plain, isOptional: true },
  addressCountry: { what: 'the country of the address', lengthMax: 2, check: country },
  firstName: { what: 'the first name', lengthMax: 100, check: plain, isOptional: true },
  lastName: { what: 'the last name', lengthMax: 100, check: plain, isOptional: true },
  dateOfBirth: { what: 'the date of birth', lengthMax: 10, check: date, isOptional: true },
  role: { what: 'what the person is', lengthMax: 30, check: role },
  version: { what: 'what was shown', lengthMax: 9, check: version },
} as const;

export type CompanyForm = FormValues<typeof COMPANY_FORM>;

/** A form as it is for a company: what is stored of a person is not shown, and kept unless one is filled in. */
export function formOf(stored: CompanyData | null, identityVersion: number): Partial<CompanyForm> {
  const seen = { version: String(identityVersion) };
  if (stored === null) return seen;
  const { business, address } = stored;
  return {
    ...seen,
    legalName: business.legalName,
    registrationNumber: business.registrationNumber ?? '',
    country: business.incorporationCountry ?? '',
    line1: address.line1,
    line2: address.line2 ?? '',
    postalCode: address.postalCode ?? '',
    city: address.city,
    region: address.region ?? '',
    addressCountry: address.country,
    role: business.persons[0]?.role ?? PERSON_ROLES[0],
  };
}

/** What a form says of a company, and what is wrong with its person. */
export function companyOf(
  form: CompanyForm,
  stored: CompanyData | null,
): { readonly data: CompanyData; readonly problems: readonly FieldProblem[] } {
  const { persons, problems } = personsOf(form, stored);
  const optional = (name: 'line2' | 'postalCode' | 'region') =>
    form[name] === '' ? {} : { [name]: form[name] };
  return {
    problems,
    data: {
      business: {
        legalName: form.legalName,
        registrationNumber: form.registrationNumber,
        incorporationCountry: form.country,
        persons,
      },
      address: {
        ...{ line1: form.line1, city: form.city, country: form.addressCountry },
        ...{ ...optional('line2'), ...optional('postalCode'), ...optional('region') },
      },
    },
  };
}

function personsOf(form: CompanyForm, stored: CompanyData | null) {
  const { firstName, lastName, dateOfBirth } = form;
  const known = stored?.business.persons ?? [];
  const isSilent = [firstName, lastName, dateOfBirth].every((text) => text === '');
  const [first, ...others] = known;
  const roleOf = form.role as NonNullable<BusinessPerson['role']>;
  if (isSilent && first !== undefined) {
    return { persons: [{ ...first, role: roleOf }, ...others], problems: [] };
  }
  const problems = (['firstName', 'lastName', 'dateOfBirth'] as const)
    .filter((field) => form[field] === '')
    .map((field) => ({ field, message: `Enter ${COMPANY_FORM[field].what}.` }));
  return { persons: [{ firstName, lastName, dateOfBirth, role: roleOf }, ...others], problems };
}

const FIELD_OF: Readonly<Record<string, keyof CompanyForm>> = {
  '/business/incorporationCountry': 'country',
  '/address/country': 'addressCountry',
  '/address/region': 'region',
  '/business/persons/0/dateOfBirth': 'dateOfBirth',
};
const SENTENCES: Readonly<Record<string, string>> = {
  country_restricted: 'We cannot serve companies in this country.',
  invalid_date: 'Enter a valid date in the past.',
};

/** What the rules of end-users find, by the fields of the form. */
export const fieldProblems = (problems: readonly Problem[]): FieldProblem[] =>
  problems.map(({ path, code, message }) => ({
    field: FIELD_OF[path] ?? 'legalName',
    message: SENTENCES[code] ?? plainText(message),
  }));
