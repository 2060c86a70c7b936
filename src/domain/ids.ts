/**
 * Prefixes of ids by what they name. An id is a TypeID (spec 0.3): prefix, underscore, and a UUIDv7
 * as 26 characters of Crockford's base32 in lower case. Ids are made elsewhere: that takes a clock
 * and randomness.
 */
export const idPrefixes = {
  payment: 'pay',
  endUser: 'eu',
  bankAccount: 'ba',
  wallet: 'wal',
  kycCheck: 'kyc',
  quote: 'quo',
  event: 'evt',
  webhookEndpoint: 'whe',
  delivery: 'dlv',
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
  operator: 'opr',
  operatorDecision: 'dec',
} as const;

export type IdPrefix = (typeof idPrefixes)[keyof typeof idPrefixes];

// 26 characters of five bits hold 130: the first one may not exceed 7, or the UUID would overflow.
const suffix = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Has this text the form of an id with that prefix? Says nothing of whether there is such a thing. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && suffix.test(text.slice(prefix.length + 1));
}

const attemptMax = 99;

/**
 * The reference under which a bank knows one attempt of a payment: CW, the id's 26 characters in upper
 * case, two digits of attempt. 30 characters of [A-Z0-9], so that it comes through ISO 20022's
 * EndToEndId (35 at most) and a bank's own character set unchanged. Throws RangeError outside attempts 1 to 99 and
 * for what is no payment id.
 */
export function bankReference(paymentId: string, attempt: number): string {
  if (!isId(idPrefixes.payment, paymentId)) throw new RangeError('not a payment id');
  if (!Number.isInteger(attempt) || attempt < 1 || attempt > attemptMax) {
    throw new RangeError(`attempt must be 1 to ${String(attemptMax)}`);
  }
  const number = String(attempt).padStart(2, '0');
  return `CW${paymentId.slice(idPrefixes.payment.length + 1).toUpperCase()}${number}`;
}

/** The payment and attempt that a reference names, in whichever case it came back; null for others. */
export function parseBankReference(
  reference: string,
): { paymentId: string; attempt: number } | null {
  const match = /^CW([0-9A-Z]{26})([0-9]{2})$/i.exec(reference);
  const paymentId = `${idPrefixes.payment}_${(match?.[1] ?? '').toLowerCase()}`;
  const attempt = Number(match?.[2] ?? 0);
  return attempt > 0 && isId(idPrefixes.payment, paymentId) ? { paymentId, attempt } : null;
}
