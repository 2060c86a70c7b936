import type { Rail } from '../../payments/corridors/rail.ts';
import type { AccountField } from './account-field.ts';
import { detailProblem } from './detail-problem.ts';
import type { DetailProblem } from './detail-problem.ts';
import { ibanCountry } from './iban.ts';
import { ibanHome } from './iban-country.ts';
import { ibanInNumber } from './iban-in-number.ts';
import { RAIL_FIELDS } from './rail-fields.ts';
import type { AccountPlace, RailRules } from './rail-rules.ts';
import { isWritten } from './written-form.ts';

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
 * the rail does not have in that country refused. IBAN and BIC must be of the account's country.
 */
export function checkDetails(
  rail: Rail,
  place: AccountPlace,
  details: Readonly<Record<string, unknown>>,
): CheckedDetails {
  const rules = RAIL_FIELDS[rail](place);
  const problems: DetailProblem[] = [];
  const normalised: Record<string, string> = {};
  for (const [name, field] of Object.entries(rules.fields)) {
    const value = Object.hasOwn(details, name) ? details[name] : undefined;
    const misplaced = name === 'accountNumber' ? misplacedIban(rules, place, value) : null;
    const read = misplaced ?? readField(name, field, value);
    if (typeof read === 'string') normalised[name] = read;
    else if (read !== null) problems.push(read);
  }
  problems.push(...checkAlternatives(rules, details));
  for (const name of Object.keys(details)) {
    if (Object.hasOwn(rules.fields, name)) continue;
    const message = `${rail} accounts in this country have no such field`;
    problems.push(detailProblem(name, 'unknown_field', message));
  }
  if (problems.length === 0) problems.push(...(rules.check?.(normalised) ?? []));
  if (problems.length > 0) return { ok: false, problems };
  const account = rules.accountFields
    .map((name) => normalised[name])
    .find((one) => one !== undefined);
  return { ok: true, normalised, last4: (account ?? '').slice(-4) };
}

/** The details that tell one account from another: those an account of the rail cannot do without. */
export function identifyingDetails(
  rail: Rail,
  place: AccountPlace,
  normalised: Readonly<Record<string, string>>,
): Record<string, string> {
  const { fields, oneOf = [] } = RAIL_FIELDS[rail](place);
  return Object.fromEntries(
    Object.entries(normalised).filter(
      ([name]) => fields[name]?.isRequired === true || oneOf.includes(name),
    ),
  );
}

/** Whether an account of the rail cannot be paid without the holder's address. */
export function needsAddress(rail: Rail, place: AccountPlace): boolean {
  return RAIL_FIELDS[rail](place).needsAddress === true;
}

function readField(
  name: string,
  field: AccountField,
  value: unknown,
): string | DetailProblem | null {
  if (value === undefined) {
    return field.isRequired ? detailProblem(name, 'required', `${name} is required`) : null;
  }
  const wrong = detailProblem(name, field.code, `${name} ${field.expectation}`);
  if (typeof value !== 'string') return wrong;
  if (!isWritten(field, value)) {
    const more = value.length <= field.maxLength ? field.explain?.(value) : undefined;
    return more ? detailProblem(name, more.code, `${name} ${more.message}`) : wrong;
  }
  const text = field.normalise(value);
  return field.isValid?.(text) === false ? wrong : text;
}

/** An IBAN among other account numbers would pass the checks of IBANs by. */
function misplacedIban(
  { fields }: RailRules,
  { country }: AccountPlace,
  value: unknown,
): DetailProblem | null {
  const iban = ibanInNumber(value);
  if (iban === null) return null;
  if (ibanCountry(iban) !== ibanHome(country)) {
    const message = 'accountNumber is the IBAN of another country than the account';
    return detailProblem('accountNumber', 'country_mismatch', message);
  }
  const hint = fields['iban'] === undefined ? '' : ': send it as iban';
  return detailProblem(
    'accountNumber',
    'invalid_account_number',
    `accountNumber is an IBAN${hint}`,
  );
}

function checkAlternatives(
  { oneOf = [] }: RailRules,
  details: Readonly<Record<string, unknown>>,
): DetailProblem[] {
  const [first, ...further] = oneOf.filter((name) => Object.hasOwn(details, name));
  const [wanted] = oneOf;
  if (wanted === undefined || (first !== undefined && further.length === 0)) return [];
  const choice = oneOf.join(' or ');
  if (first === undefined) return [detailProblem(wanted, 'required', `${choice} is required`)];
  return further.map((name) => detailProblem(name, 'not_allowed', `only one of ${choice}`));
}
