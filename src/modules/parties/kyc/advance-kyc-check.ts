import {
  eraseKycDocuments,
  hasWaitingKycDocuments,
} from '../../../db/parties/kyc-document-store.ts';
import { deleteKycUploads } from '../../../db/parties/kyc-upload-store.ts';
import type { KycStatus } from '../../../domain/parties/kyc/kyc-states.ts';
import type { Environment, Scope } from '../../../domain/scope.ts';
import type { KycCheckRef } from '../../../domain/workflows/work-refs.ts';
import { applyKycReports } from './apply-kyc-reports.ts';
import {
  createAskKycProvider,
  kycScopeOf,
  KycStepFailed,
  type AskKycProviderDeps,
} from './ask-kyc-provider.ts';

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

/** Transactions of reports that one run judges; the next run goes on. */
const BATCHES_MAX = 20;

export interface AdvanceKycDeps extends AskKycProviderDeps {
  readonly timing: Readonly<Record<Environment, KycPollTiming>>;
  /** Days that an approval stands; 0: without an end of ours. */
  readonly approvalDays: Readonly<Record<Environment, number>>;
  /** Told after the commit that moved an end-user's KYC: payments may be waiting for it. */
  readonly onKycMoved: (scope: Scope, endUserId: string, status: KycStatus) => Promise<void>;
  /** For the log: the provider said two things of one version, and the more restrictive counts. */
  readonly onContradiction: (kycCheckId: string, version: number) => void;
}

/** The steps of a KYC check. Each may run twice, and throws KycStepFailed where it cannot be done. */
export function createAdvanceKycCheck(deps: AdvanceKycDeps) {
  const { db, clock } = deps;
  const provider = createAskKycProvider(deps);

  async function apply(check: KycCheckRef): Promise<KycStep> {
    const scope = kycScopeOf(check);
    for (let batch = 1; ; batch += 1) {
      const judging = { at: clock.now(), approvalDays: deps.approvalDays[check.environment] };
      const applied = await db.write(scope, (tx) => applyKycReports(tx, scope, check, judging));
      if (applied === null) throw new KycStepFailed('NOT_FOUND');
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
    const scope = kycScopeOf(check);
    const { kycCheckId } = check;
    if (!isOver) return db.read(scope, (tx) => hasWaitingKycDocuments(tx, scope, kycCheckId));
    const at = clock.now();
    await db.write(scope, async (tx) => {
      await eraseKycDocuments(tx, scope, kycCheckId, at);
      await deleteKycUploads(tx, scope, kycCheckId);
    });
    return false;
  }

  // Waiting as long as nothing has changed so far makes every pause twice the one before.
  function pauseMs(environment: Environment, changedAt: Date): number {
    const { firstMs, maxMs } = deps.timing[environment];
    const quietMs = clock.now().getTime() - changedAt.getTime();
    return Math.min(Math.max(quietMs, firstMs), maxMs);
  }

  return {
    /** Opens the check at the provider, and applies the reports that are here. */
    async open(check: KycCheckRef): Promise<KycStep> {
      // Reports that are here already count even while the provider cannot be reached.
      const step = await apply(check);
      if (step.kind === 'DONE') return step;
      await provider.openCheck(check);
      return apply(check);
    },

    /** Asks the provider for the check's status, and applies the answer. */
    async poll(check: KycCheckRef): Promise<KycStep> {
      let outage: unknown = null;
      try {
        await provider.askStatus(check);
      } catch (error) {
        outage = error;
      }
      const step = await apply(check);
      // Only after the reports: a provider that cannot be asked may still have told us.
      if (outage instanceof Error && step.kind === 'WAIT') throw outage;
      return step;
    },

    /** Hands the check's documents on; after a failure the answer waits before it asks for another try. */
    async handDocumentsOn(check: KycCheckRef): Promise<KycStep> {
      let isDone = true;
      try {
        await provider.handDocumentsOn(check);
      } catch (error) {
        if (!(error instanceof KycStepFailed)) throw error;
        isDone = false;
      }
      const step = await apply(check);
      // Not at once again: the wait of any other question, and reports are heard meanwhile.
      if (isDone || step.kind === 'DONE') return step;
      const { firstMs } = deps.timing[check.environment];
      return { kind: 'WAIT', waitMs: Math.max(step.waitMs, firstMs) };
    },

    /** Applies the provider's stored reports. Never talks to the provider. */
    apply,
  };
}
