/** Who decided that a payment was not delivered. Additive only: partners switch on these texts. */
export const FAILURE_CATEGORIES = [
  /** The bank or its rail could not, or would not, carry it out. */
  'BANK_REJECTED',
  /** The beneficiary, or who stands for them, did not take it. */
  'BENEFICIARY_REFUSED',
  /** It was asked back. */
  'RECALLED',
  /** For reasons of compliance; nothing more is told. */
  'COMPLIANCE',
  /** The end-user's KYC. */
  'KYC',
  /** It was not paid for in time. */
  'NOT_FUNDED',
  /** The customer: what it goes to was disabled, or none of its users approved it. */
  'CUSTOMER',
  /** This service. */
  'INTERNAL',
] as const;

export type FailureCategory = (typeof FAILURE_CATEGORIES)[number];

/** What a partner does next, as a value to switch on. Additive only. */
export const PARTNER_ACTIONS = [
  /** The account's data is wrong: ask for it anew and register another account. */
  'CORRECT_ACCOUNT',
  /** Something else in the order is wrong: amount, currency, reference, address. */
  'CORRECT_PAYMENT',
  /** Only the beneficiary or their bank can lift what is in the way. */
  'ASK_BENEFICIARY',
  /** A new payment, unchanged, may succeed later. */
  'RETRY_LATER',
  /** The operators of this service know more, or must do something. */
  'CONTACT_SUPPORT',
  /** Nothing will make it succeed. */
  'DO_NOT_RETRY',
] as const;

export type PartnerAction = (typeof PARTNER_ACTIONS)[number];
