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
  'Ask the beneficiary for the account as their bank writes it, register it as a new bank account, and pay again.';
const ASK_THEM = 'Ask the beneficiary to speak with their bank, or for another account.';
const TELL_US = 'Tell the operators of this service; quote the payment.';
const SEND_IN_TIME =
  'Pay again under a new idempotency key, and send all that is due in a block before its `expiresAt`.';
const LATER = 'Pay again later, under a new idempotency key.';

/**
 * Every reason by its stable code, which is ours: rails have several words for the same thing, and few
 * for others. Additive only: partners switch on codes.
 */
export const FAILURES = {
  account_not_found: rejected('CORRECT_ACCOUNT', {
    message: 'The bank knows no such account.',
    nextStep: CORRECT_DETAILS,
  }),
  account_invalid: rejected('CORRECT_ACCOUNT', {
    message: 'The account number is not one that the bank can have.',
    nextStep: CORRECT_DETAILS,
  }),
  account_closed: rejected('CORRECT_ACCOUNT', {
    message: 'The account is closed.',
    nextStep: 'Ask the beneficiary for another account.',
  }),
  account_details_changed: rejected('CORRECT_ACCOUNT', {
    message: 'The account has a new number, or another bank keeps it now.',
    nextStep: CORRECT_DETAILS,
  }),
  account_blocked: rejected('ASK_BENEFICIARY', {
    message: 'The account takes no payments at present.',
    nextStep: ASK_THEM,
  }),
  account_not_payable: rejected('CORRECT_ACCOUNT', {
    message: 'This kind of account does not take this kind of payment.',
    nextStep: 'Ask the beneficiary for another account, or pay over another rail.',
  }),
  account_currency_mismatch: rejected('CORRECT_ACCOUNT', {
    message: 'The account is kept in another currency.',
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
    message: 'Name, address or an identifier of the beneficiary is missing or not accepted.',
    nextStep: 'Register the account anew with the full name and address of its holder.',
  }),
  beneficiary_deceased: rejected('DO_NOT_RETRY', {
    category: 'BENEFICIARY_REFUSED',
    message: 'The bank says that the beneficiary has died.',
    nextStep: 'Do not pay this account again; the heirs or the executor name another one.',
  }),
  beneficiary_refused: rejected('ASK_BENEFICIARY', {
    category: 'BENEFICIARY_REFUSED',
    message: 'The beneficiary did not take the payment.',
    nextStep: 'Ask the beneficiary why before you pay again.',
  }),
  payer_data_incomplete: rejected('CONTACT_SUPPORT', {
    message: 'What the bank was told of the payer is not enough for it.',
    nextStep: TELL_US,
  }),
  payment_data_invalid: rejected('CORRECT_PAYMENT', {
    message: 'The bank does not accept something in the order.',
    nextStep: 'Look at purpose and reference: plain letters and digits pass everywhere.',
  }),
  amount_not_allowed: rejected('CORRECT_PAYMENT', {
    message: 'The amount is below or above what the bank or the rail allows.',
    nextStep: 'Pay another amount, or over another rail.',
  }),
  currency_not_supported: rejected('CORRECT_PAYMENT', {
    message: 'The bank does not take the currency on this rail.',
    nextStep: 'Pay in another currency, or over another rail.',
  }),
  limit_exceeded: rejected('RETRY_LATER', {
    message: 'A limit of the account or its bank is used up for now.',
    nextStep: `${LATER} A smaller amount may pass at once.`,
    retryable: true,
  }),
  transfer_voided: rejected('RETRY_LATER', {
    message: 'The transfer was withdrawn before the network took it.',
    nextStep: LATER,
    retryable: true,
  }),
  transfer_reverted: rejected('ASK_BENEFICIARY', {
    message: 'The token refused the transfer to this wallet.',
    nextStep: 'Ask the beneficiary for another wallet: the issuer may have frozen this one.',
  }),
  duplicate_payment: rejected('CONTACT_SUPPORT', {
    message: 'The bank takes it for a payment that it has had before.',
    nextStep: `Look whether the beneficiary was paid already. ${TELL_US}`,
  }),
  settlement_funds_insufficient: rejected('CONTACT_SUPPORT', {
    message: 'The account that this service pays from did not cover it.',
    nextStep: TELL_US,
  }),
  not_authorized: rejected('CONTACT_SUPPORT', {
    message: 'The bank does not let this service make such a payment.',
    nextStep: TELL_US,
  }),
  date_not_accepted: rejected('RETRY_LATER', {
    message: 'It came after the cut-off, or for a day on which the rail does not settle.',
    nextStep: LATER,
    retryable: true,
  }),
  bank_unavailable: rejected('RETRY_LATER', {
    message: 'A bank or the rail could not be reached in time.',
    nextStep: LATER,
    retryable: true,
  }),
  bank_error: rejected('RETRY_LATER', {
    message: 'A fault at a bank or in the rail stopped it.',
    nextStep: `${LATER} Where it fails again, tell the operators.`,
    retryable: true,
  }),
  rail_format_error: rejected('CONTACT_SUPPORT', {
    message: 'The bank could not read the message that ordered it.',
    nextStep: TELL_US,
  }),
  recalled: rejected('CONTACT_SUPPORT', {
    category: 'RECALLED',
    message: 'It was asked back, and the bank sent it back.',
    nextStep: TELL_US,
  }),
  compliance_declined: rejected('DO_NOT_RETRY', {
    category: 'COMPLIANCE',
    message: 'The payment was declined for compliance reasons.',
    nextStep: 'Do not pay this again. No more can be told.',
  }),
  travel_rule_rejected: rejected('ASK_BENEFICIARY', {
    category: 'COMPLIANCE',
    message:
      'The provider that keeps the wallet did not accept the transfer, or not within 30 days.',
    nextStep: 'Ask the beneficiary for another wallet, or what their provider says.',
  }),
  kyc_withdrawn: rejected('CONTACT_SUPPORT', {
    category: 'KYC',
    message: "The end-user's KYC approval was withdrawn and not restored within 30 days.",
    nextStep: "Have the end-user's KYC approved again, then pay again.",
  }),
  deposit_expired: rejected('RETRY_LATER', {
    category: 'NOT_FUNDED',
    message: 'No deposit came to its address in time.',
    nextStep: SEND_IN_TIME,
    retryable: true,
  }),
  deposit_underpaid: rejected('RETRY_LATER', {
    category: 'NOT_FUNDED',
    message: 'Less than was due came to its address in time; it is in the balance.',
    nextStep: SEND_IN_TIME,
    retryable: true,
  }),
  unspecified: rejected('CONTACT_SUPPORT', {
    message: 'The bank gave no reason that this service knows; `railCode` is what it wrote.',
    nextStep: `${ASK_THEM} ${TELL_US}`,
  }),
} as const satisfies Readonly<Record<string, FailureEntry>>;

export type FailureCode = keyof typeof FAILURES;

export const FAILURE_CODES = Object.keys(FAILURES) as FailureCode[];
