import { createSoftwareKeys } from '../../../../src/modules/approvals/signatures/software-keys.ts';
import type { Client } from '@temporalio/client';
import type { Database } from '../../../../src/db/client/database.ts';
import { CONSOLE_ROLES, type DatabaseRoles } from '../../../../src/db/schema/database-roles.ts';
import type { OperatorKeys } from '../../../../src/domain/approvals/operator-keys.ts';
import { createCorridorTable } from '../../../../src/domain/payments/corridors/corridor-table.ts';
import type { WorkflowClient } from '../../../../src/domain/workflows/workflow-client.ts';
import type { OpsDeps } from '../../../../src/cli/ops/command-context.ts';
import { runCommandLine } from '../../../../src/cli/ops/run-command-line.ts';
import { PlainError } from '../../../../src/server/runtime/plain-error.ts';
import { createTestDatabase, type TestDatabase } from '../../database.ts';
import { createTwoOperators, type TwoOperators } from '../../two-operators.ts';
import { createTestVault } from '../../test-vault.ts';

export const NOW = new Date('2026-09-29T12:00:00.000Z');

/** What a command line came to. A failure that is told in a sentence is `error`, with exit code 1. */
export interface Outcome {
  readonly code: number;
  readonly printed: string;
  readonly error: string;
}

export interface OpsHarness {
  readonly database: TestDatabase;
  /** Payments woken so far, in their order. */
  readonly wakes: string[];
  /** KYC checks woken so far. */
  readonly kycWakes: string[];
  /** Who approve in the console what commands hand in. */
  readonly operators: TwoOperators;
  run(...args: string[]): Promise<Outcome>;
  close(): Promise<void>;
}

/** The command line over a database of its own. Without `temporal` no command can reach Temporal. */
export async function createOpsHarness(
  temporal: { readonly client?: Client; readonly wake?: (paymentId: string) => void } = {},
  operatorKeys: OperatorKeys = createSoftwareKeys(createTestVault()),
): Promise<OpsHarness> {
  const database = await createTestDatabase();
  const wakes: string[] = [];
  const kycWakes: string[] = [];
  const unreachable = () => Promise.reject(new Error('no Temporal in this test'));
  const workflows: WorkflowClient = {
    startPayment: unreachable,
    restartPayment: unreachable,
    startPaymentBatch: unreachable,
    restartKycCheck: unreachable,
    wakePayment: async (_workflowId, { paymentId }) => {
      await Promise.resolve();
      temporal.wake?.(paymentId);
      wakes.push(paymentId);
    },
    startKycCheck: unreachable,
    wakeKycCheck: async ({ kycCheckId }) => {
      await Promise.resolve();
      kycWakes.push(kycCheckId);
    },
    wakeEndpoint: unreachable,
    startScreening: unreachable,
    startMail: unreachable,
    wakeOnboarding: unreachable,
    startChain: unreachable,
    wakeChain: unreachable,
    startDeposits: unreachable,
    wakeDeposits: unreachable,
  };
  const deps = (print: (text: string) => void, roles: DatabaseRoles): OpsDeps => ({
    db: withShortLockWaits(roles === CONSOLE_ROLES ? database.people : database.commands),
    resealing: database.resealing,
    clock: { now: () => NOW },
    ...{ vault: createTestVault(), operatorKeys },
    dashboardUrl: 'http://dashboard.localhost:8081',
    opsUrl: 'http://ops.localhost:8082',
    apiUrl: 'http://localhost:8080',
    workflows,
    corridors: createCorridorTable(),
    nameChecks: {},
    chains: { test: [], live: [] },
    kycApprovalDays: { test: 0, live: 0 },
    fx: { baseCurrency: 'USD', rateMaxAgeMs: 86_400_000 },
    getClient: () => {
      if (temporal.client === undefined) throw new Error('no Temporal in this test');
      return temporal.client;
    },
    print,
    showProgress: () => undefined,
  });
  return {
    operators: createTwoOperators(database.people, { now: () => NOW }, workflows),
    database,
    wakes,
    kycWakes,
    async run(...args) {
      const printed: string[] = [];
      let error = '';
      const code = await runCommandLine([...args], {
        defaultOperator: undefined,
        readEnv: () => ({}),
        open: (roles) =>
          Promise.resolve({
            ...deps((text) => void printed.push(text), roles),
            close: () => Promise.resolve(),
          }),
        output: { out: (text) => void printed.push(text), error: (text) => (error += text) },
      }).catch((failure: unknown) => {
        if (!(failure instanceof PlainError)) throw failure;
        error = failure.message;
        return 1;
      });
      return { code, printed: printed.join('\n'), error };
    },
    close: () => database.close(),
  };
}

/** No test waits 5 s for a lock that it holds itself. */
const withShortLockWaits = (db: Database): Database => ({
  ...db,
  system: (work) =>
    db.system((tx) =>
      work({
        ...tx,
        query: (text, values) =>
          tx.query(text.replace("lock_timeout = '5s'", "lock_timeout = '50ms'"), values),
      }),
    ),
});
