import { readForgottenRequests } from '../../src/db/customers/access-request-store.ts';
import { readSweepableChains } from '../../src/db/onchain/chain-sweep-store.ts';
import { readBusyChains } from '../../src/db/onchain/chain-transfer-store.ts';
import { isAnyAddressWatched } from '../../src/db/parties/watched-address-store.ts';
import { readUnscreenedCompanies } from '../../src/db/customers/company-store.ts';
import { readDueDeposits } from '../../src/db/onchain/deposit-exit-store.ts';
import { deleteExpiredKeys } from '../../src/db/idempotency/idempotency-store.ts';
import type { Database, SystemTransaction } from '../../src/db/client/database.ts';
import { eraseExpiredKycDocuments } from '../../src/db/parties/kyc-document-store.ts';
import { deleteExpiredKycUploads } from '../../src/db/parties/kyc-upload-store.ts';
import { deleteOldMails, readForgottenMails } from '../../src/db/customers/mail-store.ts';
import { readUntoldClocks } from '../../src/db/customers/sandbox-clock-store.ts';
import { deleteUnusedQuotes } from '../../src/db/payments/quote-store.ts';
import { deleteFullRateBuckets } from '../../src/db/customers/rate-bucket-store.ts';
import {
  readOverdueEndpoints,
  readUnbegunBatches,
  readUnclaimedPayments,
  readUndecidedKycChecks,
  readUnfinishedBatches,
  readUnfinishedPayments,
  readUnreadKycReports,
  readUnreadReports,
  readUntoldFundings,
  readUnopenedKycChecks,
  type PaymentWork,
} from '../../src/db/operations/unfinished-work-store.ts';
import type { ChainPlace } from '../../src/domain/onchain/network.ts';
import { platformScope } from '../../src/domain/platform-account.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type {
  DepositRef,
  KycCheckRef,
  PaymentBatchRef,
} from '../../src/domain/workflows/work-refs.ts';
import type { WorkflowClient } from '../../src/domain/workflows/workflow-client.ts';
import {
  alarmUnknownReferences,
  type RaiseUnknownReference,
} from '../../src/modules/payments/alarm-unknown-references.ts';
import { tellMovedClock } from '../../src/modules/payments/tell-moved-clock.ts';
import { pruneEventLog } from '../../src/modules/webhooks/prune-event-log.ts';

interface ReconcilerDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly workflows: WorkflowClient;
  /** Every chain that is configured. */
  readonly chains: readonly ChainPlace[];
  /** Anything that has waited so long is taken for lost. */
  readonly lostAfterMs: number;
  readonly raiseUnknownReference: RaiseUnknownReference;
  /** Pays a final deposit on that the reader of its chain has missed. */
  readonly payOnDeposit: (deposit: DepositRef) => Promise<void>;
  /** Writes the mails about what waits for operators. */
  readonly notifyOperators: () => Promise<void>;
  /** Writes the mails about payments that wait for their customers. */
  readonly tellPaymentApprovers: () => Promise<void>;
  /** Writes the mails about what has waited too long. */
  readonly tellOfOverdue: () => Promise<void>;
  /** Seals the rows of the audit log that are not sealed yet. */
  readonly sealAuditLog: () => Promise<void>;
}

/** Rows of a page. */
const BATCH = 500;
/** Rows a transaction deletes, and such transactions a run. */
const PRUNE_BATCH = 1_000;
const PRUNE_BATCHES_MAX = 100;
/** How long a quote that no one used can still be read. */
const UNUSED_QUOTE_LIFE_MS = 90 * 24 * 3_600_000;
/** How long a mail is kept that is over. The database keeps them for 30 days itself. */
const ENDED_MAIL_LIFE_MS = 90 * 24 * 3_600_000;
/** Starts and signals under way at once. */
const CONCURRENCY = 20;
/** An unfinished payment that moved within this is being worked on. */
const UNTOUCHED_MS = 3_600_000;

/** Finds what was lost between a commit and Temporal, and says it again. Saying twice is harmless. */
export function createReconcilerActivities(deps: ReconcilerDeps) {
  const { db, workflows } = deps;
  const before = (ms: number) => new Date(deps.clock.now().getTime() - ms);
  const restart = ({ workflowId, payment }: PaymentWork) =>
    workflows.restartPayment(workflowId, payment, 'sweep');
  const paymentIdOf = ({ payment }: PaymentWork) => payment.paymentId;
  const restartKyc = (check: KycCheckRef) => workflows.restartKycCheck(check, 'sweep');
  const kycCheckIdOf = (check: KycCheckRef) => check.kycCheckId;

  const startBatch = (batch: PaymentBatchRef) => workflows.startPaymentBatch(batch, 'sweep');
  const batchIdOf = ({ batchId }: PaymentBatchRef) => batchId;

  const tellClock = (customerId: string) =>
    tellMovedClock({ db, workflows }, { customerId, environment: 'test' });
  const screenCompany = (id: string) =>
    workflows.startScreening({ ...platformScope('live'), kind: 'END_USER', id }, 'sweep');
  const startMail = (mailId: string) => workflows.startMail(mailId, 'sweep');
  const wakeRequest = (requestId: string) => workflows.wakeOnboarding({ requestId }, 'sweep');

  return {
    /**
     * Starts the workflows of payments, KYC checks and mails that no workflow has claimed for 10 s, and of
     * chains with transfers under way, wakes those of requests for access for which something is due, and pays on
     * deposits that have been due for as long.
     */
    async startForgotten(): Promise<void> {
      const until = before(deps.lostAfterMs);
      await inTurn([
        () => forEachPage(readUnclaimedPayments, until, paymentIdOf, restart),
        () => forEachPage(readUnopenedKycChecks, until, kycCheckIdOf, restartKyc),
        () => forEachPage(readUnbegunBatches, until, batchIdOf, startBatch),
        () => forEachPage(readForgottenMails, until, String, startMail),
        () => forEachPage(readUnscreenedCompanies, until, String, screenCompany),
        () => forEachPage(readForgottenRequests, until, String, wakeRequest),
        startBusyChains,
        startReaders,
        payOnDeposits,
      ]);
    },

    /**
     * Sends the wakes again of reports and deliveries that have waited 10 s to be read, and of clocks of the sandbox
     * that were moved, and raises the alarms of reports that concern no payment, mails operators what waits for them,
     * and seals the audit log.
     */
    async repeatWakes(): Promise<void> {
      const until = before(deps.lostAfterMs);
      await inTurn([
        () =>
          forEachPage(readUnreadReports, until, paymentIdOf, ({ workflowId, payment, reportId }) =>
            workflows.wakePayment(workflowId, payment, reportId, 'sweep'),
          ),
        () =>
          forEachPage(readUntoldFundings, until, paymentIdOf, ({ workflowId, payment }) =>
            workflows.wakePayment(workflowId, payment, 'deposit', 'sweep'),
          ),
        () =>
          forEachPage(
            readUnreadKycReports,
            until,
            ({ check }) => check.kycCheckId,
            ({ check, reportId }) => workflows.wakeKycCheck(check, reportId, 'sweep'),
          ),
        () =>
          forEachPage(
            readOverdueEndpoints,
            until,
            ({ endpointId }) => endpointId,
            (endpoint) => workflows.wakeEndpoint(endpoint),
          ),
        () => forEachPage(readUntoldClocks, until, String, tellClock),
        () => alarmUnknownReferences(deps, BATCH),
        deps.notifyOperators,
        deps.tellPaymentApprovers,
        pruneRateBuckets,
        deps.sealAuditLog,
      ]);
    },

    /**
     * Starts the workflow of every unfinished payment and KYC check that has none open, and forgets
     * idempotency keys whose time is over, quotes that no one used, mails that are long over, and documents
     * of end-users that were not submitted, or not taken by a provider, in time. Mails operators what has waited too long.
     */
    async restartUnfinished(): Promise<void> {
      const until = before(UNTOUCHED_MS);
      await inTurn([
        deps.tellOfOverdue,
        () => forEachPage(readUnfinishedPayments, until, paymentIdOf, restart),
        () => forEachPage(readUndecidedKycChecks, until, kycCheckIdOf, restartKyc),
        () => forEachPage(readUnfinishedBatches, until, batchIdOf, startBatch),
        () => prune(deleteExpiredKeys, deps.clock.now()),
        () => prune(deleteUnusedQuotes, before(UNUSED_QUOTE_LIFE_MS)),
        () => pruneEventLog(deps),
        () => prune(deleteOldMails, before(ENDED_MAIL_LIFE_MS)),
        () => prune(deleteExpiredKycUploads, deps.clock.now()),
        () => prune(eraseExpiredKycDocuments, deps.clock.now()),
      ]);
    },
  };

  /** Those that the readers of their chains have missed; what is refused is judged, and not among them again. */
  function payOnDeposits(): Promise<void> {
    const depositIdOf = ({ depositId }: DepositRef) => depositId;
    const until = before(deps.lostAfterMs);
    return forEachPage(readDueDeposits, until, depositIdOf, deps.payOnDeposit);
  }

  /** There are ten at the most, some of them twice; one that runs is left running. */
  async function startBusyChains(): Promise<void> {
    const now = deps.clock.now();
    const places = await db.system(async (tx) => [
      ...(await readBusyChains(tx)),
      ...(await readSweepableChains(tx, now)),
    ]);
    await forEach(places, (place) => workflows.startChain(place, 'sweep'));
  }

  /** The same; a chain is read while deposits may come to an address of its environment. */
  async function startReaders(): Promise<void> {
    for (const environment of new Set(deps.chains.map((place) => place.environment))) {
      if (!(await db.system((tx) => isAnyAddressWatched(tx, environment)))) continue;
      const chains = deps.chains.filter((place) => place.environment === environment);
      await forEach(chains, (place) => workflows.startDeposits(place, 'sweep'));
    }
  }

  /** Forgets rate buckets that are full: most are of addresses that failed to authenticate. */
  function pruneRateBuckets(): Promise<void> {
    return prune((tx, _until, limit) => deleteFullRateBuckets(tx, limit), deps.clock.now());
  }

  /** Forgets what was over before a time, at most 100 batches a run; the next run takes the rest. */
  async function prune(
    forget: (tx: SystemTransaction, until: Date, limit: number) => Promise<number>,
    until: Date,
  ): Promise<void> {
    for (let batch = 0; batch < PRUNE_BATCHES_MAX; batch += 1) {
      const count = await db.system((tx) => forget(tx, until, PRUNE_BATCH));
      if (count < PRUNE_BATCH) return;
    }
  }

  /** Page after page by id, so that what cannot start does not hide what is behind it. */
  async function forEachPage<Row>(
    read: (tx: SystemTransaction, until: Date, afterId: string, limit: number) => Promise<Row[]>,
    until: Date,
    idOf: (row: Row) => string,
    work: (row: Row) => Promise<void>,
  ): Promise<void> {
    let after = '';
    let failure: unknown;
    for (;;) {
      const from = after;
      const found = await db.system((tx) => read(tx, until, from, BATCH));
      await forEach(found, work).catch((error: unknown) => {
        failure ??= error;
      });
      const last = found.at(-1);
      if (found.length < BATCH || last === undefined) break;
      after = idOf(last);
    }
    if (failure !== undefined) throw failure as Error;
  }
}

/** One part after the other; one that fails does not keep the others from their turn. */
async function inTurn(parts: readonly (() => Promise<void>)[]): Promise<void> {
  let failure: unknown;
  for (const part of parts) {
    await part().catch((error: unknown) => {
      failure ??= error;
    });
  }
  if (failure !== undefined) throw failure as Error;
}

/** A bounded number at a time; one that fails does not keep the others from their turn. */
async function forEach<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = [...items];
  let firstFailure: unknown;
  const runner = async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) {
      await work(item).catch((error: unknown) => {
        firstFailure ??= error;
      });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, runner));
  if (firstFailure !== undefined) throw firstFailure as Error;
}
