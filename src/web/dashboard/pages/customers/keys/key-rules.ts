import { KEY_NAME_MAX } from '../../../../../modules/customers/create-api-key.ts';
import { KEY_DAYS_DEFAULT, KEY_DAYS_MAX } from '../../../../../domain/customers/keys/key-life.ts';
import {
  ALL_PERMISSIONS,
  PERMISSIONS,
  READ_PERMISSIONS,
  type KeyScope,
  type Permission,
} from '../../../../../domain/customers/keys/permissions.ts';
import type { Environment } from '../../../../../domain/scope.ts';
import type { FieldProblem } from '../../../../kit/forms/form-rules.ts';
import type { FormTexts } from '../../../../kit/forms/parse-form.ts';
import { readForm, type FormValues } from '../../../../kit/forms/read-form.ts';

const ACCESSES = ['all', 'read-only', 'picked'] as const;

const isPermission = (text: string): text is Permission =>
  PERMISSIONS.some((permission) => permission === text);

/** What the form of a new key takes. */
export const KEY_RULES = {
  name: {
    what: 'a name',
    lengthMax: KEY_NAME_MAX,
    check: (text: string) =>
      /[\p{C}\p{Zl}\p{Zp}]/u.test(text) ? 'Enter a name on one line.' : null,
  },
  access: {
    what: 'what it may do',
    lengthMax: 20,
    check: (text: string) =>
      ACCESSES.some((access) => access === text) ? null : 'Choose the permissions.',
  },
  scopes: {
    what: 'a scope',
    lengthMax: 60,
    isList: true,
    isOptional: true,
    check: (text: string) => (isPermission(text) ? null : 'Choose scopes from the list.'),
  },
  days: {
    ...{ what: 'the days until it expires', lengthMax: 5, isOptional: true },
    check: (text: string) =>
      /^[1-9][0-9]{0,2}$/.test(text) && Number(text) <= KEY_DAYS_MAX
        ? null
        : `Enter a whole number of days from 1 to ${String(KEY_DAYS_MAX)}.`,
  },
} as const;

export type KeyValues = FormValues<typeof KEY_RULES>;

/** The form as it is shown first. */
export const newKeyValues = (environment: Environment): KeyValues => ({
  ...{ name: '', access: 'all', scopes: [] },
  days: String(KEY_DAYS_DEFAULT[environment] ?? ''),
});

interface WantedKey {
  readonly name: string;
  readonly scopes: readonly KeyScope[];
  readonly days: number | null;
}

/** Reads the form of a new key, all that is wrong at once. */
export function readKeyForm(
  environment: Environment,
  texts: FormTexts,
): {
  readonly values: KeyValues;
  readonly problems: readonly FieldProblem[];
  readonly wanted: WantedKey;
} {
  const { values, problems } = readForm(KEY_RULES, texts);
  const { name, access, days } = values;
  const picked = values.scopes.filter(isPermission);
  const scopes =
    access === 'all' ? [ALL_PERMISSIONS] : access === 'read-only' ? READ_PERMISSIONS : picked;
  const more: FieldProblem[] = [];
  if (access === 'picked' && values.scopes.length === 0) {
    more.push({ field: 'scopes', message: 'Choose at least one scope.' });
  }
  if (environment === 'live' && days === '') {
    more.push({ field: 'days', message: 'A live key must expire. Enter the number of days.' });
  }
  return {
    values,
    problems: [...problems, ...more],
    wanted: {
      name,
      scopes: scopes as readonly KeyScope[],
      days: days === '' ? null : Number(days),
    },
  };
}
