import type { Database } from '../../../db/client/database.ts';
import type { IncomingCreditRow } from '../../../db/ledger/incoming-credit-store.ts';
import {
  findLedgerTransactions,
  insertLedgerTransactions,
} from '../../../db/ledger/ledger-store.ts';
import type { Clock } from '../../../domain/clock.ts';
import { PLATFORM_ACCOUNT } from '../../../domain/platform-account.ts';
import { creditLines, suspenseLines } from '../../../domain/ledger/credit-movements.ts';
import type { Environment, Scope } from '../../../domain/scope.ts';
import { writeCredits } from './write-credits.ts';

export interface PostDeps {
  readonly db: Database;
  readonly clock: Clock;
}

/**
 * Writes what arrived into the books, as it was decided when it was first seen: a customer's to its
 * balance, unmatched ones to suspense. One transaction an owner; what is there already stays as it is. One
 * owner whose books cannot be written holds up no other: answers the errors, by credit.
 */
export async function postCredits(
  deps: PostDeps,
  environment: Environment,
  credits: readonly IncomingCreditRow[],
): Promise<ReadonlyMap<string, unknown>> {
  const faults = new Map<string, unknown>();
  for (const [customerId, ofOne] of byOwner(credits)) {
    const scope = { customerId, environment };
    const post = customerId === PLATFORM_ACCOUNT ? postToSuspense : postToCustomer;
    await post(deps, scope, ofOne).catch((error: unknown) => {
      for (const { id } of ofOne) faults.set(id, error);
    });
  }
  return faults;
}

function byOwner(credits: readonly IncomingCreditRow[]): Map<string, IncomingCreditRow[]> {
  const found = new Map<string, IncomingCreditRow[]>();
  for (const credit of credits) {
    // An unmatched one went to suspense first, whose ever it is by now.
    const owner = credit.unmatchedReason === null ? credit.customerId : PLATFORM_ACCOUNT;
    if (owner !== null) found.set(owner, [...(found.get(owner) ?? []), credit]);
  }
  return found;
}

async function postToCustomer(
  { db, clock }: PostDeps,
  scope: Scope,
  credits: readonly IncomingCreditRow[],
): Promise<void> {
  const at = clock.now();
  const wanted = credits.map((credit) => {
    const { id, currency, reference, bookedAt, ledgerTransactionId } = credit;
    const amount = credit.minor ?? 0n;
    return {
      credit: { id, currency, amount, reference, bookedAt, creditedAt: at, ledgerTransactionId },
      kind: 'FUND' as const,
      lines: creditLines(credit.connector, { currency, minor: amount }),
    };
  });
  await db.write(scope, (tx) => writeCredits(tx, scope, wanted, at));
}

async function postToSuspense(
  { db, clock }: PostDeps,
  scope: Scope,
  credits: readonly IncomingCreditRow[],
): Promise<void> {
  const transactions = credits.flatMap(
    ({ minor, currency, connector, ledgerTransactionId: id }) => {
      // What is no amount of ours is in no book.
      if (minor === null) return [];
      const lines = suspenseLines(connector, { currency, minor });
      return [{ id, paymentId: null, kind: 'SUSPEND' as const, lines }];
    },
  );
  if (transactions.length === 0) return;
  // Of two workers the second one looks once the first one has written.
  const alsoLock = `pg_advisory_xact_lock(hashtextextended('suspense:${scope.environment}', 0))`;
  await db.write(
    scope,
    async (tx) => {
      const ids = transactions.map(({ id }) => id);
      const known = await findLedgerTransactions(tx, scope, ids);
      const missing = transactions.filter(({ id }) => !known.has(id));
      if (missing.length > 0) await insertLedgerTransactions(tx, scope, missing, clock.now());
    },
    { alsoLock },
  );
}
