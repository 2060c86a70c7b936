import type { FailureCategory, PartnerAction } from './failure-categories.ts';

/** What is told of one reason for which a payment is not delivered, or comes back. */
export interface FailureEntry {
  readonly category: FailureCategory;
  readonly message: string;
  /** Whether a new payment may succeed unchanged. */
  readonly retryable: boolean;
  readonly action: PartnerAction;
  /** The same in a sentence. */
  readonly nextStep: string;
}

type Told = Pick<FailureEntry, 'message' | 'nextStep'> & Partial<FailureEntry>;

const rejected = (action: PartnerAction, told: Told): FailureEntry => ({
  ...{ category: 'BANK_REJECTED', retryable: false, action },
  ...told,
});

const CORRECT_DETAILS =
  'Ask the beneficiary for the exact account details, register them as a new bank account, and pay again with a new idempotency key.';
const ASK_THEM = 'Ask the beneficiary to contact their bank or to give you another account.';
const TELL_US = 'Contact the operators of this service and give them the id of the payment.';
const SEND_IN_TIME =
  'Pay again with a new idempotency key, and send the full amount due so that it is in a block before `expiresAt`.';
const LATER = 'Pay again later with a new idempotency key.';

/**
 * Every reason by its stable code, which is ours: rails have several words for the same thing, and few
 * for others. Additive only: partners switch on codes.
 */
export const FAILURES = {
  account_not_found: rejected('CORRECT_ACCOUNT', {
    message: 'The account does not exist at the bank.',
    nextStep: CORRECT_DETAILS,
  }),
  account_invalid: rejected('CORRECT_ACCOUNT', {
    message: 'The account number is invalid for the bank.',
    nextStep: CORRECT_DETAILS,
  }),
  account_closed: rejected('CORRECT_ACCOUNT', {
    message: 'The account is closed.',
    nextStep: 'Ask the beneficiary for another account.',
  }),
  account_details_changed: rejected('CORRECT_ACCOUNT', {
    message: 'The account has a new number or moved to another bank.',
    nextStep: CORRECT_DETAILS,
  }),
  account_blocked: rejected('ASK_BENEFICIARY', {
    message: 'The account does not accept payments at present.',
    nextStep: ASK_THEM,
  }),
  account_not_payable: rejected('CORRECT_ACCOUNT', {
    message: 'This type of account does not accept this type of payment.',
    nextStep: 'Ask the beneficiary for another account, or pay over another rail.',
  }),
  account_currency_mismatch: rejected('CORRECT_ACCOUNT', {
    message: 'The account is in another currency.',
    nextStep: 'Ask the beneficiary for an account in the currency of the payment.',
  }),
  bank_identifier_invalid: rejected('CORRECT_ACCOUNT', {
    message: "The identifier of the beneficiary's bank or branch is wrong.",
    nextStep: CORRECT_DETAILS,
  }),
  bank_not_reachable: rejected('CORRECT_ACCOUNT', {
    message: "The beneficiary's bank does not take part in this rail.",
    nextStep: 'Pay over another rail, or ask the beneficiary for an account at another bank.',
  }),
  beneficiary_name_mismatch: rejected('CORRECT_ACCOUNT', {
    message: "The name is not that of the account's holder.",
    nextStep: CORRECT_DETAILS,
  }),
  beneficiary_data_incomplete: rejected('CORRECT_ACCOUNT', {
    message:
      'The name, the address, or an identifier of the beneficiary is missing or not accepted.',
    nextStep: 'Register the account again with the full name and address of its holder.',
  }),
  beneficiary_deceased: rejected('DO_NOT_RETRY', {
    category: 'BENEFICIARY_REFUSED',
    message: 'The bank says that the beneficiary has died.',
    nextStep: 'Do not pay this account again. Ask the heirs or the executor for another account.',
  }),
  beneficiary_refused: rejected('ASK_BENEFICIARY', {
    category: 'BENEFICIARY_REFUSED',
    message: 'The beneficiary refused the payment.',
    nextStep: 'Ask the beneficiary why before you pay again.',
  }),
  payer_data_incomplete: rejected('CONTACT_SUPPORT', {
    message: 'The bank requires more data about the payer.',
    nextStep: TELL_US,
  }),
  payment_data_invalid: rejected('CORRECT_PAYMENT', {
    message: 'The bank does not accept something in the order.',
    nextStep:
      'Check the purpose and the reference. Plain letters and digits are accepted everywhere.',
  }),
  amount_not_allowed: rejected('CORRECT_PAYMENT', {
    message: 'The amount is outside the limits of the bank or the rail.',
    nextStep: 'Pay another amount, or over another rail.',
  }),
  currency_not_supported: rejected('CORRECT_PAYMENT', {
    message: 'The bank does not accept the currency on this rail.',
    nextStep: 'Pay in another currency, or over another rail.',
  }),
  limit_exceeded: rejected('RETRY_LATER', {
    message: 'A limit of the account or its bank is reached for now.',
    nextStep: `${LATER} A smaller amount may pass at once.`,
    retryable: true,
  }),
  transfer_voided: rejected('RETRY_LATER', {
    message: 'The transfer was withdrawn before the network included it in a block.',
    nextStep: LATER,
    retryable: true,
  }),
  transfer_reverted: rejected('ASK_BENEFICIARY', {
    message: 'The token refused the transfer to this wallet.',
    nextStep:
      'Ask the beneficiary for another wallet. The issuer of the token may have frozen this one.',
  }),
  duplicate_payment: rejected('CONTACT_SUPPORT', {
    message: 'The bank considers the payment a duplicate of an earlier payment.',
    nextStep: `Do not pay again before it is clear whether an earlier payment reached the beneficiary. ${TELL_US}`,
  }),
  settlement_funds_insufficient: rejected('CONTACT_SUPPORT', {
    message: 'The account from which this service pays did not cover the payment.',
    nextStep: TELL_US,
  }),
  not_authorized: rejected('CONTACT_SUPPORT', {
    message: 'The bank does not permit this service to make this payment.',
    nextStep: TELL_US,
  }),
  date_not_accepted: rejected('RETRY_LATER', {
    message: 'The payment reached the bank after the cut-off, or for a day without settlement.',
    nextStep: LATER,
    retryable: true,
  }),
  bank_unavailable: rejected('RETRY_LATER', {
    message: 'A bank or the rail could not be reached in time.',
    nextStep: LATER,
    retryable: true,
  }),
  bank_error: rejected('RETRY_LATER', {
    message: 'A fault at a bank or in the rail stopped the payment.',
    nextStep: `${LATER} If it fails again, tell the operators.`,
    retryable: true,
  }),
  rail_format_error: rejected('CONTACT_SUPPORT', {
    message: 'The bank could not read the payment message.',
    nextStep: TELL_US,
  }),
  recalled: rejected('CONTACT_SUPPORT', {
    category: 'RECALLED',
    message: 'The payment was recalled, and the bank returned it.',
    nextStep: TELL_US,
  }),
  compliance_declined: rejected('DO_NOT_RETRY', {
    category: 'COMPLIANCE',
    message: 'The payment was declined for compliance reasons.',
    nextStep: 'Do not make this payment again. No further details can be disclosed.',
  }),
  travel_rule_rejected: rejected('ASK_BENEFICIARY', {
    category: 'COMPLIANCE',
    message: 'The provider of the wallet did not accept the transfer within 30 days.',
    nextStep: 'Ask the beneficiary for another wallet, or to contact their provider.',
  }),
  destination_disabled: rejected('CORRECT_ACCOUNT', {
    category: 'CUSTOMER',
    message: 'The bank account or the wallet was disabled before the payment could be sent again.',
    nextStep: 'Pay to another account or wallet, with a new idempotency key.',
  }),
  approval_expired: rejected('RETRY_LATER', {
    category: 'CUSTOMER',
    message: 'The payment was over a limit of your company, and no user approved it within 7 days.',
    nextStep:
      'Ask a user who approves payments in the dashboard, and pay again with a new idempotency key.',
    retryable: true,
  }),
  quote_expired: rejected('RETRY_LATER', {
    category: 'INTERNAL',
    message: 'The payment could not be sent while its rate was held.',
    nextStep: 'Pay again with a new quote and a new idempotency key.',
    retryable: true,
  }),
  kyc_withdrawn: rejected('CONTACT_SUPPORT', {
    category: 'KYC',
    message: "The end-user's KYC approval was withdrawn and not restored within 30 days.",
    nextStep:
      "Ask the operators of this service why the approval was withdrawn. When the end-user's KYC is approved again, pay again with a new idempotency key.",
  }),
  deposit_expired: rejected('RETRY_LATER', {
    category: 'NOT_FUNDED',
    message: 'No deposit arrived at the address of the payment in time.',
    nextStep: SEND_IN_TIME,
    retryable: true,
  }),
  deposit_underpaid: rejected('RETRY_LATER', {
    category: 'NOT_FUNDED',
    message:
      'The deposits that arrived in time were less than the amount due. They are in your balance.',
    nextStep: SEND_IN_TIME,
    retryable: true,
  }),
  unspecified: rejected('CONTACT_SUPPORT', {
    message: 'The bank gave no known reason. `railCode` is the code that it sent.',
    nextStep: `${ASK_THEM} ${TELL_US}`,
  }),
} as const satisfies Readonly<Record<string, FailureEntry>>;

export type FailureCode = keyof typeof FAILURES;

export const FAILURE_CODES = Object.keys(FAILURES) as FailureCode[];
