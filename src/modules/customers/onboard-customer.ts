import { listBalances } from '../../db/ledger/balance-store.ts';
import { insertCustomer } from '../../db/customers/customer-store.ts';
import type { Database } from '../../db/client/database.ts';
import type { Clock } from '../../domain/clock.ts';
import { currencyCodes, minorDigits } from '../../domain/money/currencies.ts';
import type { Scope } from '../../domain/scope.ts';
import { fundBalance } from '../ledger/fund-balance.ts';

/** What a new customer finds in its test environment. Major units. */
const SANDBOX_FUNDS_MAJOR = 1_000_000n;

/** Where sandbox money comes from: an account of ours that belongs to no bank. */
const SANDBOX_FUNDS_RAIL = 'SANDBOX_FUNDING';

/**
 * Takes on a customer: stored, without live access, and funded with 1,000,000 in every currency of its test
 * environment.
 * Answers false, having done nothing, where the id exists.
 */
export async function onboardCustomer(
  deps: { readonly db: Database; readonly clock: Clock },
  customer: { readonly id: string; readonly name: string },
): Promise<boolean> {
  const now = deps.clock.now();
  const isNew = await deps.db.system((tx) => insertCustomer(tx, customer, now));
  await fundEveryCurrency(deps, { customerId: customer.id, environment: 'test' });
  return isNew;
}

/** Two that fund a scope at once would both find it without a balance. */
const ONE_AT_A_TIME = `pg_advisory_xact_lock(hashtextextended('sandbox-funds:' || $1, 0))`;

/** Gives a scope that has no balance yet 1,000,000 in every currency, out of nothing: sandboxes only. */
export async function fundEveryCurrency(
  deps: { readonly db: Database; readonly clock: Clock },
  scope: Scope,
): Promise<void> {
  const now = deps.clock.now();
  await deps.db.write(
    scope,
    async (tx) => {
      if ((await listBalances(tx, scope)).length > 0) return;
      for (const currency of currencyCodes()) {
        const amount = SANDBOX_FUNDS_MAJOR * 10n ** BigInt(minorDigits(currency));
        await fundBalance(tx, scope, { currency, amount, rail: SANDBOX_FUNDS_RAIL }, now);
      }
    },
    { alsoLock: ONE_AT_A_TIME },
  );
}
