import type { Database } from '../../db/client/database.ts';
import type { ListedNetwork } from '../../domain/onchain/network-setup.ts';
import type { Clock } from '../../domain/clock.ts';
import type { CorridorTable } from '../../domain/payments/corridors/corridor-table.ts';
import type { Environment } from '../../domain/scope.ts';
import type { WorkflowClient } from '../../domain/workflows/workflow-client.ts';
import type { LoginProvider } from '../../domain/customers/access/login-provider.ts';
import type { Vault } from '../../vault/vault.ts';

/** What the dashboard's pages work with. */
export interface DashboardDeps {
  readonly db: Database;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly corridors: CorridorTable;
  /** Over which tokens come and go, and how deep deposits must lie there; as the API has it. */
  readonly networks: Readonly<Record<Environment, readonly ListedNetwork[]>>;
  readonly workflows: WorkflowClient;
  /** Wakes of workflows that an answer does not wait for; the reconciler repeats what is lost. */
  readonly wakes: {
    run(name: string, work: () => Promise<void>, about?: { readonly requestId: string }): void;
  };
  /** The provider that its people can log in with; null where there is none. */
  readonly provider: LoginProvider | null;
  /** Hands a mail on whose transaction has committed. */
  readonly dispatchMail: (mailId: string) => void;
  /** Where browsers reach this dashboard, and partners the API. */
  readonly dashboardUrl: string;
  readonly apiUrl: string;
  /** Whether live has a KYC provider, who checks companies. */
  readonly isCompanyCheckServed: boolean;
  /** Whether webhooks of test may go to this machine; as the worker has it. */
  readonly webhookAllowLoopbackInTest: boolean;
}
