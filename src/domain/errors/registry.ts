/**
 * Every error that leaves the service: one entry owns its HTTP status, whether the same request may
 * succeed later, and the sentence a partner's developer reads in the documentation.
 */
interface ErrorEntry {
  readonly status: number;
  readonly retryable: boolean;
  readonly description: string;
}

const entry = (status: number, description: string, retryable = false): ErrorEntry => ({
  status,
  retryable,
  description,
});

export const ERRORS = {
  validation_failed: entry(400, 'The request does not fit the schema; details names every field.'),
  invalid_json: entry(400, 'The body is not one well-formed JSON value without repeated keys.'),
  invalid_parameter: entry(400, 'A path or query parameter is malformed or out of range.'),
  invalid_cursor: entry(400, 'The cursor was not issued for this list.'),
  unsupported_currency: entry(400, 'The currency is not an ISO 4217 code that is supported.'),
  unsupported_network: entry(400, 'The network is not one that tokens are sent over here.'),
  invalid_address: entry(
    400,
    'The address is none that can be paid; details names the rule: FORMAT, CHECKSUM, ZERO, PRECOMPILE, TOKEN or OURS.',
  ),
  unsupported_asset: entry(400, 'The asset is not one that can be paid there.'),
  unsupported_country: entry(
    400,
    'The country is not an ISO 3166-1 alpha-2 code that is supported.',
  ),
  amount_precision_exceeded: entry(400, 'The amount has more decimals than its currency.'),
  idempotency_key_required: entry(400, 'The Idempotency-Key header is required here.'),
  invalid_idempotency_key: entry(
    400,
    'The Idempotency-Key must be 1-255 printable ASCII characters.',
  ),

  missing_api_key: entry(401, 'The Authorization header with a Bearer API key is missing.'),
  invalid_api_key: entry(401, 'The API key is not known.'),
  api_key_expired: entry(401, 'The API key has expired.'),
  api_key_revoked: entry(401, 'The API key was revoked.'),
  invalid_signature: entry(401, 'The signature of a callback is missing, wrong or out of date.'),

  ip_not_allowed: entry(403, 'The source address is not approved for this API key.'),
  insufficient_scope: entry(403, 'The API key lacks the scope that details names.'),
  operators_only: entry(
    403,
    'Your own company (relationship SELF) and, in live, its bank accounts and wallets are changed by the operators of the service.',
  ),
  customer_suspended: entry(403, 'The customer account is suspended.'),
  live_access_not_granted: entry(403, 'Live access has not been granted to this customer.'),

  not_found: entry(404, 'There is no such resource.'),
  method_not_allowed: entry(405, 'The resource does not take this method.'),
  payload_too_large: entry(413, 'The body is larger than 64 KiB; of a payment batch, than 2 MiB.'),
  unsupported_media_type: entry(
    415,
    'The body must be application/json in UTF-8; a PATCH may be application/merge-patch+json.',
  ),

  idempotency_key_in_progress: entry(409, 'A request with this key is still running.', true),
  payment_not_cancelable: entry(409, 'The payment can no longer be canceled; details says why.'),
  quote_already_used: entry(409, 'The quote was consumed by another payment.'),
  webhook_endpoint_disabled: entry(409, 'The webhook endpoint is disabled; enable it first.'),
  limit_reached: entry(
    409,
    'There are as many as there may be at a time: webhook endpoints of an environment, replays to one, payments of an end-user that wait for a deposit, deposit addresses in use, or faults that wait in the sandbox.',
  ),
  external_id_taken: entry(409, 'Another resource has this externalId.'),
  statement_not_closed: entry(
    409,
    'The day is not over yet, by UTC and five minutes; its statement comes after.',
    true,
  ),
  deposit_not_final: entry(
    409,
    'The deposit is not FINAL yet, or is about to be paid on: nothing of it is refunded before.',
    true,
  ),
  move_not_possible: entry(
    409,
    'The sandbox cannot move it there from where it stands; details names the field, and its message says why.',
  ),
  end_user_has_open_payments: entry(409, 'The end-user has payments under way.'),
  end_user_not_erasable: entry(
    409,
    'The end-user cannot be erased yet; details says why, and from when it is possible.',
  ),
  version_conflict: entry(409, 'The resource was changed by another request.', true),

  precondition_failed: entry(412, 'If-Match does not name the current version.'),

  idempotency_key_mismatch: entry(422, 'The Idempotency-Key belongs to another request.'),
  kyc_not_approved: entry(422, 'The end-user has no approved KYC check.'),
  insufficient_balance: entry(422, 'The available balance does not cover the payment.'),
  quote_expired: entry(422, 'The quote has expired.'),
  quote_mismatch: entry(
    422,
    'The payment is not what the quote was made for; details names the fields and what was quoted.',
  ),
  amount_below_minimum: entry(
    422,
    "The amount is below the corridor's minimum, or nothing of it would arrive.",
  ),
  amount_above_maximum: entry(
    422,
    "The amount is above the corridor's maximum, its other side would be 10^12 or more, or it takes a sandbox balance too far.",
  ),
  bank_account_pending: entry(422, 'The bank account waits for its approval by the operators.'),
  bank_account_disabled: entry(422, 'The bank account is disabled.'),
  address_blocked: entry(422, 'The address is on a list of addresses that may not be paid.'),
  wallet_proof_invalid: entry(
    422,
    'The signature is not one of this wallet over its message, or the wallet takes none.',
  ),
  wallet_not_active: entry(422, 'The wallet is not ACTIVE.'),
  wallet_not_proved: entry(
    422,
    'Payments of 24 hours to the address come to so much that the ownership of the wallet must be proved first, or no rate tells what they are worth; details names the limit.',
  ),
  wallet_cooling_off: entry(
    422,
    'The wallet was registered too short a time ago; details says from when on it is paid.',
  ),
  travel_rule_data_required: entry(
    422,
    'A transfer to a wallet says who sends it and who receives it; details names the fields of the end-user that are missing.',
  ),
  end_user_not_active: entry(422, 'The end-user is suspended or closed.'),
  refund_exceeds_deposit: entry(
    422,
    'So much of the deposit is not in the balance any more: it was paid on, or refunded; details says what is left.',
  ),
  resource_not_found: entry(422, 'An id in the body is not one of yours; details names the field.'),
  payee_name_mismatch: entry(422, "The holder name does not match the account's."),
  corridor_unavailable: entry(422, 'No corridor serves this country, currency and rail now.'),
  country_restricted: entry(
    422,
    'Payments to this country, or to this part of it, are restricted; details names the field.',
  ),
  scheduling_not_supported: entry(
    422,
    'A payment with a quote, from another currency, paid for by a deposit, or to a wallet cannot be for a later day.',
  ),
  sandbox_unavailable: entry(
    422,
    'The bank or the KYC provider of this test environment is not that of the sandbox, so it cannot be directed.',
  ),
  currency_mismatch: entry(422, "The currency is not the bank account's."),

  rate_limited: entry(429, 'Too many requests; Retry-After says when to come back.', true),

  internal_error: entry(500, 'Something went wrong on our side.', true),
  service_unavailable: entry(503, 'The service cannot take the request now.', true),
  rate_unavailable: entry(503, 'No fresh exchange rate is at hand, or none is offered now.', true),
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERRORS;

export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[];
