import { expect } from 'vitest';
import { replaceRates } from '../../src/db/payments/fx-rate-store.ts';
import type { Scope } from '../../src/domain/scope.ts';
import { fundBalance } from '../../src/modules/ledger/fund-balance.ts';
import type { PaymentHarness } from './payment-harness.ts';

/** Units for one dollar. */
export const RATES = { EUR: '0.9', JPY: '150', GBP: '0.75' };

type Quoting = Pick<PaymentHarness, 'database' | 'clock' | 'ask'>;

/** Puts rates in force, as of the clock unless told otherwise. */
export async function publishRates(
  { database, clock }: Pick<Quoting, 'database' | 'clock'>,
  rates: Readonly<Record<string, string>> = RATES,
  asOf = clock.now(),
): Promise<void> {
  const legs = Object.entries(rates).map(([quote, rate]) => {
    return { source: 'sample', base: 'USD', quote, rate, asOf };
  });
  await database.db.system((tx) => replaceRates(tx, legs, asOf));
}

/** Credits a balance; minor units. */
export async function fund(
  { database, clock }: Pick<Quoting, 'database' | 'clock'>,
  scope: Scope,
  currency: string,
  amount: bigint,
): Promise<void> {
  const funding = { currency, amount, rail: 'SWIFT' };
  await database.db.write(scope, (tx) => fundBalance(tx, scope, funding, clock.now()));
}

export interface QuoteAnswer {
  readonly id: string;
  readonly sourceAmount: string;
  readonly targetAmount: string;
  readonly rate: string;
  readonly fees: readonly object[];
}

/** A quote over HTTP: dollars for 10.00 EUR, held for a minute, unless told otherwise. */
export async function quote(
  { ask }: Pick<Quoting, 'ask'>,
  overrides: object = {},
  token?: string,
): Promise<QuoteAnswer> {
  const pair = { sourceCurrency: 'USD', targetCurrency: 'EUR', lockFor: '1m' };
  const side = 'sourceAmount' in overrides ? {} : { targetAmount: '10.00' };
  const body = { ...pair, ...side, ...overrides };
  const answer = await ask({ method: 'POST', url: '/quotes', body, ...(token && { token }) });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<QuoteAnswer>();
}
