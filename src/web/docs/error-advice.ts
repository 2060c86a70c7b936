import type { ErrorCode } from '../../domain/errors/registry.ts';

const CORRECT = 'Correct the fields that `details` lists and send the request again.';
const SAME_KEY = 'Send the same request with the same `Idempotency-Key`';

/** What a partner's program should do about each code. Markdown. */
export const ERROR_ADVICE: Readonly<Record<ErrorCode, string>> = {
  validation_failed: `${CORRECT} One answer lists all problems.`,
  invalid_json: 'Send one valid JSON value in UTF-8, without trailing commas or duplicate names.',
  invalid_parameter: 'Correct the parameter that `details` names: `/query/...` or `/path/...`.',
  invalid_cursor:
    'Start the list again without a cursor. Use only cursors from the answers of the same list.',
  unsupported_currency: 'Use a currency that `GET /corridors` lists.',
  unsupported_network: 'Use a network that `GET /networks` lists.',
  invalid_address:
    'Ask the owner of the wallet for the address again. Never correct an address by hand.',
  unsupported_asset: 'Use an asset that `GET /networks` lists for the network.',
  unsupported_country: 'Use a country that `GET /corridors` lists.',
  amount_precision_exceeded:
    'Round the amount to the decimals of the currency: two for EUR, none for JPY. Trailing zeros count.',
  idempotency_key_required:
    'Create a key for this payment, store it with the order, and send it in `Idempotency-Key`.',
  invalid_idempotency_key: 'Use 1 to 255 printable ASCII characters, for example a UUID.',
  missing_api_key: 'Send `Authorization: Bearer <key>`.',
  invalid_api_key: 'Check that you copied the whole key and that it belongs to this installation.',
  api_key_expired: 'Create a new key in the dashboard.',
  api_key_revoked: 'Create a new key in the dashboard, and find out why this key was revoked.',
  invalid_signature:
    'For providers: sign the exact bytes that you send, with the current secret and a correct clock.',
  ip_not_allowed: 'Request the address of your server on the key’s page in the dashboard.',
  insufficient_scope: 'Use or create a key with the scope that `details` names.',
  operators_only: 'Contact the operators of the service.',
  customer_suspended: 'Contact the operators of the service. The request changed nothing.',
  live_access_not_granted:
    'Use a test key, or request live access on the "Going live" page of the dashboard.',
  not_found:
    'Check the id and the key. Test and live data are separate, and so is the data of each customer.',
  method_not_allowed: 'Use a method that the `Allow` header lists.',
  payload_too_large: 'Send a smaller body. Split a batch into two.',
  unsupported_media_type: 'Send `Content-Type: application/json`.',
  idempotency_key_in_progress: `${SAME_KEY} after the seconds in \`Retry-After\`. You get the answer of the first request.`,
  idempotency_key_closed:
    'You closed the key: nothing is carried out with it. If you paid in another way since, do nothing. Use a new key only for a new request.',
  payment_not_cancelable: 'Wait for the outcome. The bank has the payment or may have it.',
  quote_already_used:
    'Read `paymentId` of `GET /quotes/{id}`. If that payment is for the same order, follow its `status` and do not pay again. Otherwise create a new quote and send it with the same `Idempotency-Key`.',
  webhook_endpoint_disabled:
    'Enable the endpoint with `PATCH /webhook-endpoints/{id}`, then send the request again.',
  limit_reached:
    'Disable, delete or cancel what you do not need, or wait until one ends. Then send the same request with the same `Idempotency-Key`.',
  external_id_taken:
    'Read the resource that has this `externalId`. It may be the one that you wanted to create.',
  statement_not_closed: 'Send the request again five minutes after the day ends in UTC.',
  deposit_not_final: 'Wait for `deposit.final`, then send the request again.',
  end_user_has_open_payments: 'Wait until the payments end, or cancel those that can be canceled.',
  end_user_not_erasable: 'Send the request again at the time in `details`.',
  version_conflict: 'Read the resource again and send your change with its new version.',
  precondition_failed: 'Read the resource again and send your change with its current `ETag`.',
  idempotency_key_mismatch:
    'The key belongs to an accepted request, perhaps a lost attempt of yours: read `GET /payments?idempotencyKey=...`. Use a new key only for a second payment.',
  kyc_not_approved: 'Start or complete the KYC check of the end-user and wait for `kyc.approved`.',
  insufficient_balance:
    'Add funds, or name another balance in `sourceCurrency`. Send it with the same key in both cases. This attempt held nothing.',
  quote_expired: 'Create a new quote and send it with the same key.',
  quote_mismatch:
    'Send the amounts and currencies of the quote, or create a quote for this payment.',
  amount_below_minimum: 'Send a larger amount. `details` gives the minimum.',
  amount_above_maximum: 'Send a smaller amount. `details` gives the maximum.',
  bank_account_pending: 'Wait for `bank_account.activated`.',
  bank_account_disabled: 'Add the bank account again, or pay to another account of the end-user.',
  address_blocked: 'Do not pay to this address. Ask the end-user for another wallet.',
  wallet_proof_invalid: "Have the owner sign the wallet's message unchanged, with this wallet.",
  wallet_not_active: 'Wait for `wallet.activated`, or pay to another wallet.',
  wallet_not_proved:
    'Have the owner sign with `POST /wallets/{id}/verify`, then send the request again.',
  wallet_cooling_off: 'Send the request again at the time in `details`.',
  travel_rule_data_required:
    'Add the fields in `details` with `PATCH /end-users/{id}`, then send the request again.',
  end_user_not_active: 'Do not pay for this end-user. A closed end-user cannot be reopened.',
  refund_exceeds_deposit: 'Refund at most the amount in `details`.',
  resource_not_found: 'Check the id in `details` and the environment of your key.',
  payee_name_mismatch:
    'Ask the end-user for the name that the bank has, and add the account with that name.',
  corridor_unavailable:
    'Use another rail from `GET /corridors`, or try again when the corridor is open.',
  country_restricted: 'Do not send the request again. Payments to this country are not possible.',
  scheduling_not_supported: 'Omit `scheduledFor` and send the payment on its day.',
  currency_mismatch: 'Send the currency of the bank account.',
  move_not_possible: 'Read the current state and request a move that is possible from it.',
  sandbox_unavailable:
    'Do not send the request again. This test environment does not use the sandbox bank or KYC provider.',
  rate_limited:
    'Wait for the seconds in `Retry-After`. The `RateLimit` header shows how many requests are left.',
  internal_error: `${SAME_KEY}, with increasing pauses. Include the request id when you contact us.`,
  service_unavailable: `${SAME_KEY} after \`Retry-After\`.`,
  rate_unavailable:
    'Send the same request with the same key in a few minutes. This attempt held no funds.',
};
