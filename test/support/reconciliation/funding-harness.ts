import { expect } from 'vitest';
import type { StatementRef } from '../../../src/domain/workflows/work-refs.ts';
import type { AnyTransaction, Database } from '../../../src/db/client/database.ts';
import {
  findIncomingCredit,
  listUnmatchedCredits,
} from '../../../src/db/ledger/incoming-credit-store.ts';
import { findStatement } from '../../../src/db/reconciliation/statement-store.ts';
import { createCorridorTable } from '../../../src/domain/payments/corridors/corridor-table.ts';
import type { Scope } from '../../../src/domain/scope.ts';
import { keepReferences } from '../../../src/modules/ledger/funding/keep-references.ts';
import { reconcileStatement } from '../../../src/modules/reconciliation/reconcile-statement.ts';
import { balancesMatchEntries } from '../../../src/cli/verify/balances-match-entries.ts';
import { ledgerSumsToZero } from '../../../src/cli/verify/ledger-sums-to-zero.ts';
import { connectToVerify } from '../../../src/cli/verify/reader.ts';
import { seedPayingCustomer } from '../seed-payments.ts';
import { createReconciliationHarness } from './reconciliation-harness.ts';
import type { EntryDraft } from './statement-xml.ts';

export type FundingHarness = Awaited<ReturnType<typeof createFundingHarness>>;

/** What stands in a balance, minor units. */
export interface Standing {
  readonly available: bigint;
  readonly receivable: bigint;
}

/** The reconciliation harness with customers that have references, and what came of their credits. */
export async function createFundingHarness() {
  const harness = await createReconciliationHarness();
  const { db, clock, rows } = harness;
  let deposits = 0;

  return {
    ...harness,
    async reference(scope: Scope = harness.customer.scope, currency = 'EUR'): Promise<string> {
      const found = await keepReferences({ db, clock }, scope, [currency]);
      return found.get(currency) ?? '';
    },
    addCustomer: (environment: Scope['environment'] = 'test') =>
      seedPayingCustomer(db, environment),
    /** A credit under a reference of the bank's own, as every booking has one. */
    deposit(over: Partial<EntryDraft> = {}): EntryDraft {
      deposits += 1;
      const bankReference = `DEPOSIT-${String(deposits)}`;
      return { amount: '10.00', direction: 'CRDT', bankReference, ...over };
    },
    async standing(scope: Scope = harness.customer.scope, currency = 'EUR'): Promise<Standing> {
      const [row] = await rows<Standing>(
        `SELECT available, receivable FROM balances
         WHERE customer_id = $1 AND environment = $2 AND currency = $3`,
        [scope.customerId, scope.environment, currency],
      );
      return row ?? { available: 0n, receivable: 0n };
    },
    /**
     * Reconciles in a process that ends before it sends the statement with this text, and everything
     * after it.
     */
    async killedBefore(text: string, { statementId }: StatementRef): Promise<void> {
      const statement = await db.system((tx) => findStatement(tx, BigInt(statementId)));
      if (statement === null) throw new Error('there is no such statement');
      const deps = {
        ...{ db: endingBefore(db, text), clock, corridors: createCorridorTable() },
        ...{
          heartbeat: () => undefined,
          wakePayment: async () => undefined,
          alarm: () => undefined,
        },
        missingAfterMs: { test: 60_000, live: 60_000 },
      };
      await reconcileStatement(deps, statement);
    },
    /** I4 and I5, I8 of credits, and that each credit of a bank is in one book, once. */
    async expectBooksToHold(): Promise<void> {
      const connection = await connectToVerify(harness.url);
      try {
        const found = await connection.snapshot(async (reader) => [
          await ledgerSumsToZero(reader),
          await balancesMatchEntries(reader),
        ]);
        expect(found.flatMap(({ samples }) => samples)).toEqual([]);
      } finally {
        await connection.close();
      }
      const untold = await rows(
        `SELECT c.id FROM funding_credits c WHERE version <> (
           SELECT count(*) FROM events e WHERE e.resource_id = c.id)`,
      );
      expect(untold).toEqual([]);
      const [sums] = await rows<{ arrived: string; booked: string }>(
        `SELECT (SELECT coalesce(sum(minor), 0) FROM incoming_credits c WHERE outcome IS DISTINCT FROM 'CLOSED'
             AND NOT EXISTS (SELECT FROM credit_reversals r WHERE r.credit_id = c.id))::text AS arrived,
           (SELECT coalesce(-sum(amount), 0) FROM ledger_entries
            WHERE account = 'nostro:HTTP_BANK' AND kind NOT LIKE 'EXCEPTION%')::text AS booked`,
      );
      expect(sums?.booked).toBe(sums?.arrived);
    },
    events: (scope: Scope = harness.customer.scope) =>
      rows<{ type: string; version: number; body: string; id: string }>(
        `SELECT type, resource_version AS version, body, resource_id AS id FROM events
         WHERE customer_id = $1 AND resource_type = 'funding_credit' ORDER BY seq`,
        [scope.customerId],
      ),
    unmatched: () => db.system((tx) => listUnmatchedCredits(tx, null, 1_000)),
    credit: (id: string) => db.system((tx) => findIncomingCredit(tx, id)),
    /** What suspense holds, minor units. */
    async suspense(currency = 'EUR'): Promise<bigint> {
      const [row] = await rows<{ sum: string }>(
        `SELECT coalesce(sum(amount), 0)::text AS sum FROM ledger_entries
         WHERE account = 'suspense' AND currency = $1`,
        [currency],
      );
      return BigInt(row?.sum ?? 0);
    },
  };
}

function endingBefore(db: Database, text: string): Database {
  let hasEnded = false;
  const ending = <Tx extends AnyTransaction>(tx: Tx): Tx => ({
    ...tx,
    query: (sql: string, values: never) => {
      hasEnded ||= sql.includes(text);
      if (hasEnded) throw new Error('killed');
      return tx.query(sql, values);
    },
  });
  return {
    ...db,
    write: (scope, work, options) => db.write(scope, (tx) => work(ending(tx)), options),
    system: (work) => db.system((tx) => work(ending(tx))),
  };
}
