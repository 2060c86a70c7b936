import type { Client } from '@temporalio/client';
import type { Command } from '@commander-js/extra-typings';
import type { NameChecks } from '../../modules/parties/bank-accounts/check-holder-name.ts';
import type { Env } from '../../server/config/settings.ts';
import type { Database } from '../../db/client/database.ts';
import type { DatabaseRoles } from '../../db/schema/database-roles.ts';
import type { Clock } from '../../domain/clock.ts';
import type { NetworkSetup } from '../../domain/onchain/network-setup.ts';
import type { CorridorTable } from '../../domain/payments/corridors/corridor-table.ts';
import type { Environment } from '../../domain/scope.ts';
import type { WorkflowClient } from '../../domain/workflows/workflow-client.ts';
import type { OperatorKeys } from '../../domain/approvals/operator-keys.ts';
import type { Vault } from '../../vault/vault.ts';
import type { ShowProgress } from './progress-line.ts';

/** What a command works with. */
export interface OpsDeps {
  readonly db: Database;
  /** The same database, by the role that may seal values anew, for `secrets`. */
  readonly resealing: Pick<Database, 'system'>;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly operatorKeys: OperatorKeys;
  /** Where mails to customers' users lead to. */
  readonly dashboardUrl: string;
  /** Where mails to operators lead to. */
  readonly opsUrl: string;
  /** Where partners reach the API. */
  readonly apiUrl: string;
  readonly workflows: WorkflowClient;
  readonly corridors: CorridorTable;
  /** The networks that the settings name. */
  readonly chains: Readonly<Record<Environment, readonly NetworkSetup[]>>;
  readonly nameChecks: NameChecks;
  /** Days that a KYC approval stands; 0: without an end of ours. */
  readonly kycApprovalDays: Readonly<Record<Environment, number>>;
  /** See `QuoteSettings`. */
  readonly fx: { readonly baseCurrency: string; readonly rateMaxAgeMs: number };
  readonly getClient: () => Client;
  readonly print: (text: string) => void;
  readonly showProgress: ShowProgress;
}

/** Reads the settings, with the secrets that chains sign with only for `ops-chain`. */
export type ReadOpsEnv = (program: 'ops' | 'ops-chain') => Env;

/** What a noun's commands are defined with. */
export interface CommandContext {
  /** Who runs the command, where `--operator` may be left out. */
  readonly defaultOperator: string | undefined;
  /** Reads the settings. Throws ConfigError. Help needs none, so they are read when a command runs. */
  readonly readEnv: ReadOpsEnv;
  readonly print: (line: string) => void;
  /**
   * Opens database and Temporal, does the work, closes them; the work answers the exit code. It works as the commands' roles
   * unless others are given.
   */
  readonly run: (work: (deps: OpsDeps) => Promise<number>, roles?: DatabaseRoles) => Promise<void>;
}

/** Adds a noun and its verbs. */
export type AddCommands = (program: Command, context: CommandContext) => void;
