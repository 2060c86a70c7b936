import type { Scope } from '../../domain/scope.ts';
import type { AnyTransaction, ScopedTransaction, SystemTransaction } from '../client/database.ts';

/** The terms of live access, as published; the newest ones are in force. */
export interface LiveTerms {
  readonly version: number;
  readonly text: string;
  readonly publishedAt: Date;
}

/** The terms in force; null where none were published. */
export async function findLiveTerms(tx: AnyTransaction): Promise<LiveTerms | null> {
  const rows = await tx.query<LiveTerms>(
    `SELECT version, text, published_at AS "publishedAt" FROM live_terms
     ORDER BY version DESC LIMIT 1`,
  );
  return rows[0] ?? null;
}

/** Publishes terms as the version after the last one. Of two at once the later one fails. */
export async function insertLiveTerms(
  tx: SystemTransaction,
  terms: { readonly text: string; readonly publishedBy: string; readonly at: Date },
): Promise<number> {
  const rows = await tx.query<{ version: number }>(
    `INSERT INTO live_terms (version, text, published_by, published_at)
     SELECT coalesce(max(version), 0) + 1, :text, :publishedBy, :at FROM live_terms
     RETURNING version`,
    terms,
  );
  return rows[0]?.version ?? 0;
}

/** Who of a customer accepted which terms. */
export interface TermsAcceptance {
  readonly termsVersion: number;
  readonly acceptedBy: string;
  readonly acceptedAt: Date;
}

/** The newest terms that a customer accepted; null where it accepted none. */
export async function findAcceptance(
  tx: ScopedTransaction,
  scope: Scope,
): Promise<TermsAcceptance | null> {
  const rows = await tx.query<TermsAcceptance>(
    `SELECT terms_version AS "termsVersion", accepted_by AS "acceptedBy", accepted_at AS "acceptedAt"
     FROM terms_acceptances WHERE customer_id = $1 AND environment = $2
     ORDER BY terms_version DESC LIMIT 1`,
    [scope.customerId, scope.environment],
  );
  return rows[0] ?? null;
}

/** Stores an acceptance; false where the customer accepted these terms before. */
export async function insertAcceptance(
  tx: ScopedTransaction,
  scope: Scope,
  acceptance: TermsAcceptance,
): Promise<boolean> {
  const rows = await tx.query(
    `INSERT INTO terms_acceptances (customer_id, environment, terms_version, accepted_by, accepted_at)
     VALUES (:customerId, :environment, :termsVersion, :acceptedBy, :acceptedAt)
     ON CONFLICT DO NOTHING RETURNING terms_version`,
    { ...scope, ...acceptance },
  );
  return rows.length > 0;
}
