import type { Clock } from '../../domain/clock.ts';
import { createCallbackSender } from '../callback-sender.ts';
import type { SandboxLog } from '../sandbox-log.ts';
import { createSandboxServer } from '../sandbox-server.ts';
import { createTimerSet } from '../timer-set.ts';
import { createArmedFaults } from './armed-faults.ts';
import { createBankCallbacks } from './bank-callbacks.ts';
import { createBankControl } from './bank-control.ts';
import { openBankJournal } from './bank-journal.ts';
import { createBankRoutes } from './bank-routes.ts';
import { DEFAULT_BANK_TIMINGS } from './bank-timings.ts';
import type { BankTimings } from './bank-timings.ts';
import { createDepositService } from './deposit-service.ts';
import { createFaultQueue } from './faults.ts';
import { countMoney } from './money-count.ts';
import type { MoneyCount } from './money-count.ts';
import { createStatementService } from './statement-service.ts';
import { createTransferService } from './transfer-service.ts';

interface SandboxBankOptions {
  /** Without one the bank remembers nothing. Two running banks must not share one. */
  readonly journalFile: string | null;
  readonly callbackUrl: string;
  /** `whsec_` and base64. */
  readonly callbackSecret: string;
  readonly clock: Clock;
  /** Do amounts and the API choose the behaviour? Never for the bank that plays a live one. */
  readonly magic: boolean;
  readonly timings?: Partial<BankTimings>;
  readonly log: SandboxLog;
}

export interface SandboxBank {
  /** Port 0 takes a free one. Resolves to the URL, which has no slash at its end. */
  listen(port: number, host?: string): Promise<string>;
  readonly url: string;
  /** What `GET /journal?reference=` tells. */
  countMoney(reference: string): MoneyCount;
  /** Cuts statements now instead of at the next turn of the timer; answers how many. */
  cutStatements(): Promise<number>;
  close(): Promise<void>;
}

/**
 * A bank that speaks the http-bank contract, with a journal in which money can be counted.
 * Rebuilds its state from the journal; the callbacks still owed go out once it listens.
 * Throws RangeError for a malformed secret and Error for a damaged journal.
 */
export async function createSandboxBank(options: SandboxBankOptions): Promise<SandboxBank> {
  const { callbackUrl, callbackSecret, clock, magic, log } = options;
  const timings = { ...DEFAULT_BANK_TIMINGS, ...options.timings };
  const sender = createCallbackSender({
    ...{ url: callbackUrl, secret: callbackSecret },
    ...{ clock, timings: timings.callbacks, log },
  });
  const journal = await openBankJournal(options.journalFile);
  const timers = createTimerSet(log);
  const faults = createFaultQueue();
  const armed = createArmedFaults(journal, clock);
  const spacingMs = timings.callbackSpacingMs;
  const callbacks = createBankCallbacks({ journal, sender, timers, clock, spacingMs });
  const transfers = createTransferService({
    ...{ journal, faults, armed, callbacks, timers },
    ...{ clock, magic, timings },
  });
  const statements = createStatementService(journal, clock);
  const deposits = createDepositService(journal, clock);
  const directed = magic
    ? { armed, advance: createBankControl({ journal, transfers, statements }) }
    : null;
  const server = createSandboxServer(
    createBankRoutes({ journal, transfers, statements, deposits, faults, directed }),
    log,
  );

  return {
    async listen(port, host) {
      const url = await server.listen(port, host);
      transfers.resume();
      timers.every(timings.statementEveryMs, async () => {
        await statements.cut();
      });
      return url;
    },
    get url() {
      return server.url;
    },
    countMoney: (reference) => countMoney(journal.state, reference),
    cutStatements: () => statements.cut(),
    async close() {
      timers.clear();
      await sender.stop();
      await server.close();
      await journal.close();
    },
  };
}
