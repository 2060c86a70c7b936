import type { ApprovalRow } from '../../db/approvals/approval-store.ts';
import type { Database } from '../../db/client/database.ts';
import type { Clock } from '../../domain/clock.ts';
import type { CorridorTable } from '../../domain/payments/corridors/corridor-table.ts';
import type { Environment } from '../../domain/scope.ts';
import type { WorkflowClient } from '../../domain/workflows/workflow-client.ts';
import type { OperatorKeys } from '../../domain/approvals/operator-keys.ts';
import type { Vault } from '../../vault/vault.ts';

/** What effects of approvals work with. */
export interface EffectDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly workflows: WorkflowClient;
  readonly corridors: CorridorTable;
  /** Days that a KYC approval stands; 0: without an end of ours. */
  readonly kycApprovalDays: Readonly<Record<Environment, number>>;
  /** Where browsers reach the dashboard, which mails to a customer's users lead to. */
  readonly dashboardUrl: string;
  /** What the signatures of an approval are judged by, before it takes effect. */
  readonly operatorKeys: OperatorKeys;
  /** Hands a mail on whose transaction has committed. */
  readonly dispatchMail: (mailId: string) => void;
}

/**
 * Does what was approved, in one transaction that uses the approval (`useApproval`), and answers a
 * sentence for the operator. Throws ApprovalRefused where it cannot be done any more.
 */
export type ApplyApproval = (deps: EffectDeps, approval: ApprovalRow) => Promise<string>;
