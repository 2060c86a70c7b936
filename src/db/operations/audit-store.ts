import { actorText, type Actor } from '../../domain/actor.ts';
import type { Environment } from '../../domain/scope.ts';
import type { AnyTransaction } from '../client/database.ts';

export interface AuditEntry {
  readonly at: Date;
  readonly actor: Actor;
  readonly action: string;
  /** Whom it concerns. Null means all; only the system role may write that. */
  readonly scope: {
    readonly customerId: string | null;
    readonly environment: Environment | null;
  };
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
      actor: actorText(entry.actor),
      action: entry.action,
      customerId: entry.scope.customerId,
      environment: entry.scope.environment,
      subject: entry.subject,
      details: JSON.stringify(entry.details),
    },
  );
}
