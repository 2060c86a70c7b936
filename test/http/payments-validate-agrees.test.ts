import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCorridorTable } from '../../src/domain/corridors/corridor-table.ts';
import {
  createPaymentHarness,
  type Payer,
  type PaymentHarness,
} from '../support/payment-harness.ts';
import { addCustomer } from '../support/test-customer.ts';

const SEPA = { currency: 'EUR', rail: 'SEPA' } as const;

let harness: PaymentHarness;
let stranger: Payer;
let live: Payer;
beforeAll(async () => {
  harness = await createPaymentHarness({
    corridors: createCorridorTable({
      overrides: [
        { ...SEPA, country: 'DE', min: '5.00', max: '500.00' },
        { ...SEPA, country: 'FR', status: 'SUSPENDED' },
      ],
    }),
    encoderFor: (environment, rail) =>
      environment === 'test' && rail !== 'SWIFT' ? () => Buffer.from('') : null,
  });
  const customerId = await harness.database.db.system((tx) => addCustomer(tx));
  stranger = await harness.addPayer({ customerId, environment: 'test' });
  live = await harness.addPayer({ ...harness.scope, environment: 'live' });
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
  /** Minor units of EUR. */
  readonly available: number;
}

interface Order {
  readonly endUser: 'OWN' | 'STRANGER' | 'LIVE' | 'NONE';
  readonly account: 'OWN' | 'STRANGER' | 'LIVE' | 'NONE';
  readonly currency: string;
  readonly amount: string;
}

/** Mostly as it should be, so that orders with one problem, with several and with none all come up. */
const mostly = <Value>(usual: Value, ...others: readonly Value[]) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(usual) }, fc.constantFrom(usual, ...others));

const WORLD: fc.Arbitrary<World> = fc.record({
  endUser: mostly('ACTIVE', 'SUSPENDED', 'CLOSED'),
  kycEnds: mostly<string | null>(null, '2026-09-29T12:00:00Z', '2026-09-29T12:00:00.001Z'),
  account: mostly('ACTIVE', 'DISABLED'),
  nameCheck: mostly('MATCH', 'NO_MATCH', 'UNAVAILABLE'),
  country: mostly('DE', 'FR', 'CU', 'US'),
  currency: mostly('EUR', 'USD'),
  rail: mostly('SEPA', 'SWIFT', 'SEPA_INSTANT'),
  available: mostly(50_000, 0, 999, 1_000, 1_001),
});

const ORDER: fc.Arbitrary<Order> = fc.record({
  endUser: mostly('OWN', 'STRANGER', 'LIVE', 'NONE'),
  account: mostly('OWN', 'STRANGER', 'LIVE', 'NONE'),
  currency: mostly('EUR', 'USD', 'JPY'),
  amount: mostly('10', '4', '5', '10.00', '500', '501'),
});

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
  await harness.rows(`UPDATE balances SET available = $2 WHERE ${of} AND currency = 'EUR'`, [
    ...[customerId, world.available],
  ]);
}

const payers = () => ({
  OWN: harness.payer,
  STRANGER: stranger,
  LIVE: live,
  NONE: { endUserId: 'eu_none', bankAccountId: 'ba_none' },
});

const withoutId = (body: string) => body.replace(/req_[0-9a-z]{26}/, 'req');

interface Answer {
  readonly valid: boolean;
  readonly problems: readonly object[];
}

describe('POST /payments/validate and POST /payments, in the same state of the world', () => {
  it('agree: valid is what is accepted, and the problems are those that are refused', async () => {
    let malformed = 0;
    const seen = { accepted: 0, refusedOnce: 0, refusedForSeveral: 0 };
    await fc.assert(
      fc.asyncProperty(WORLD, ORDER, async (world, { endUser, account, ...rest }) => {
        await putInPlace(world);
        const order = {
          ...rest,
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
        const { valid, problems } = judged.json<Answer>();
        expect([valid, problems.length === 0]).toEqual([valid, valid]);
        if (paid.statusCode === 201) {
          seen.accepted += 1;
          expect(problems).toEqual([]);
          return;
        }
        if (problems.length > 1) seen.refusedForSeveral += 1;
        else seen.refusedOnce += 1;
        expect(problems).toEqual(paid.json<{ details: object[] }>().details);
      }),
      { numRuns: 200, seed: 10 },
    );
    expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(15);
    expect(malformed).toBeGreaterThan(0);
  }, 120_000);
});
