/**
 * Every error that leaves the service: one entry owns its HTTP status, whether the same request may
 * succeed after a wait and nothing else, and the sentence a partner's developer reads in the documentation.
 * What someone must correct, fund, or approve first is not retryable.
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
  validation_failed: entry(
    400,
    'The request does not match the schema. `details` lists the fields to correct.',
  ),
  invalid_json: entry(
    400,
    'The body is not valid JSON. Send one well-formed JSON value without repeated keys.',
  ),
  invalid_parameter: entry(
    400,
    'A path, query, or header parameter is malformed or out of range. `details` lists the parameters to correct.',
  ),
  invalid_cursor: entry(
    400,
    'The cursor does not belong to this list. Use the `nextCursor` of the previous page with the same filters.',
  ),
  unsupported_currency: entry(400, 'The currency is not a supported ISO 4217 code.'),
  unsupported_network: entry(
    400,
    'The network is not supported. Use a network that GET /networks lists.',
  ),
  invalid_address: entry(
    400,
    'The address cannot be paid. `details` names the rule: FORMAT, CHECKSUM, ZERO, PRECOMPILE, TOKEN, or OURS.',
  ),
  unsupported_asset: entry(
    400,
    'The asset is not supported on the network. Use an asset that GET /networks lists for it.',
  ),
  unsupported_country: entry(400, 'The country is not a supported ISO 3166-1 alpha-2 code.'),
  amount_precision_exceeded: entry(
    400,
    'The amount has more decimals than its currency or asset. Round it, and remove trailing zeros.',
  ),
  idempotency_key_required: entry(
    400,
    'The Idempotency-Key header is required. Send a unique key for each payment.',
  ),
  invalid_idempotency_key: entry(
    400,
    'The Idempotency-Key must have 1 to 255 printable ASCII characters.',
  ),

  missing_api_key: entry(
    401,
    'The API key is missing. Send the header `Authorization: Bearer <API key>`.',
  ),
  invalid_api_key: entry(401, 'The API key is unknown. Check that you copied the whole key.'),
  api_key_expired: entry(401, 'The API key has expired. Use a new key.'),
  api_key_revoked: entry(401, 'The API key was revoked. Use another key.'),
  invalid_signature: entry(401, 'The signature of the callback is missing, invalid, or too old.'),

  ip_not_allowed: entry(
    403,
    'The source IP address is not approved for the API key. Use an approved address.',
  ),
  insufficient_scope: entry(
    403,
    'The API key does not have the required scope. `details` names the scope.',
  ),
  operators_only: entry(
    403,
    'Only the operators of the service can change your own company (relationship SELF) and, in live, its bank accounts and wallets. Contact them.',
  ),
  customer_suspended: entry(
    403,
    'The customer account is suspended. Contact the operators of the service.',
  ),
  live_access_not_granted: entry(
    403,
    'The customer has no live access. Request live access first.',
  ),

  not_found: entry(
    404,
    'The resource does not exist. Check the path and the environment of the API key.',
  ),
  method_not_allowed: entry(
    405,
    'The resource does not support this method. The Allow header lists the supported methods.',
  ),
  payload_too_large: entry(
    413,
    'The body is too large. The limit is 64 KiB, or 2 MiB for a payment batch.',
  ),
  unsupported_media_type: entry(
    415,
    'The body must be application/json in UTF-8. A PATCH may also be application/merge-patch+json.',
  ),

  idempotency_key_in_progress: entry(
    409,
    'A request with this Idempotency-Key is still running. Repeat the request after the time in Retry-After.',
    true,
  ),
  idempotency_key_closed: entry(
    409,
    'The Idempotency-Key was closed. No request with it is carried out. Use a new key for a new request.',
  ),
  payment_not_cancelable: entry(
    409,
    'The payment can no longer be canceled. `details` gives the reason.',
  ),
  quote_already_used: entry(
    409,
    'Another payment already used the quote. The `paymentId` of the quote names that payment. Read it before you create a new quote.',
  ),
  webhook_endpoint_disabled: entry(409, 'The webhook endpoint is disabled. Enable it first.'),
  limit_reached: entry(
    409,
    'A limit is reached: webhook endpoints of an environment, replays to an endpoint, payments of an end-user that await a deposit, deposit addresses in use, or pending sandbox faults. Remove one, or wait until one ends.',
  ),
  external_id_taken: entry(
    409,
    'Another resource already has this `externalId`. Use a unique value.',
  ),
  statement_not_closed: entry(
    409,
    'The day is not closed yet. A day closes five minutes after it ends in UTC. Try again later.',
    true,
  ),
  deposit_not_final: entry(
    409,
    'The deposit is not FINAL yet, or it is about to be paid on. Try again later.',
    true,
  ),
  move_not_possible: entry(
    409,
    'The sandbox cannot make this change in the current state. `details` names the field and gives the reason.',
  ),
  end_user_has_open_payments: entry(409, 'The end-user has open payments. Wait until they end.'),
  end_user_not_erasable: entry(
    409,
    'The end-user cannot be erased yet. `details` gives the reasons and the earliest possible time.',
  ),
  version_conflict: entry(
    409,
    'Another request changed the resource. Read it again and repeat the change.',
    true,
  ),

  precondition_failed: entry(
    412,
    'If-Match does not match the current version. Read the resource again and use its new ETag.',
  ),

  idempotency_key_mismatch: entry(
    422,
    'The Idempotency-Key was already used for another request. Use a new key only for a new request.',
  ),
  kyc_not_approved: entry(
    422,
    'The end-user has no approved KYC check. Start a check and wait for its approval.',
  ),
  insufficient_balance: entry(
    422,
    'The available balance does not cover the payment. Add funds, or reduce the amount.',
  ),
  quote_expired: entry(422, 'The quote has expired. Create a new quote.'),
  quote_mismatch: entry(
    422,
    'The payment does not match the quote. `details` names the fields and the quoted values.',
  ),
  amount_below_minimum: entry(
    422,
    'The amount is below the minimum, or the fees consume all of it. Increase the amount.',
  ),
  amount_above_maximum: entry(
    422,
    'The amount is above the maximum, the other side of the quote would be 10^12 or more, or a sandbox balance would exceed its limit. Reduce the amount.',
  ),
  bank_account_pending: entry(
    422,
    'The bank account is PENDING: it awaits approval by the operators of the service.',
  ),
  bank_account_disabled: entry(422, 'The bank account is disabled. Use another account.'),
  address_blocked: entry(422, 'The address is on a sanctions list and cannot be used.'),
  wallet_proof_invalid: entry(
    422,
    'The signature does not prove the ownership of the wallet, or the wallet accepts no proof. Sign `proof.message` with the key of the wallet.',
  ),
  wallet_not_active: entry(422, 'The wallet is not ACTIVE. Use an ACTIVE wallet.'),
  wallet_not_proved: entry(
    422,
    'The payments to the address within 24 hours exceed the limit for an unproved wallet, or no rate is available to value them. `details` names the limit. Prove the ownership of the wallet first.',
  ),
  wallet_cooling_off: entry(
    422,
    'The wallet is too new to be paid. `details` gives the time from which you can pay it.',
  ),
  travel_rule_data_required: entry(
    422,
    'The travel rule requires data about the sender and the receiver. `details` names the missing fields of the end-user.',
  ),
  end_user_not_active: entry(422, 'The end-user is not ACTIVE: it is suspended or closed.'),
  refund_exceeds_deposit: entry(
    422,
    'The amount exceeds the rest of the deposit, because a part was paid on or refunded. `details` gives the remaining amount.',
  ),
  resource_not_found: entry(
    422,
    'An id in the body does not belong to one of your resources. `details` names the field.',
  ),
  payee_name_mismatch: entry(
    422,
    'The holder name does not match the name that the bank has. Register the account with the correct name.',
  ),
  corridor_unavailable: entry(
    422,
    'No corridor is available for this country, currency, and rail now. GET /corridors lists the available corridors.',
  ),
  country_restricted: entry(
    422,
    'Payments to this country or region are restricted. `details` names the field.',
  ),
  scheduling_not_supported: entry(
    422,
    'You cannot schedule a payment that has a quote, converts a currency, is funded by a deposit, or goes to a wallet. Remove `scheduledFor`.',
  ),
  sandbox_unavailable: entry(
    422,
    'This test environment does not use the sandbox bank or the sandbox KYC provider, so you cannot control it.',
  ),
  currency_mismatch: entry(422, 'The currency does not match the currency of the bank account.'),

  rate_limited: entry(
    429,
    'You sent too many requests. Wait for the number of seconds in Retry-After.',
    true,
  ),

  internal_error: entry(
    500,
    'An internal error occurred. Repeat the request with the same Idempotency-Key.',
    true,
  ),
  service_unavailable: entry(
    503,
    'The service cannot process the request now. Repeat it with the same Idempotency-Key.',
    true,
  ),
  rate_unavailable: entry(503, 'No current exchange rate is available. Try again later.', true),
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERRORS;

export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[];
