import type { Rail } from '../corridors/rail.ts';
import { detailProblem } from './detail-problem.ts';
import type { DetailProblem } from './detail-problem.ts';
import { ibanCountry } from './iban.ts';
import { RAIL_FIELDS } from './rail-fields.ts';
import type { RailField } from './rail-fields.ts';

export type CheckedDetails =
  | {
      ok: true;
      /** Canonical values in the rail's own field order: equal accounts give equal JSON. */
      normalised: Record<string, string>;
      last4: string;
      /** Known only where a directory of banks is at hand; none is shipped. */
      bankName?: string;
    }
  | { readonly ok: false; readonly problems: DetailProblem[] };

/**
 * Checks the `details` of a bank account for its rail: every field, all problems at once, fields that
 * the rail does not have refused. An IBAN must be of the account's `country` (ISO 3166-1 alpha-2).
 */
export function checkDetails(
  rail: Rail,
  country: string,
  details: Readonly<Record<string, unknown>>,
): CheckedDetails {
  const { fields, accountField } = RAIL_FIELDS[rail];
  const problems: DetailProblem[] = [];
  const normalised: Record<string, string> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = Object.hasOwn(details, name) ? details[name] : undefined;
    const read = readField(name, field, value);
    if (typeof read === 'string') normalised[name] = read;
    else if (read !== null) problems.push(read);
  }
  for (const name of Object.keys(details)) {
    if (Object.hasOwn(fields, name)) continue;
    problems.push(detailProblem(name, 'unknown_field', `${rail} accounts have no such field`));
  }
  if (normalised['iban'] !== undefined && ibanCountry(normalised['iban']) !== country) {
    const message = 'the IBAN belongs to another country than the account';
    problems.push(detailProblem('iban', 'country_mismatch', message));
  }
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, normalised, last4: (normalised[accountField] ?? '').slice(-4) };
}

/** The details that tell one account from another: those a rail cannot do without. */
export function identifyingDetails(
  rail: Rail,
  normalised: Readonly<Record<string, string>>,
): Record<string, string> {
  const { fields } = RAIL_FIELDS[rail];
  return Object.fromEntries(
    Object.entries(normalised).filter(([name]) => fields[name]?.isRequired === true),
  );
}

function readField(name: string, field: RailField, value: unknown): string | DetailProblem | null {
  if (value === undefined) {
    return field.isRequired ? detailProblem(name, 'required', `${name} is required`) : null;
  }
  const text = typeof value === 'string' ? field.normalise(value) : null;
  if (text !== null && field.isValid(text)) return text;
  return detailProblem(name, field.code, `${name} ${field.expectation}`);
}
