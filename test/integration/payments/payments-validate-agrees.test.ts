import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBalance } from '../../../src/db/ledger/balance-store.ts';
import { replaceRates } from '../../../src/db/payments/fx-rate-store.ts';
import { createCorridorTable } from '../../../src/domain/payments/corridors/corridor-table.ts';
import {
  createPaymentHarness,
  type Payer,
  type PaymentHarness,
} from '../../support/payment-harness.ts';
import { addQuote, QUOTED_AT, QUOTE_EXPIRES_AT } from '../../support/sample-quote.ts';
import { addCustomer } from '../../support/test-customer.ts';

const SEPA = { currency: 'EUR', rail: 'SEPA' } as const;

let harness: PaymentHarness;
let stranger: Payer;
let live: Payer;
let usedQuote: string;
beforeAll(async () => {
  harness = await createPaymentHarness({
    corridors: createCorridorTable({
      overrides: [
        { ...SEPA, country: 'DE', min: '5.00', max: '900.00' },
        { ...SEPA, country: 'FR', status: 'SUSPENDED' },
      ],
    }),
    encoderFor: (environment, rail) =>
      environment === 'test' && rail !== 'SWIFT' ? () => Buffer.from('') : null,
  });
  const customerId = await harness.database.db.system((tx) => addCustomer(tx));
  stranger = await harness.addPayer({ customerId, environment: 'test' });
  live = await harness.addPayer({ ...harness.scope, environment: 'live' });
  const leg = { source: 'sample', base: 'USD', quote: 'EUR', rate: '0.9', asOf: QUOTED_AT };
  await harness.database.db.system((tx) => replaceRates(tx, [leg], QUOTED_AT));
  await harness.database.db.write(harness.scope, (tx) => openBalance(tx, harness.scope, 'USD'));
  await putInPlace(ORDINARY_WORLD);
  usedQuote = (await addQuote(harness.database.db, harness.scope)).id;
  await harness.accept({ amount: '892.37', quoteId: usedQuote });
});
afterAll(() => harness.close());

interface World {
  readonly endUser: string;
  readonly kycEnds: string | null;
  readonly account: string;
  readonly nameCheck: string;
  readonly country: string;
  readonly currency: string;
  readonly rail: string;
  /** Minor units of EUR and of USD. */
  readonly available: number;
}

interface Order {
  readonly endUser: 'OWN' | 'STRANGER' | 'LIVE' | 'NONE';
  readonly account: 'OWN' | 'STRANGER' | 'LIVE' | 'NONE';
  readonly currency: string;
  readonly amount: string;
  readonly sourceCurrency: string | undefined;
  readonly quote: 'NONE' | 'ACTIVE' | 'EXPIRED' | 'USED' | 'MISSING' | 'STRANGER';
}

/** Mostly as it should be, so that orders with one problem, with several and with none all come up. */
const mostly = <Value>(usual: Value, ...others: readonly Value[]) =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(usual) }, fc.constantFrom(usual, ...others));

const WORLD: fc.Arbitrary<World> = fc.record({
  endUser: mostly('ACTIVE', 'SUSPENDED', 'CLOSED'),
  kycEnds: mostly<string | null>(null, '2026-09-29T12:00:00Z', '2026-09-29T12:00:00.001Z'),
  account: mostly('ACTIVE', 'DISABLED'),
  nameCheck: mostly('MATCH', 'NO_MATCH', 'UNAVAILABLE'),
  country: mostly('DE', 'FR', 'CU', 'US'),
  currency: mostly('EUR', 'USD'),
  rail: mostly('SEPA', 'SWIFT', 'SEPA_INSTANT'),
  available: mostly(500_000, 0, 999, 1_000, 1_001, 1_112, 99_999, 100_000),
});

const ORDINARY_WORLD: World = {
  ...{ endUser: 'ACTIVE', kycEnds: null, account: 'ACTIVE', nameCheck: 'MATCH' },
  ...{ country: 'DE', currency: 'EUR', rail: 'SEPA', available: 500_000 },
};

/** In one currency, from another balance, by a quote of 892.37 EUR for 1,000.00 USD. */
const MONEY: fc.Arbitrary<Pick<Order, 'amount' | 'sourceCurrency' | 'quote'>> = fc.oneof(
  fc.record({
    amount: mostly('10', '4', '5', '900', '900.01', '10.001'),
    sourceCurrency: mostly<string | undefined>(undefined, 'EUR'),
    quote: fc.constant<Order['quote']>('NONE'),
  }),
  fc.record({
    amount: mostly('892.37', '0.01', '10'),
    sourceCurrency: mostly<string | undefined>('USD', 'GBP'),
    quote: fc.constant<Order['quote']>('NONE'),
  }),
  fc.record({
    amount: mostly('892.37', '892.38'),
    sourceCurrency: mostly<string | undefined>(undefined, 'USD', 'EUR'),
    quote: mostly<Order['quote']>('ACTIVE', 'EXPIRED', 'USED', 'MISSING', 'STRANGER'),
  }),
);

const ORDER: fc.Arbitrary<Order> = fc
  .record({
    endUser: mostly<Order['endUser']>('OWN', 'STRANGER', 'LIVE', 'NONE'),
    account: mostly<Order['account']>('OWN', 'STRANGER', 'LIVE', 'NONE'),
    currency: mostly('EUR', 'USD', 'JPY'),
    money: MONEY,
  })
  .map(({ money, ...order }) => ({ ...order, ...money }));

async function putInPlace(world: World): Promise<void> {
  const { customerId } = harness.scope;
  const of = "customer_id = $1 AND environment = 'test'";
  await harness.rows(`UPDATE end_users SET status = $2, kyc_expires_at = $3 WHERE ${of}`, [
    customerId,
    world.endUser,
    world.kycEnds,
  ]);
  await harness.rows(
    `UPDATE bank_accounts SET status = $2, name_check = $3, country = $4, currency = $5, rail = $6
     WHERE ${of}`,
    [customerId, world.account, world.nameCheck, world.country, world.currency, world.rail],
  );
  await harness.rows(`UPDATE balances SET available = $2 WHERE ${of}`, [
    ...[customerId, world.available],
  ]);
}

/** The id of a quote of 892.37 EUR for 1,000.00 USD that is as the order wants it. */
async function quoteFor({ quote }: Order): Promise<string | undefined> {
  if (quote === 'NONE') return undefined;
  if (quote === 'MISSING') return 'quo_none';
  if (quote === 'USED') return usedQuote;
  const { scope } = quote === 'STRANGER' ? stranger : harness;
  const { db } = harness.database;
  const expiresAt = quote === 'EXPIRED' ? QUOTED_AT : QUOTE_EXPIRES_AT;
  const createdAt = new Date(QUOTED_AT.getTime() - 60_000);
  const { id } = await addQuote(db, scope, { expiresAt, createdAt });
  return id;
}

const payers = () => ({
  OWN: harness.payer,
  STRANGER: stranger,
  LIVE: live,
  NONE: { endUserId: 'eu_none', bankAccountId: 'ba_none' },
});

const withoutId = (body: string) => body.replace(/req_[0-9a-z]{26}/, 'req');

interface Cost {
  readonly source: object;
  readonly fees: readonly object[];
  readonly rate: string | null;
}

const pick = ({ source, fees, rate }: Cost): Cost => ({ source, fees, rate });

interface Answer {
  readonly valid: boolean;
  readonly problems: readonly object[];
  readonly cost: Cost | null;
}

describe('POST /payments/validate and POST /payments, in the same state of the world', () => {
  it('agree: valid is what is accepted, and the problems are those that are refused', async () => {
    let malformed = 0;
    const seen = { accepted: 0, converted: 0, refusedOnce: 0, refusedForSeveral: 0 };
    await fc.assert(
      fc.asyncProperty(WORLD, ORDER, async (world, wanted) => {
        const { endUser, account, currency, amount, sourceCurrency } = wanted;
        const quoteId = await quoteFor(wanted);
        await putInPlace(world);
        const order = {
          ...{ currency, amount, sourceCurrency, quoteId },
          endUserId: payers()[endUser].endUserId,
          bankAccountId: payers()[account].bankAccountId,
        };
        const judged = await harness.ask({
          ...{ method: 'POST', url: '/payments/validate', body: order },
        });
        const paid = await harness.pay(order);
        if (judged.statusCode === 400) {
          malformed += 1;
          expect(withoutId(judged.body)).toBe(withoutId(paid.body));
          return;
        }
        expect(judged.statusCode, judged.body).toBe(200);
        const { valid, problems, cost } = judged.json<Answer>();
        expect([valid, problems.length === 0]).toEqual([valid, valid]);
        if (paid.statusCode === 201) {
          const { rate } = paid.json<{ rate: string | null }>();
          if (rate === null) seen.accepted += 1;
          else seen.converted += 1;
          expect(problems).toEqual([]);
          expect(cost).toMatchObject(pick(paid.json()));
          return;
        }
        if (problems.length > 1) seen.refusedForSeveral += 1;
        else seen.refusedOnce += 1;
        expect(problems).toEqual(paid.json<{ details: object[] }>().details);
      }),
      { numRuns: 100, seed: 10 },
    );
    expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(3);
    expect(malformed).toBeGreaterThan(0);
  }, 300_000);
});
