import { toMinor, toText } from './currencies.ts';
import { isConverted, type OrderPlan } from './order-plan.ts';
import type { SimulatedPayer } from './payers.ts';
import type { Answer } from './told.ts';

const DAY_MS = 24 * 3_600_000;

export interface Ordering {
  /** Of the reference. */
  readonly number: number;
  readonly payer: SimulatedPayer;
  readonly quote: Answer | null;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The body of POST /payments for a plan. */
export function orderBody(
  plan: OrderPlan,
  { number, payer, quote, now }: Ordering,
): Record<string, unknown> {
  const { target, source, kind } = plan;
  const { currency } = target;
  const scheduled = new Date(now + plan.scheduledInDays * DAY_MS).toISOString();
  const quoted = quote === null ? plan.minor : toMinor(quote.json.targetAmount, currency);
  const minor = kind === 'MISMATCHED_QUOTE' ? quoted + 1n : quoted;
  // Named, or left to the quote, or to what goes without saying.
  const namesSource = isConverted(kind) ? quote === null || number % 2 === 0 : number % 3 === 0;
  return {
    ...{ endUserId: payer.endUserId, bankAccountId: payer.accounts.get(currency) },
    ...{ amount: toText(minor, currency), currency, reference: `ORDER ${String(number)}` },
    ...(namesSource && { sourceCurrency: source.currency }),
    ...(quote !== null && { quoteId: quote.json.id }),
    ...(kind.startsWith('SCHEDULED') && { scheduledFor: scheduled.slice(0, 10) }),
  };
}
