import { bodyFingerprint } from '../../body-fingerprint.ts';

/** What makes two bodies of POST /payments the same one, wherever a payment is ordered. */
export const paymentFingerprint = (losslessBody: unknown): Buffer =>
  bodyFingerprint({
    ...{ method: 'POST', path: '/payments', losslessBody },
    decimalFields: ['amount', 'maxSourceAmount'],
  });
