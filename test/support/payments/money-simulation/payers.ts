import { expect } from 'vitest';
import { fundBalance } from '../../../../src/modules/ledger/fund-balance.ts';
import { exampleAccount } from '../../example-account.ts';
import type { Payer, PaymentHarness } from '../../payment-harness.ts';
import { addCustomer } from '../../test-customer.ts';
import { DESTINATIONS, type Destination } from './currencies.ts';

/** A customer with money and a bank account in every currency. */
export interface SimulatedPayer extends Payer {
  /** Ids of bank accounts by currency. */
  readonly accounts: ReadonlyMap<string, string>;
  /** What was paid in, by currency. Minor units. */
  readonly funded: ReadonlyMap<string, bigint>;
}

/** In EUR; the harness pays this in itself. */
export const HARNESS_FUNDS = '100000000000.00';

/** Opens a balance and an account in every currency for a payer of the harness. */
export async function equipPayer(harness: PaymentHarness, payer: Payer): Promise<SimulatedPayer> {
  const { scope, token, endUserId } = payer;
  const accounts = new Map<string, string>();
  const funded = new Map<string, bigint>();
  for (const one of DESTINATIONS) {
    const { currency, country, rail } = one;
    const body = exampleAccount({ country, currency, rail: rail as never }, endUserId);
    const answer = await harness.ask({ method: 'POST', url: '/bank-accounts', body, token });
    expect([200, 201], answer.body).toContain(answer.statusCode);
    accounts.set(currency, answer.json<{ id: string }>().id);
    const amount = fundsOf(one);
    if (currency !== 'EUR') {
      const at = harness.deps.clock.now();
      const { db } = harness.database;
      await db.write(scope, (tx) => fundBalance(tx, scope, { currency, amount, rail }, at));
    }
    funded.set(currency, amount);
  }
  return { ...payer, accounts, funded };
}

/** One more customer. */
export async function addSimulatedPayer(harness: PaymentHarness): Promise<SimulatedPayer> {
  const customerId = await harness.database.db.system((tx) => addCustomer(tx));
  return equipPayer(harness, await harness.addPayer({ customerId, environment: 'test' }));
}

function fundsOf({ decimals, isScarce }: Destination): bigint {
  return (isScarce ? 40_000n : 100_000_000_000n) * 10n ** BigInt(decimals);
}

/** The customers' references for money that is sent to them, as the API tells them. */
export async function readReferences(
  { ask }: Pick<PaymentHarness, 'ask'>,
  payers: readonly SimulatedPayer[],
): Promise<(payer: number, currency: string) => string> {
  const references = await Promise.all(
    payers.map(async ({ token }) => {
      const answer = await ask({ url: '/funding-instructions', token });
      const { data } = answer.json<{ data: { currency: string; reference: string }[] }>();
      return new Map(data.map(({ currency, reference }) => [currency, reference]));
    }),
  );
  return (payer, currency) => references[payer]!.get(currency)!;
}
