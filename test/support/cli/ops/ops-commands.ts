import { createSoftwareKeys } from '../../../../src/modules/approvals/signatures/software-keys.ts';
import type { Env } from '../../../../src/server/config/settings.ts';
import type { Database } from '../../../../src/db/client/database.ts';
import type { Clock } from '../../../../src/domain/clock.ts';
import type { WorkflowClient } from '../../../../src/domain/workflows/workflow-client.ts';
import { createCorridorTable } from '../../../../src/domain/payments/corridors/corridor-table.ts';
import type { OpsDeps } from '../../../../src/cli/ops/command-context.ts';
import { runCommandLine } from '../../../../src/cli/ops/run-command-line.ts';
import { PlainError } from '../../../../src/server/runtime/plain-error.ts';
import { createTestVault } from '../../test-vault.ts';

/** Runs one command line and answers its exit code and all that it wrote. */
export type OpsCommands = (
  ...args: readonly string[]
) => Promise<{ readonly code: number; readonly printed: string }>;

/** What a command line finds beside the database; without Temporal's part no command can reach that. */
interface OpsSurroundings extends Partial<
  Pick<OpsDeps, 'chains' | 'workflows' | 'getClient' | 'vault' | 'resealing'>
> {
  readonly env?: Env;
}

/** The command line over a database that a test has already. */
export function createOpsCommands(
  db: Database,
  clock: Clock,
  { env = {}, ...more }: OpsSurroundings = {},
): OpsCommands {
  const unreachable = (): never => {
    throw new Error('no Temporal in this test');
  };
  const workflows = new Proxy({} as WorkflowClient, { get: () => unreachable });
  return async (...args) => {
    const printed: string[] = [];
    const print = (text: string) => void printed.push(text);
    const code = await runCommandLine(args, {
      defaultOperator: undefined,
      readEnv: () => env,
      open: () =>
        Promise.resolve({
          ...{ db, clock, vault: createTestVault(), workflows, print, resealing: db },
          dashboardUrl: 'http://dashboard.localhost:8081',
          opsUrl: 'http://ops.localhost:8082',
          apiUrl: 'http://localhost:8080',
          kycApprovalDays: { test: 0, live: 0 },
          fx: { baseCurrency: 'USD', rateMaxAgeMs: 86_400_000 },
          ...{
            corridors: createCorridorTable(),
            operatorKeys: createSoftwareKeys(createTestVault()),
          },
          nameChecks: {},
          chains: { test: [], live: [] },
          getClient: unreachable,
          showProgress: () => undefined,
          ...more,
          close: () => Promise.resolve(),
        }),
      output: { out: print, error: print },
    }).catch((error: unknown) => {
      if (!(error instanceof PlainError)) throw error;
      print(error.message);
      return 1;
    });
    return { code, printed: printed.join('\n') };
  };
}
