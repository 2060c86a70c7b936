import type { Client } from '@temporalio/client';
import type { Database } from '../../db/client/database.ts';
import type { Clock } from '../../domain/clock.ts';
import type { CorridorTable } from '../../domain/payments/corridors/corridor-table.ts';
import type { Environment } from '../../domain/scope.ts';
import type { WorkflowClient } from '../../domain/workflows/workflow-client.ts';
import type { OperatorKeys } from '../../domain/approvals/operator-keys.ts';
import type { LoginProvider } from '../../domain/customers/access/login-provider.ts';
import type { Vault } from '../../vault/vault.ts';

/** What the console's pages work with. */
export interface ConsoleDeps {
  readonly db: Database;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly workflows: WorkflowClient;
  readonly corridors: CorridorTable;
  readonly operatorKeys: OperatorKeys;
  /** For the Update `resolve`, whose answer is waited for. */
  readonly getClient: () => Client;
  /** Days that a KYC approval stands; 0: without an end of ours. */
  readonly kycApprovalDays: Readonly<Record<Environment, number>>;
  /** Where workflows are looked at; null where there is no such page. */
  readonly temporalUi: { readonly url: string; readonly namespace: string } | null;
  /** The provider that its people can log in with; null where there is none. */
  readonly provider: LoginProvider | null;
  /** Hands a mail on whose transaction has committed. */
  readonly dispatchMail: (mailId: string) => void;
  /** Where browsers reach the dashboard, which mails to its users lead to, and this console. */
  readonly dashboardUrl: string;
  readonly opsUrl: string;
}
