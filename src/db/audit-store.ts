import type { Scope } from '../domain/scope.ts';
import type { AnyTransaction } from './database.ts';

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
export async function recordAudit(tx: AnyTransaction, entry: AuditEntry): Promise<void> {
  await tx.query(
    `INSERT INTO audit_log (at, actor, action, customer_id, environment, subject, details)
     VALUES (:at, :actor, :action, :customerId, :environment, :subject, :details)`,
    {
      at: entry.at,
      actor: entry.actor,
      action: entry.action,
      customerId: entry.scope.customerId,
      environment: entry.scope.environment,
      subject: entry.subject,
      details: JSON.stringify(entry.details),
    },
  );
}
