import type { CompanyData } from '../../../../../modules/customers/live/company.ts';

/** Who stands for a company, as a page may say it: "A… S…". Null where none is stored. */
export function maskPerson(company: CompanyData | null): string | null {
  const person = company?.business.persons[0];
  if (person === undefined) return null;
  return [person.firstName, person.lastName]
    .map((name) => `${/^./u.exec(name)?.[0] ?? ''}…`)
    .join(' ');
}
