/**
 * Prefixes of ids by what they name. An id is a TypeID (spec 0.3): prefix, underscore, and a UUID as 26 characters of
 * Crockford's base32 in lower case. Mostly it is a UUIDv7, which begins with the time; those of deposits, deposit
 * addresses and payments that a deposit pays for are UUIDv8 made of a hash, and sort by nothing. Ids are made
 * elsewhere: that takes a clock and randomness.
 */
export const ID_PREFIXES = {
  payment: 'pay',
  paymentBatch: 'pba',
  endUser: 'eu',
  bankAccount: 'ba',
  wallet: 'wal',
  deposit: 'dep',
  depositAddress: 'da',
  kycCheck: 'kyc',
  kycDocument: 'kdo',
  quote: 'quo',
  coverTrade: 'cov',
  event: 'evt',
  webhookEndpoint: 'whe',
  delivery: 'dlv',
  webhookReplay: 'whr',
  apiKey: 'key',
  report: 'rpt',
  request: 'req',
  customer: 'cus',
  attempt: 'att',
  approval: 'apr',
  allowlistEntry: 'alw',
  ledgerTransaction: 'ltx',
  balanceTransaction: 'btx',
  statement: 'stm',
  reconciliationException: 'exc',
  exceptionAct: 'exa',
  operator: 'opr',
  user: 'usr',
  session: 'ses',
  passkey: 'psk',
  operatorDecision: 'dec',
  screeningCase: 'scr',
  walletReview: 'wrv',
  fundingCredit: 'fc',
  sandboxDeposit: 'sdp',
  sandboxFault: 'flt',
  mail: 'mai',
  accessRequest: 'acr',
  invitation: 'inv',
  liveAccessRequest: 'lar',
  paymentLimit: 'lim',
} as const;

export type IdPrefix = (typeof ID_PREFIXES)[keyof typeof ID_PREFIXES];

// 26 characters of five bits hold 130: the first one may not exceed 7, or the UUID would overflow.
const SUFFIX = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Has this text the form of an id with that prefix? Says nothing of whether there is such a thing. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && SUFFIX.test(text.slice(prefix.length + 1));
}
