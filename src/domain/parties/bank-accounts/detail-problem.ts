import type { FieldCode } from '../../errors/problem-codes.ts';

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
  | Extract<FieldCode, `invalid_${string}`>;

/** A problem of one field of `details`, its name escaped as RFC 6901 wants. */
export function detailProblem(
  field: string,
  code: DetailProblemCode,
  message: string,
): DetailProblem {
  const token = field.replaceAll('~', '~0').replaceAll('/', '~1');
  return { path: `/details/${token}`, code, message };
}
