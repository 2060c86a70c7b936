import type { Scope } from '../domain/scope.ts';
import type { Transaction } from './database.ts';

export interface AuditEntry {
  readonly at: Date;
  /** `operator:<name>`, `api-key:<id>`, `system`. */
  readonly actor: string;
  readonly action: string;
  readonly scope: Scope;
  readonly subject: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Writes down who did what, in the transaction that does it. Entries are never changed. */
export async function recordAudit(tx: Transaction, entry: AuditEntry): Promise<void> {
  await tx.query(
    `INSERT INTO audit_log (at, actor, action, customer_id, environment, subject, details)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [
      entry.at,
      entry.actor,
      entry.action,
      entry.scope.customerId,
      entry.scope.environment,
      entry.subject,
      JSON.stringify(entry.details),
    ],
  );
}
