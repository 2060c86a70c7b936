import type { ErrorCode } from '../../domain/errors/registry.ts';

const MEND = 'Mend what `details` names and send it again.';
const SAME_KEY = 'Send the same request with the same `Idempotency-Key`';

/** What a partner's program does about each code. Markdown. */
export const ERROR_ADVICE: Readonly<Record<ErrorCode, string>> = {
  validation_failed: `${MEND} All problems of a request come at once.`,
  invalid_json:
    'Send one JSON value in UTF-8, without a comma too many and without a name that comes twice.',
  invalid_parameter: 'Mend the parameter that `details` names: `/query/...` or `/path/...`.',
  invalid_cursor:
    'Start the list again without a cursor, and take cursors from its own answers alone.',
  unsupported_currency: 'Take a currency that `GET /corridors` lists.',
  unsupported_network: 'Take a network that `GET /networks` lists.',
  invalid_address: 'Ask the owner of the wallet for the address again. Never mend one by hand.',
  unsupported_asset: 'Take an asset that `GET /networks` lists for the network.',
  unsupported_country: 'Take a country that `GET /corridors` lists.',
  amount_precision_exceeded:
    'Round to the decimals of the currency before you send: two for EUR, none for JPY. Zeros at the end count.',
  idempotency_key_required:
    'Make a key of your own for this one payment, keep it beside the order, and send it with the request.',
  invalid_idempotency_key: 'Use 1 to 255 printable ASCII characters; a UUID will do.',
  missing_api_key: 'Send `Authorization: Bearer <key>`.',
  invalid_api_key: 'Look whether the whole key was copied, and whether it is of this installation.',
  api_key_expired: 'Make a new key in the dashboard.',
  api_key_revoked: 'Make a new key in the dashboard, and ask why this one was withdrawn.',
  invalid_signature:
    'For providers: sign the bytes as they are sent, with the secret of now and a right clock.',
  ip_not_allowed: 'Propose the address of your servers on the page of the key in the dashboard.',
  insufficient_scope: 'Use a key with the scope that `details` names, or make one.',
  operators_only: 'Ask the operators of the service.',
  customer_suspended: 'Ask the operators of the service. Nothing was done.',
  live_access_not_granted:
    'Use a test key, or ask for live access on the dashboard\'s page "Going live".',
  not_found: 'Look at the id and at the key: test and live are apart, and so is every customer.',
  method_not_allowed: 'Use a method that the header `Allow` names.',
  payload_too_large: 'Send less at once; make two batches of one.',
  unsupported_media_type: 'Send `Content-Type: application/json`.',
  idempotency_key_in_progress: `${SAME_KEY} after the seconds that \`Retry-After\` says: you get the first one's answer.`,
  payment_not_cancelable: 'Wait for what becomes of it: the bank has it, or may have it.',
  quote_already_used:
    'Make a new quote. Look first whether the payment that used this one is yours.',
  webhook_endpoint_disabled:
    'Enable the endpoint with `PATCH /webhook-endpoints/{id}`, then ask again.',
  limit_reached: 'End, disable or delete one that you do not need, or wait until one has ended.',
  external_id_taken: 'Read the resource that has it: it may be the one that you meant to make.',
  statement_not_closed: 'Come back once the day is over by UTC, and five minutes.',
  deposit_not_final: 'Wait for `deposit.final`, then send it again.',
  end_user_has_open_payments: 'Wait until they have ended, or cancel those that can be canceled.',
  end_user_not_erasable: 'Come back at the time that `details` says.',
  version_conflict: 'Read the resource again, and send your change with its new version.',
  precondition_failed:
    'Read the resource again, and send your change with the `ETag` that it has now.',
  idempotency_key_mismatch:
    'Do not change a request under its key. Find out which of the two you meant; make a new key only for another payment.',
  kyc_not_approved: 'Start or finish the check of the end-user, and wait for `kyc.approved`.',
  insufficient_balance:
    'Fill the balance, or pay from another one. The key is free: send the same request later.',
  quote_expired: 'Make a new quote and use that.',
  quote_mismatch: 'Send exactly what the quote was made for, or make a quote for what you send.',
  amount_below_minimum: 'Send more; `details` says the least.',
  amount_above_maximum: 'Send less; `details` says the most.',
  bank_account_pending: 'Wait for `bank_account.activated`.',
  bank_account_disabled: 'Register an account again, or pay to another one of the end-user.',
  address_blocked: 'Do not pay there. Ask the end-user for another wallet.',
  wallet_proof_invalid:
    "Have the wallet's owner sign the message of the wallet as it is, with this wallet.",
  wallet_not_active: 'Wait for `wallet.activated`, or pay to another wallet.',
  wallet_not_proved: 'Have the owner sign: `POST /wallets/{id}/verify`. Then send it again.',
  wallet_cooling_off: 'Send it again at the time that `details` says.',
  travel_rule_data_required:
    'Add the fields that `details` names with `PATCH /end-users/{id}`, then send it again.',
  end_user_not_active: 'Pay nothing for this end-user. A closed one stays closed.',
  refund_exceeds_deposit: 'Refund at most what `details` says is left.',
  resource_not_found: 'Look at the id that `details` names, and at the environment of your key.',
  payee_name_mismatch:
    'Ask the end-user for the name that the bank knows, and register the account with it.',
  corridor_unavailable:
    'Look at `GET /corridors`; take another rail, or try again once it is open.',
  country_restricted: 'Do not send it again. Payments there are not made.',
  scheduling_not_supported: 'Leave `scheduledFor` out and send it on its day.',
  currency_mismatch: 'Send the currency of the bank account.',
  move_not_possible: 'Read where it stands now, and send a move that is possible from there.',
  sandbox_unavailable:
    'Do not send it again here: the bank, or the KYC provider, of this test environment is not the sandbox’s.',
  rate_limited:
    'Wait for the seconds of `Retry-After`; the headers `RateLimit` say what is left before it comes to this.',
  internal_error: `${SAME_KEY}, with growing pauses. Name the request id if you ask about it.`,
  service_unavailable: `${SAME_KEY} after \`Retry-After\`.`,
  rate_unavailable: 'Send it again in some minutes. Nothing was held.',
};
