import type { KnownReference } from '../../domain/ledger/funding/judge-credit.ts';
import type { Environment, Scope } from '../../domain/scope.ts';
import type { ScopedTransaction, SystemTransaction } from '../client/database.ts';

interface FundingReferenceRow {
  readonly currency: string;
  readonly reference: string;
}

/** The references of a scope, by currency. */
export async function listFundingReferences(
  tx: ScopedTransaction,
  scope: Scope,
): Promise<FundingReferenceRow[]> {
  return tx.query<FundingReferenceRow>(
    `SELECT currency, reference FROM funding_references
     WHERE customer_id = $1 AND environment = $2 ORDER BY currency`,
    [scope.customerId, scope.environment],
  );
}

/** Stores references of currencies that have none yet; one that is there stays. */
export async function insertFundingReferences(
  tx: ScopedTransaction,
  scope: Scope,
  rows: readonly FundingReferenceRow[],
  at: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO funding_references (customer_id, environment, currency, reference, created_at)
     SELECT :customerId, :environment, r.currency, r.reference, :at
     FROM unnest(:currencies::text[], :references::text[]) AS r (currency, reference)
     ON CONFLICT (customer_id, environment, currency) DO NOTHING`,
    {
      ...scope,
      at,
      currencies: rows.map(({ currency }) => currency),
      references: rows.map(({ reference }) => reference),
    },
  );
}

/** Whose references these are, of those that are a customer's in the environment. System role only. */
export async function findReferenceOwners(
  tx: SystemTransaction,
  environment: Environment,
  references: readonly string[],
): Promise<ReadonlyMap<string, KnownReference>> {
  if (references.length === 0) return new Map();
  const rows = await tx.query<KnownReference>(
    `SELECT reference, customer_id AS "customerId", currency FROM funding_references
     WHERE environment = $1 AND reference = ANY ($2)`,
    [environment, [...references]],
  );
  return new Map(rows.map((row) => [row.reference, row]));
}
