import type { Database } from '../../src/db/client/database.ts';
import { newId } from '../../src/db/client/new-id.ts';
import { insertQuote, type NewQuote, type QuoteRow } from '../../src/db/payments/quote-store.ts';
import type { Scope } from '../../src/domain/scope.ts';

export const QUOTED_AT = new Date('2026-09-29T12:00:00.000Z');
export const QUOTE_EXPIRES_AT = new Date('2026-09-29T12:15:00.000Z');

/** Stores a quote of 1,000.00 USD for 892.37 EUR, ACTIVE for 15 minutes unless told otherwise. */
export function addQuote(
  db: Database,
  scope: Scope,
  overrides: Partial<NewQuote> = {},
): Promise<QuoteRow> {
  const quote: NewQuote = {
    id: newId('quo'),
    ...{ sourceCurrency: 'USD', targetCurrency: 'EUR', fixedSide: 'SOURCE' },
    ...{ network: null, fees: [] },
    ...{ sourceAmount: 100_000n, convertedAmount: 99_651n, targetAmount: 89_237n },
    ...{ fixedFee: 50n, percentageFee: 299n, feeBps: 30 },
    ...{ midMarketRate: '0.9', rate: '0.8955', markupBps: 50 },
    ...{ rateAsOf: QUOTED_AT, rateSource: 'sample', isStale: false, lockFor: '15m' },
    ...{ createdAt: QUOTED_AT, expiresAt: QUOTE_EXPIRES_AT },
    ...overrides,
  };
  return db.write(scope, (tx) => insertQuote(tx, scope, quote));
}
