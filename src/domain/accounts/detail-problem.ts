/** One thing that is wrong with the details of a bank account. Never holds the value itself. */
export interface DetailProblem {
  /** JSON pointer into the request body. */
  readonly path: string;
  readonly code: DetailProblemCode;
  readonly message: string;
}

export type DetailProblemCode =
  | 'required'
  | 'not_allowed'
  | 'unknown_field'
  | 'country_mismatch'
  | 'invalid_iban'
  | 'invalid_bic'
  | 'invalid_routing_number'
  | 'invalid_account_number'
  | 'invalid_account_type'
  | 'invalid_sort_code'
  | 'invalid_bank_code'
  | 'invalid_branch_code'
  | 'invalid_bsb'
  | 'invalid_cbu'
  | 'invalid_cci'
  | 'invalid_clabe'
  | 'invalid_clearing_code'
  | 'invalid_cnaps_code'
  | 'invalid_email'
  | 'invalid_ifsc'
  | 'invalid_institution_number'
  | 'invalid_operator'
  | 'invalid_phone'
  | 'invalid_pix_key'
  | 'invalid_proxy'
  | 'invalid_proxy_type'
  | 'invalid_tax_id'
  | 'invalid_transit_number'
  | 'invalid_vpa';

/** A problem of one field of `details`, its name escaped as RFC 6901 wants. */
export function detailProblem(
  field: string,
  code: DetailProblemCode,
  message: string,
): DetailProblem {
  const token = field.replaceAll('~', '~0').replaceAll('/', '~1');
  return { path: `/details/${token}`, code, message };
}
