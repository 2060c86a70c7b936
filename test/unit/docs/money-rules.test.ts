import { describe, expect, it } from 'vitest';
import { createFeeSchedule } from '../../../src/domain/payments/fees/fee-schedule.ts';
import { sumFees } from '../../../src/domain/payments/fees/payment-fee.ts';
import {
  sourceAmountFor,
  targetAmountFor,
} from '../../../src/domain/payments/fx/convert-amount.ts';
import { chargeOf, creditOf } from '../../../src/domain/ledger/movements.ts';
import { formatAmount, parseAmount } from '../../../src/domain/money/amount.ts';
import { customerRate } from '../../../src/domain/payments/quotes/customer-rate.ts';
import { priceAssetQuote } from '../../../src/domain/payments/quotes/price-asset-quote.ts';
import {
  feesFor,
  fixedFeeIn,
  largestConverted,
} from '../../../src/domain/payments/quotes/quote-fees.ts';
import { readMoneyPage } from '../../support/money-page.ts';

const minor = (text = '', currency = ''): bigint => {
  const parsed = parseAmount(text, currency);
  if (!parsed.ok) throw new Error(`${text} ${currency} is no amount`);
  return parsed.minor;
};
const text = (amount: bigint, currency = '') => `${formatAmount(amount, currency)} ${currency}`;

type Words = readonly (string | undefined)[];

/** How a step is worked out: what its "of" must look like, and what the code makes of it. */
const STEPS: Readonly<Record<string, readonly [RegExp, (words: Words, gives: string) => string]>> =
  {
    'rate of a quote': [
      /^mid (\S+), markup (\d+) bps$/,
      ([mid = '', bps]) => customerRate(mid, Number(bps)),
    ],
    'fixed fee of a quote': [
      /^(\S+) of USD, (\S+) (\S+) for a USD$/,
      ([fee = '', rate = '', currency = '']) => text(fixedFeeIn(currency, fee, rate), currency),
    ],
    'percentage fee of a quote': [
      /^(\S+) (\S+), (\d+) bps$/,
      ([amount, currency, bps]) =>
        text(feesFor(minor(amount, currency), { feeBps: Number(bps) }), currency),
    ],
    'converted, source amount kept': [
      /^(\S+) (\S+) less (\S+), (\d+) bps$/,
      ([paid, currency, fixed, bps]) => {
        const fees = { feeBps: Number(bps), fixedFee: minor(fixed, currency) };
        return text(largestConverted(minor(paid, currency), fees), currency);
      },
    ],
    'target amount, source amount kept': [
      /^(\S+) (\S+) at (\S+)$/,
      ([amount, sourceCurrency = '', rate = ''], gives) => {
        const targetCurrency = gives.slice(-3);
        const conversion = { sourceCurrency, targetCurrency, rate };
        return text(targetAmountFor(minor(amount, sourceCurrency), conversion), targetCurrency);
      },
    ],
    'converted, target amount kept': [
      /^(\S+) (\S+) at (\S+)$/,
      ([amount, targetCurrency = '', rate = ''], gives) => {
        const sourceCurrency = gives.slice(-3);
        const conversion = { sourceCurrency, targetCurrency, rate };
        return text(sourceAmountFor(minor(amount, targetCurrency), conversion), sourceCurrency);
      },
    ],
    'rest of a quote with an asset': [
      /^(\S+) (\S+) at (\S+) into (\S+)$/,
      ([amount, sourceCurrency = '', rate = '', targetCurrency = '']) => {
        const request = { sourceCurrency, targetCurrency, fixedSide: 'SOURCE' } as const;
        const terms = priceAssetQuote(
          { ...request, amount: minor(amount, sourceCurrency) },
          { midMarketRate: rate, markupBps: 0 },
          () => [],
        );
        return text(sumFees(terms?.fees ?? []), sourceCurrency);
      },
    ],
    'share in a fee of a payment': [
      /^(\S+) (\S+), (\d+) bps$/,
      ([amount, currency = '', bps]) => {
        const bounds = { fixed: 0n, min: null, max: null, bps: Number(bps) };
        const row = { ...bounds, type: 'SERVICE', currency } as const;
        const schedule = createFeeSchedule([
          { ...row, environment: null, rail: null, country: null },
        ]);
        const place = { environment: 'test', rail: 'FPS', country: 'GB' } as const;
        const [fee] = schedule.feesOf({ ...place, currency, amount: minor(amount, currency) });
        return text(BigInt(fee?.amount ?? 0), currency);
      },
    ],
    'credit of a return': [
      /^(\S+) of (\S+) (\S+), paid with (\S+) (\S+)$/,
      ([back, paid, currency = '', cost, sourceCurrency = '']) => {
        const source = { currency: sourceCurrency, minor: minor(cost, sourceCurrency) };
        const target = { currency, minor: minor(paid, currency) };
        return text(creditOf({ source, target }, minor(back, currency)).minor, sourceCurrency);
      },
    ],
    'charge of a recovered debit': [
      /^(\S+) of (\S+) (\S+), paid with (\S+) (\S+)$/,
      ([left, paid, currency = '', cost, sourceCurrency = '']) => {
        const source = { currency: sourceCurrency, minor: minor(cost, sourceCurrency) };
        const target = { currency, minor: minor(paid, currency) };
        return text(chargeOf({ source, target }, minor(left, currency)).minor, sourceCurrency);
      },
    ],
  };

describe('the roundings of docs/explanation/money-rules.md', () => {
  const { roundings } = readMoneyPage();

  it('are those of every step, each of them once at least', () => {
    expect(new Set(roundings.map(({ step }) => step))).toEqual(new Set(Object.keys(STEPS)));
  });

  it.each(roundings.map((row) => [`${row['step'] ?? ''} of ${row['of'] ?? ''}`, row] as const))(
    '%s is what the code makes of it',
    (_name, { step = '', of = '', gives = '' }) => {
      const [pattern, workOut] = STEPS[step] ?? [/^$/, () => 'nothing'];
      const words = pattern.exec(of);
      expect(words, of).not.toBeNull();
      expect(workOut(words?.slice(1) ?? [], gives)).toBe(gives);
    },
  );
});
