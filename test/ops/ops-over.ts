import type { Database } from '../../src/db/database.ts';
import { createCorridorTable } from '../../src/domain/corridors/corridor-table.ts';
import { runCommandLine } from '../../src/ops/run-command-line.ts';
import { PlainError } from '../../src/runtime/plain-error.ts';
import { createTestClock } from '../support/test-clock.ts';
import { createTestVault } from '../support/test-vault.ts';

export type RunOps = (...args: string[]) => Promise<{ code: number; printed: string }>;

/** The command line over a test's own database; no command reaches Temporal. */
export function opsOver(db: Database): RunOps {
  const unreachable = () => Promise.reject(new Error('no Temporal in this test'));
  return async (...args) => {
    const printed: string[] = [];
    const print = (text: string) => void printed.push(text);
    const code = await runCommandLine(args, {
      defaultOperator: undefined,
      open: () => ({
        ...{ db, clock: createTestClock(), vault: createTestVault(), print },
        kycApprovalDays: { test: 0, live: 0 },
        fx: { baseCurrency: 'USD', rateMaxAgeMs: 86_400_000 },
        corridors: createCorridorTable(),
        nameChecks: {},
        workflows: {
          ...{ startPayment: unreachable, restartPayment: unreachable, wakePayment: unreachable },
          ...{
            restartKycCheck: unreachable,
            startKycCheck: unreachable,
            wakeKycCheck: unreachable,
          },
          ...{ wakeEndpoint: unreachable, startScreening: unreachable },
          startPaymentBatch: unreachable,
        },
        getClient: () => {
          throw new Error('no Temporal in this test');
        },
        showProgress: () => undefined,
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
