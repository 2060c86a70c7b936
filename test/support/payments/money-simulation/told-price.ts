import { expect } from 'vitest';
import type { PaymentHarness } from '../../payment-harness.ts';
import { toMinor } from './currencies.ts';
import type { Price } from './expected-books.ts';
import type { DayRates } from './market.ts';
import type { Told } from './told.ts';
import { checkQuote, type ShownQuote } from './price.ts';
import { plainFee, railFee } from './schedule-of-fees.ts';

export interface PriceDeps {
  readonly harness: Pick<PaymentHarness, 'ask'>;
  readonly ratesOn: (day: number) => DayRates;
}

/**
 * What an order costs, worked out from its quote or the operator's fees, and held against what the
 * partner was told with its acceptance. Null for one that was never quoted.
 */
export async function priceOf(deps: PriceDeps, told: Told): Promise<Price | null> {
  const { plan, quote, answer } = told;
  const price = await workOut(deps, told);
  if (answer?.status !== 201 || price === null) return price;
  const { source, target, converted, fee, arrives } = price;
  const shown = answer.json;
  const { fees } = shown;
  expect(
    {
      ...{ currency: shown.currency, arrives: toMinor(shown.amount, target) },
      ...{ source: shown.source.currency, held: toMinor(shown.source.amount, source) },
      fee: fees.reduce((sum, one) => sum + toMinor(one.amount, source), 0n),
      feeCurrencies: [...new Set(fees.map(({ currency }) => currency))],
    },
    `order ${String(plan.number)}`,
  ).toEqual({
    ...{ currency: target, arrives, source, held: converted + fee, fee },
    feeCurrencies: fee > 0n ? [source] : [],
  });
  if (quote !== null) {
    const { id, rate } = quote.answer.json;
    expect(shown).toMatchObject({ quoteId: id, rate });
  }
  return price;
}

async function workOut({ harness, ratesOn }: PriceDeps, told: Told): Promise<Price | null> {
  const { plan, payer, quote, answer, day } = told;
  const { target, source, minor } = plan;
  if (quote !== null) {
    if (quote.answer.status !== 201) return null;
    const shown = quote.answer.json as unknown as ShownQuote;
    return overRail(checkQuote(shown, ratesOn(quote.day), minor));
  }
  if (source === target) {
    const { currency } = target;
    const fee = plainFee(currency, minor);
    return { source: currency, target: currency, converted: minor, arrives: minor, fee };
  }
  if (answer?.status !== 201) return null;
  const found = await harness.ask({
    ...{ url: `/quotes/${String(answer.json.quoteId)}`, token: payer.token },
  });
  const shown = found.json<ShownQuote & { status: string; paymentId: string; rate: string }>();
  expect(shown).toMatchObject({ status: 'CONSUMED', paymentId: answer.json.id });
  expect(shown).toMatchObject({ fixedSide: 'TARGET', rate: answer.json.rate });
  return overRail(checkQuote(shown, ratesOn(day), minor));
}

/** A payment costs its rail's fee beside its quote. */
function overRail(price: Price): Price {
  const { source, target, converted, fee } = price;
  return { ...price, fee: fee + railFee(source, target, converted) };
}
