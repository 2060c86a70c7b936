import type { Database } from '../../src/db/client/database.ts';
import { findEndUser } from '../../src/db/parties/end-user-store.ts';
import { findKycCheck, saveKycOpening } from '../../src/db/parties/kyc-check-store.ts';
import {
  eraseKycDocuments,
  findWaitingKycDocument,
  hasWaitingKycDocuments,
  markKycDocumentHandedOn,
} from '../../src/db/parties/kyc-document-store.ts';
import { insertKycReport } from '../../src/db/parties/kyc-report-store.ts';
import { deleteKycUploads } from '../../src/db/parties/kyc-upload-store.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { KycStatus } from '../../src/domain/parties/kyc/kyc-states.ts';
import type { Environment, Scope } from '../../src/domain/scope.ts';
import type { KycCheckRef } from '../../src/domain/workflows/work-refs.ts';
import { KYC_DOCUMENTS_AT_ONCE_MAX } from '../../src/domain/parties/kyc/kyc-document.ts';
import { applyKycReports } from '../../src/modules/parties/kyc/apply-kyc-reports.ts';
import { kycDocumentRow } from '../../src/modules/parties/kyc/keep-kyc-upload.ts';
import { kycCheckRow } from '../../src/modules/parties/kyc/kyc-link.ts';
import { kycOpening } from '../../src/modules/parties/kyc/kyc-opening.ts';
import { KycProviderError } from '../../src/domain/parties/kyc/kyc-provider.ts';
import type { KycProvider, KycProviderFailure } from '../../src/domain/parties/kyc/kyc-provider.ts';
import { isErased } from '../../src/vault/owner-key.ts';
import type { Vault } from '../../src/vault/vault.ts';
import { ActivityError } from '../failures.ts';

/** What a KYC check's workflow does next. */
export type KycStep =
  | { readonly kind: 'DONE'; readonly status: string }
  /** `hasDocuments`: some wait to be handed on to the provider first. */
  | { readonly kind: 'WAIT'; readonly waitMs: number; readonly hasDocuments?: true };

/** How often to ask the provider: the first pause doubles up to the last one. Milliseconds. */
interface KycPollTiming {
  readonly firstMs: number;
  readonly maxMs: number;
}

export const KYC_POLL_TIMING: Readonly<Record<Environment, KycPollTiming>> = {
  test: { firstMs: 1_000, maxMs: 10_000 },
  live: { firstMs: 30_000, maxMs: 3_600_000 },
};

/** An operator must name a provider first: no hurry. */
const NO_PROVIDER_RETRY_MS = 30_000;

/** Transactions of reports that one activity run judges; the next run goes on. */
const BATCHES_MAX = 20;

interface KycActivityDeps {
  readonly db: Database;
  readonly vault: Vault;
  readonly clock: Clock;
  /** Live has none until the operator names one. */
  readonly providers: Readonly<Partial<Record<Environment, KycProvider>>>;
  readonly timing: Readonly<Record<Environment, KycPollTiming>>;
  /** Days that an approval stands; 0: without an end of ours. */
  readonly approvalDays: Readonly<Record<Environment, number>>;
  /** Told after the commit that moved an end-user's KYC: payments may be waiting for it. */
  readonly onKycMoved: (scope: Scope, endUserId: string, status: KycStatus) => Promise<void>;
  /** For the log: Temporal keeps only that the provider did not answer as agreed. */
  readonly onProviderFailure: (code: KycProviderFailure, kycCheckId: string) => void;
  /** For the log: the provider said two things of one version, and the more restrictive counts. */
  readonly onContradiction: (kycCheckId: string, version: number) => void;
}

/** The KYC provider's questions and answers. Every one may run twice: reports are stored once. */
export function createKycActivities(deps: KycActivityDeps) {
  const { db, vault, clock } = deps;
  const scopeOf = ({ customerId, environment }: KycCheckRef): Scope => ({
    customerId,
    environment,
  });

  function providerOf(check: KycCheckRef): KycProvider {
    const provider = deps.providers[check.environment];
    if (provider !== undefined) return provider;
    throw new ActivityError('PROVIDER_UNREACHABLE', { retryAfterMs: NO_PROVIDER_RETRY_MS });
  }

  async function open(check: KycCheckRef): Promise<void> {
    const scope = scopeOf(check);
    const stored = await db.read(scope, async (tx) => {
      const row = await findKycCheck(tx, scope, check.kycCheckId);
      const endUser = row && (await findEndUser(tx, scope, row.endUserId));
      return row && endUser && { row, endUser };
    });
    if (stored === null) throw new ActivityError('NOT_FOUND');
    // No one is left to be checked.
    if (isErased(stored.row)) return;
    // No transaction is open here: a slow provider must not hold a connection.
    const { url, documents } = await providerOf(check).openCheck(kycOpening(stored, vault));
    const sealed = vault.of(stored.row).seal(Buffer.from(url), kycCheckRow(check.kycCheckId));
    const opened = { providerUrl: sealed, documentsAsked: documents };
    await db.write(scope, (tx) => saveKycOpening(tx, scope, check.kycCheckId, opened));
  }

  async function ask(check: KycCheckRef): Promise<void> {
    const answer = await providerOf(check).getCheck(check.kycCheckId);
    if (answer === null) return open(check);
    const scope = scopeOf(check);
    await db.write(scope, (tx) =>
      insertKycReport(tx, scope, {
        kycCheckId: check.kycCheckId,
        // Of its own also where the provider says something else of the same version.
        reportId: `poll:${String(answer.version)}:${answer.status}`,
        status: answer.status,
        reasonCodes: answer.reasonCodes,
        providerVersion: answer.version,
        expiresAt: answer.expiresAt,
        receivedAt: clock.now(),
      }),
    );
  }

  async function apply(check: KycCheckRef): Promise<KycStep> {
    const scope = scopeOf(check);
    for (let batch = 1; ; batch += 1) {
      const judging = { at: clock.now(), approvalDays: deps.approvalDays[check.environment] };
      const applied = await db.write(scope, (tx) => applyKycReports(tx, scope, check, judging));
      if (applied === null) throw new ActivityError('NOT_FOUND');
      for (const version of applied.contradicted) deps.onContradiction(check.kycCheckId, version);
      // Decided ones again as well: the run that moved them may have died before it told.
      if (applied.hasMovedEndUser || applied.isOver) {
        await deps.onKycMoved(scope, check.endUserId, applied.endUserKycStatus);
      }
      if (applied.hasMore && batch < BATCHES_MAX) continue;
      if (applied.hasMore) return { kind: 'WAIT', waitMs: 1 };
      const waitMs = pauseMs(check.environment, applied.changedAt);
      const isOver = applied.isOver || applied.isErased;
      const hasDocuments = await tidyDocuments(check, isOver);
      if (isOver) return { kind: 'DONE', status: applied.status };
      return hasDocuments ? { kind: 'WAIT', waitMs, hasDocuments } : { kind: 'WAIT', waitMs };
    }
  }

  /** Whether documents wait to be handed on. What a check that is over has left, no one needs. */
  async function tidyDocuments(check: KycCheckRef, isOver: boolean): Promise<boolean> {
    const scope = scopeOf(check);
    const { kycCheckId } = check;
    if (!isOver) return db.read(scope, (tx) => hasWaitingKycDocuments(tx, scope, kycCheckId));
    const at = clock.now();
    await db.write(scope, async (tx) => {
      await eraseKycDocuments(tx, scope, kycCheckId, at);
      await deleteKycUploads(tx, scope, kycCheckId);
    });
    return false;
  }

  async function handOn(check: KycCheckRef): Promise<void> {
    const scope = scopeOf(check);
    let after = '';
    for (let count = 0; count < KYC_DOCUMENTS_AT_ONCE_MAX; count += 1) {
      const from = after;
      const document = await db.read(scope, (tx) =>
        findWaitingKycDocument(tx, scope, check.kycCheckId, from),
      );
      if (document === null || isErased(document)) return;
      const { id, type, contentType } = document;
      const content = vault.of(document).open(document.content, kycDocumentRow(id));
      // No transaction is open here. Cut off behind it, the same id is put again: the same document.
      await providerOf(check).putDocument(check.kycCheckId, { id, type, contentType, content });
      await db.write(scope, (tx) => markKycDocumentHandedOn(tx, scope, id, clock.now()));
      after = id;
    }
  }

  // Waiting as long as nothing has changed so far makes every pause twice the one before.
  function pauseMs(environment: Environment, changedAt: Date): number {
    const { firstMs, maxMs } = deps.timing[environment];
    const quietMs = clock.now().getTime() - changedAt.getTime();
    return Math.min(Math.max(quietMs, firstMs), maxMs);
  }

  async function askingProvider(check: KycCheckRef, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof KycProviderError)) throw error;
      deps.onProviderFailure(error.code, check.kycCheckId);
      throw new ActivityError('PROVIDER_UNREACHABLE');
    }
  }

  return {
    /** Opens the check at the provider; the provider takes the same reference twice as once. */
    async openKycCheck(check: KycCheckRef): Promise<KycStep> {
      // Reports that are here already count even while the provider cannot be reached.
      const step = await apply(check);
      if (step.kind === 'DONE') return step;
      await askingProvider(check, () => open(check));
      return apply(check);
    },
    /** Asks the provider for the check's status and applies the answer. */
    async pollKycCheck(check: KycCheckRef): Promise<KycStep> {
      let outage: unknown = null;
      try {
        await askingProvider(check, () => ask(check));
      } catch (error) {
        outage = error;
      }
      const step = await apply(check);
      // Only after the reports: a provider that cannot be asked may still have told us.
      if (outage instanceof Error && step.kind === 'WAIT') throw outage;
      return step;
    },
    /** Hands the check's documents on; after a failure the answer waits before it asks for another try. */
    async handOnKycDocuments(check: KycCheckRef): Promise<KycStep> {
      let isDone = true;
      try {
        await askingProvider(check, () => handOn(check));
      } catch (error) {
        if (!(error instanceof ActivityError)) throw error;
        isDone = false;
      }
      const step = await apply(check);
      // Not at once again: the wait of any other question, and reports are heard meanwhile.
      if (isDone || step.kind === 'DONE') return step;
      return {
        kind: 'WAIT',
        waitMs: Math.max(step.waitMs, deps.timing[check.environment].firstMs),
      };
    },
    /** Applies stored reports of the provider. Never talks to the provider. */
    applyKycReports: apply,
  };
}
