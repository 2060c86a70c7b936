import { countryCodes } from '../../../../../domain/payments/corridors/countries.ts';
import type { FieldProblem } from '../../../../kit/forms/form-rules.ts';
import { SelectField, TextField } from '../../../../kit/parts/field.tsx';
import type { CompanyForm } from './company-form.ts';

const NAMES = new Intl.DisplayNames('en', { type: 'region' });
const COUNTRIES = [
  { value: '', text: 'Choose a country' },
  ...countryCodes()
    .map((value) => ({ value, text: NAMES.of(value) ?? value }))
    .sort((one, other) => one.text.localeCompare(other.text, 'en')),
];
const ROLES = [
  { value: 'DIRECTOR', text: 'Director' },
  { value: 'BENEFICIAL_OWNER', text: 'Beneficial owner' },
  { value: 'REPRESENTATIVE', text: 'Representative' },
];

/** The fields of a company. */
export const CompanyFields = (props: {
  readonly values: Partial<CompanyForm>;
  readonly problems: readonly FieldProblem[];
  /** The stored person, masked; null where there is none. */
  readonly person: string | null;
}) => {
  const { values, problems, person } = props;
  const line = (name: keyof CompanyForm, label: string, isRequired = true) => (
    <TextField
      {...{ name, label, problems, isRequired }}
      value={values[name] ?? ''}
      autocomplete="off"
    />
  );
  const countries = (name: 'country' | 'addressCountry', label: string) => (
    <SelectField {...{ name, label, problems }} value={values[name] ?? ''} options={COUNTRIES} />
  );
  return (
    <>
      <input type="hidden" name="version" value={values.version ?? '0'} />
      {line('legalName', 'Registered name')}
      {line('registrationNumber', 'Registration number')}
      {countries('country', 'Country of registration')}
      {line('line1', 'Street and number')}
      {line('line2', 'Floor or unit (optional)', false)}
      {line('postalCode', 'Postal code (optional)', false)}
      {line('city', 'City')}
      {line('region', 'State or province (optional)', false)}
      {countries('addressCountry', 'Country of the address')}
      <h3>Who represents the company</h3>
      {person === null ? null : (
        <p class="muted">
          Stored: {person}. Leave the three fields empty to keep this person, or fill in all three
          to replace them.
        </p>
      )}
      {line('firstName', 'First name', person === null)}
      {line('lastName', 'Last name', person === null)}
      <TextField
        {...{ name: 'dateOfBirth', label: 'Date of birth', type: 'date', problems }}
        value={values.dateOfBirth ?? ''}
        isRequired={person === null}
      />
      <SelectField
        {...{ name: 'role', label: 'Role', problems, options: ROLES }}
        value={values.role ?? 'DIRECTOR'}
      />
    </>
  );
};
