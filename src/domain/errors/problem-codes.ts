import type { ErrorCode } from './registry.ts';

/**
 * The codes of single problems (`details[].code`) that are no error's own: each with the sentence that a partner's
 * developer reads. A problem has one of these or one of the registry's, and its type takes no other.
 */
export const FIELD_CODES = {
  required: 'The field is needed here and was left out.',
  not_allowed:
    'The field cannot be given here: it belongs to another type, or another field is given.',
  unexpected: 'The field does not go with another one that is given.',
  unknown_field: "The rail's accounts have no such field in that country.",
  one_unit_needed: 'Give exactly one of a currency and an asset.',
  one_amount_needed: 'Give exactly one of sourceAmount and targetAmount.',
  network_with_asset: 'A network is given with a targetAsset, and only with one.',
  same_currency: 'A quote is between two different currencies or assets.',
  source_mismatch: 'sourceCurrency or sourceAsset is another one than what is deposited.',
  format: 'An amount is digits with an optional fraction: no sign, no exponent.',
  not_positive: 'The amount must be greater than zero.',
  too_large: 'An amount must be less than 10^12; metadata must stay within 8 kB of JSON.',
  too_many: 'metadata must have at most 50 pairs.',
  invalid_date: 'No date of the calendar (YYYY-MM-DD), or one that is still to come.',
  masked_value: 'The value is masked, as an answer showed it: send the whole one.',
  repeated_key: 'An earlier item of the batch has the same idempotencyKey; meta.first says which.',
  country_mismatch: 'The IBAN, the BIC or the number is of another country than the account.',
  end_user_not_closed: 'Only an end-user who is closed can be erased.',
  payments_not_final: 'Payments of the end-user are not final yet; meta.count says how many.',
  retention_not_over: 'The data must still be kept; meta.possibleFrom says until when.',
  invalid_phone: 'No telephone number as it is wanted: E.164, or what the rail says.',
  invalid_iban: 'No IBAN, or its check digits are wrong.',
  invalid_bic: 'No BIC.',
  invalid_routing_number: 'No routing number, or its check digit is wrong.',
  invalid_account_number: "No account number as the rail's banks in that country have it.",
  invalid_account_type: 'The rail has no such type of account.',
  invalid_sort_code: 'No sort code.',
  invalid_bank_code: 'No bank code of that country.',
  invalid_branch_code: 'No branch code of that country.',
  invalid_bsb: 'No BSB (Australia).',
  invalid_cbu: 'No CBU (Argentina), or its check digits are wrong.',
  invalid_cci: 'No CCI (Peru), or its check digits are wrong.',
  invalid_clabe: 'No CLABE (Mexico), or its check digit is wrong.',
  invalid_clearing_code: 'No clearing code.',
  invalid_cnaps_code: 'No CNAPS code (China).',
  invalid_email: 'No e-mail address.',
  invalid_ifsc: 'No IFSC (India).',
  invalid_institution_number: 'No institution number (Canada).',
  invalid_operator: 'No operator of mobile money that the rail serves.',
  invalid_pix_key: 'No Pix key (Brazil).',
  invalid_proxy: 'The proxy does not fit its type.',
  invalid_proxy_type: 'The rail has no such type of proxy.',
  invalid_tax_id: 'No tax number of that country, or its check digits are wrong.',
  invalid_transit_number: 'No transit number (Canada).',
  invalid_vpa: 'No VPA of UPI (India).',
} as const satisfies Readonly<Record<string, string>>;

export type FieldCode = keyof typeof FIELD_CODES;

/** Every code that a problem may have. */
export type ProblemCode = ErrorCode | FieldCode;

export const FIELD_CODE_NAMES = Object.keys(FIELD_CODES) as FieldCode[];
