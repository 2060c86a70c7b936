import type { ErrorCode } from './registry.ts';

/**
 * The codes of single problems (`details[].code`) that are no error's own: each with the sentence that a partner's
 * developer reads. A problem has one of these or one of the registry's, and its type takes no other.
 */
export const FIELD_CODES = {
  required: 'The field is required.',
  not_allowed: 'The field is not allowed here, because of the type or of another field. Remove it.',
  unexpected: 'The field cannot be combined with another field of the request. Remove one of them.',
  unknown_field: 'Accounts on this rail in this country do not have this field. Remove it.',
  one_unit_needed: 'Give either a currency or an asset.',
  one_amount_needed: 'Give either sourceAmount or targetAmount.',
  network_with_asset: 'A network is required with targetAsset, and not allowed without it.',
  same_currency: 'The source and the target of a quote must differ.',
  source_mismatch:
    'The source must be the deposited asset. Remove sourceCurrency or sourceAsset, or correct it.',
  format: 'An amount must have digits with an optional fraction, without a sign or an exponent.',
  not_positive: 'The amount must be greater than zero.',
  too_large: 'An amount must be less than 10^12, and metadata must not exceed 8 kB of JSON.',
  too_many: 'metadata must have at most 50 pairs.',
  invalid_date: 'The date is not a valid date (YYYY-MM-DD), or it is in the future.',
  masked_value: 'The value is masked, as in an answer. Send the complete value.',
  repeated_key:
    'An earlier item of the batch has the same idempotencyKey. `meta.first` names that item.',
  country_mismatch:
    'The country of the IBAN, BIC, or phone number does not match the country of the account.',
  end_user_not_closed: 'Only a CLOSED end-user can be erased. Close the end-user first.',
  payments_not_final:
    'The end-user has payments that are not final yet. `meta.count` gives their number.',
  retention_not_over:
    'The retention period of the data is not over. `meta.possibleFrom` gives its end.',
  invalid_phone: 'The phone number is invalid. Use the E.164 format or the format of the rail.',
  invalid_iban: 'The IBAN is malformed, or its check digits are wrong.',
  invalid_bic: 'The BIC is invalid.',
  invalid_routing_number: 'The routing number is malformed, or its check digit is wrong.',
  invalid_account_number:
    'The account number does not match the format of the country and the rail.',
  invalid_account_type: 'The rail does not support this type of account.',
  invalid_sort_code: 'The sort code is invalid.',
  invalid_bank_code: 'The bank code is invalid for the country.',
  invalid_branch_code: 'The branch code is invalid for the country.',
  invalid_bsb: 'The BSB (Australia) is invalid.',
  invalid_cbu: 'The CBU (Argentina) is malformed, or its check digits are wrong.',
  invalid_cci: 'The CCI (Peru) is malformed, or its check digits are wrong.',
  invalid_clabe: 'The CLABE (Mexico) is malformed, or its check digit is wrong.',
  invalid_clearing_code: 'The clearing code is invalid.',
  invalid_cnaps_code: 'The CNAPS code (China) is invalid.',
  invalid_email: 'The email address is invalid.',
  invalid_ifsc: 'The IFSC (India) is invalid.',
  invalid_institution_number: 'The institution number (Canada) is invalid.',
  invalid_operator: 'The rail does not support this mobile money operator.',
  invalid_pix_key: 'The Pix key (Brazil) is invalid.',
  invalid_proxy: 'The proxy does not match its type.',
  invalid_proxy_type: 'The rail does not support this type of proxy.',
  invalid_tax_id: 'The tax number is malformed for the country, or its check digits are wrong.',
  invalid_transit_number: 'The transit number (Canada) is invalid.',
  invalid_vpa: 'The UPI VPA (India) is invalid.',
} as const satisfies Readonly<Record<string, string>>;

export type FieldCode = keyof typeof FIELD_CODES;

/** Every code that a problem may have. */
export type ProblemCode = ErrorCode | FieldCode;

export const FIELD_CODE_NAMES = Object.keys(FIELD_CODES) as FieldCode[];
