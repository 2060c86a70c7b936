import { mayPredateRestoreOf } from '../../db/operations/restore-mode-store.ts';
import { lockPartiesForShare } from '../../db/parties/party-store.ts';
import { readRates } from '../../db/payments/fx-rate-store.ts';
import { repricePayment } from '../../db/payments/payment-write-store.ts';
import { findQuote, insertQuotes, type NewQuote } from '../../db/payments/quote-store.ts';
import type { AttemptRow } from '../../db/payments/settlement-attempt-store.ts';
import { systemActor } from '../../domain/actor.ts';
import { Refusal } from '../../domain/errors/refusal.ts';
import { mayBankKnow } from '../../domain/payments/cancel-rules.ts';
import { waitStep, type PaymentStep } from '../../domain/payments/next-step.ts';
import { priceOrder, totalOf } from '../../domain/payments/price-order.ts';
import { railOf } from '../../domain/payments/payment-destination.ts';
import type { LockTime } from '../../domain/payments/quotes/lock-times.ts';
import { isRateHeld, rateHeldUntil } from '../../domain/payments/quotes/rate-held-until.ts';
import { holdLookMs, type SettlementTiming } from '../../domain/payments/settlement-timing.ts';
import { changePayment, nextVersion } from './change-payment.ts';
import { priceFields } from './first-version.ts';
import type { LockedPayment } from './locked-payment.ts';
import { draftQuote } from './quotes/draft-quote.ts';
import { openPairMoves } from './quotes/pair-moves.ts';
import type { PricingSettings } from './quotes/pricing-settings.ts';
import type { QuoteOrder } from './quotes/quote-order.ts';

const SETTLEMENT = systemActor('settlement');

/** The shortest lock: the payment is sent once its new price is committed. */
const LOCK_FOR: LockTime = '1m';

/** A payment that waits for a rate is looked at so often at the least, in ms: 5 minutes. */
const RATE_LOOK_MS = 5 * 60_000;

/** What a price at the rate of this moment needs beside the payment. */
export interface RequoteRules {
  readonly settings: PricingSettings;
  readonly timing: Pick<SettlementTiming, 'holdCheckMs'>;
}

/**
 * Whether a payment whose rate is over is priced anew before its next send, and not ended: its customer asked for that,
 * its time for it is not over, the bank has nothing of this attempt (null: a new one), and the database before a restore
 * cannot have sent it.
 */
export async function isToRequote(
  { tx, payment, now }: LockedPayment,
  attempt: AttemptRow | null,
): Promise<boolean> {
  const { requoteUntil } = payment;
  if (requoteUntil === null || now >= requoteUntil) return false;
  if (attempt !== null && mayBankKnow([attempt])) return false;
  return !(await mayPredateRestoreOf(tx, payment));
}

/**
 * Prices a payment anew that nothing else keeps from being sent, where its rate is over: at the rate and the fees of this
 * moment, for the same target amount. The caller sends it in the same transaction, so nobody can choose between the two
 * prices. Answers the payment as it may be sent, or the step of one that waits: no rate is to be had, or the price is
 * above its maximum.
 */
export async function requoteIfOver(
  { settings, timing }: RequoteRules,
  locked: LockedPayment,
  attempt: AttemptRow | null,
): Promise<{ readonly locked: LockedPayment } | { readonly step: PaymentStep }> {
  const { tx, scope, payment, now } = locked;
  if (isRateHeld(payment, now) || !(await isToRequote(locked, attempt))) return { locked };
  const rail = await railPaidOut(locked);
  const draft = await draftAnew(settings, locked, rail);
  if (draft === null) return { step: await waitForRate(locked, timing) };
  const { environment, unit: currency, amount } = payment;
  const charged = { ...rail, environment, currency, amount };
  const price = priceOrder(charged, { schedule: settings.fees, quote: draft });
  if (totalOf(price) > (payment.maxSourceAmount ?? 0n)) {
    return { step: await waitForRate(locked, timing) };
  }
  const before = await findQuote(tx, scope, payment.quoteId ?? '');
  if (before === null) throw new Error(`payment ${payment.id} has lost its quote`);
  const replacing = { requote: before.requote + 1, replacedFees: payment.fees };
  await insertQuotes(tx, scope, [{ ...draft, paymentId: payment.id, ...replacing }]);
  const { graceMs } = settings.quotes[scope.environment];
  const heldUntil = rateHeldUntil(draft, { isFunded: false, graceMs });
  const quote = { id: draft.id, rateHeldUntil: heldUntil };
  const priced = { ...payment, ...priceFields({ price, quote }) };
  const change = { status: 'PROCESSING', statusDetail: 'REQUOTED' } as const;
  const version = nextVersion(priced, change, SETTLEMENT, now);
  await repricePayment(tx, scope, version, now);
  return { locked: { ...locked, payment: version.payment } };
}

/** How the payment is paid out, which its fees depend on. */
async function railPaidOut({ tx, scope, payment, now }: LockedPayment) {
  const [parties] = await lockPartiesForShare(tx, scope, [payment], now);
  return { rail: railOf(payment.destination), country: parties?.country ?? null };
}

/** Null where there is no rate that may be quoted, or no price. */
async function draftAnew(
  settings: PricingSettings,
  { tx, payment, now: at }: LockedPayment,
  paidOut: QuoteOrder['paidOut'],
): Promise<NewQuote | null> {
  const { sourceUnit: sourceCurrency, unit: targetCurrency, amount, environment } = payment;
  const asked = { sourceCurrency, targetCurrency, network: null, fixedSide: 'TARGET' } as const;
  const fields = { currency: '', amount: '' };
  const legs = await readRates(tx);
  const order = { ...asked, amount, lockFor: LOCK_FOR, ...(paidOut && { paidOut }) };
  const moveOf = await openPairMoves(tx, legs, [order], { settings, environment, at });
  try {
    return draftQuote(legs, order, { settings, environment, at, moveOf, fields });
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

async function waitForRate(
  locked: LockedPayment,
  timing: RequoteRules['timing'],
): Promise<PaymentStep> {
  const change = { status: 'ON_HOLD', statusDetail: 'AWAITING_RATE' } as const;
  const { status, statusDetail } = locked.payment;
  const isHeldForIt = status === change.status && statusDetail === change.statusDetail;
  const held = isHeldForIt ? locked : await changePayment(locked, change, SETTLEMENT);
  const { heldSince, requoteUntil } = held.payment;
  const { now } = locked;
  const leftMs = (requoteUntil ?? now).getTime() - now.getTime();
  const waitMs = Math.min(holdLookMs(heldSince, now, timing), RATE_LOOK_MS, leftMs);
  return waitStep(held, { waitMs, needsHuman: false });
}
