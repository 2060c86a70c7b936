import {
  addToLimitDays,
  findLimitCheck,
  insertLimitCheck,
  isBeneficiaryAllowed,
  markLimitCounted,
  readLimits,
  readPaymentMaker,
} from '../../../db/payments/payment-limit-store.ts';
import { totalOf } from '../../../domain/ledger/movements.ts';
import { destinationIds } from '../../../domain/payments/payment-destination.ts';
import { judgeLimits, limitDay } from '../../../domain/payments/limits/payment-limit.ts';
import type { LockedPayment } from '../locked-payment.ts';
import { paymentMoney } from '../payment-view.ts';

/** As the history names a key that acts. */
const BY_KEY = /^api-key:(.+)$/;

/**
 * Whether the limits of its customer let a payment go: once, in the transaction that claims it, and under the lock of
 * the day's sums, so that two payments cannot pass together. What may go is counted at once and stays counted, whatever
 * becomes of it. What is over a limit waits until a user decides: no later day, and no higher limit, lets it go.
 *
 * What was sent before its customer had limits is not held back.
 */
export async function passLimits(locked: LockedPayment): Promise<boolean> {
  const { tx, scope, payment, now } = locked;
  const day = limitDay(now);
  const check = await findLimitCheck(tx, scope, payment.id);
  if (check !== null) {
    if (check.countedOn !== null) return true;
    if (check.decision !== 'APPROVED') return false;
    const { apiKeyId, currency, amount } = check;
    await addToLimitDays(tx, scope, { apiKeyIds: countedFor(apiKeyId), currency, day }, amount);
    await markLimitCounted(tx, scope, payment.id, day);
    return true;
  }
  if (payment.mayHaveLeft) return true;
  const apiKeyId = BY_KEY.exec(await readPaymentMaker(tx, scope, payment.id))?.[1] ?? null;
  const money = paymentMoney(payment);
  const { currency } = money.source;
  // A new price may be as high as that.
  const amount = payment.maxSourceAmount ?? totalOf(money).minor;
  const counted = { apiKeyIds: countedFor(apiKeyId), currency, day };
  // The lock comes first: the limits are read as they are then.
  const used = await addToLimitDays(tx, scope, counted, 0n);
  const limits = await readLimits(tx, scope, apiKeyId);
  const { bankAccountId, walletId } = destinationIds(payment.destination);
  const isAsked = limits.some((limit) => limit.allowedBeneficiariesOnly);
  const isAllowed =
    isAsked && (await isBeneficiaryAllowed(tx, scope, bankAccountId ?? walletId ?? ''));
  const reasons = judgeLimits(
    { apiKeyId, currency, amount, isBeneficiaryAllowed: isAllowed },
    limits,
    { ofCustomer: used.get('') ?? 0n, ofKey: used.get(apiKeyId ?? '') ?? 0n },
  );
  const mayGo = reasons.length === 0;
  const countedOn = mayGo ? day : null;
  await insertLimitCheck(tx, scope, payment.id, {
    ...{ apiKeyId, currency, amount, reasons, countedOn, at: now },
  });
  if (mayGo) await addToLimitDays(tx, scope, counted, amount);
  return mayGo;
}

/** The customer, and the key. */
const countedFor = (apiKeyId: string | null): readonly string[] =>
  apiKeyId === null ? [''] : ['', apiKeyId];
