import { createBatcher } from '../db/batcher.ts';
import type { Database } from '../db/database.ts';
import type { PaymentRow } from '../db/payment-store.ts';
import { claimReadyAttempts, type ClaimedRow } from '../db/ready-attempt-store.ts';
import { RELEASE_LOCK_SHARED } from '../db/release-stop-store.ts';
import type { AttemptRow } from '../db/settlement-attempt-store.ts';
import type { Clock } from '../domain/clock.ts';
import { attemptClaimed, readyAttempt } from '../domain/payments/attempt.ts';
import type { SettlementTiming } from '../domain/payments/settlement-timing.ts';
import type { Environment, Scope } from '../domain/scope.ts';
import type { Screener } from '../screening/screener.ts';
import type { Vault } from '../vault/vault.ts';
import { openRequest } from './ready-attempt.ts';
import { LOCK_WAIT_TOGETHER_MS, scopeLane } from './work-together.ts';

export interface ClaimReadyDeps {
  readonly db: Database;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly timing: Readonly<Record<Environment, SettlementTiming>>;
  /** Throws where no connector pays over the rail now: then nothing is claimed. */
  readonly requireRail: (environment: Environment, rail: string) => void;
  readonly screener: Pick<Screener, 'screenedSince'>;
}

/** A payment whose bytes this caller, and no other, sends once. */
export interface ClaimedPayment {
  readonly payment: PaymentRow;
  /** SENDING. */
  readonly attempt: AttemptRow;
}

interface Named {
  readonly scope: Scope;
  readonly paymentId: string;
}

/**
 * Claims a payment's READY attempt, if it may leave: null where it has none or something is in its way,
 * which `advancePayment` then judges and writes down. A claim whose commit is unknown answers null or
 * throws, and is found SENDING and asked about. Claims of one scope that come while others are being
 * written share the next transaction.
 */
export function createClaimReady(
  deps: ClaimReadyDeps,
): (scope: Scope, paymentId: string) => Promise<ClaimedPayment | null> {
  const submit = createBatcher<Named, ClaimedPayment | null>((items) => claimTogether(deps, items));
  return (scope, paymentId) => submit(scopeLane(scope), { scope, paymentId });
}

async function claimTogether(
  deps: ClaimReadyDeps,
  items: readonly Named[],
): Promise<PromiseSettledResult<ClaimedPayment | null>[]> {
  const [first] = items;
  if (first === undefined) return [];
  const { scope } = first;
  const timing = deps.timing[scope.environment];
  const ids = items.map(({ paymentId }) => paymentId);
  const options = {
    alsoLock: RELEASE_LOCK_SHARED,
    ...(ids.length > 1 ? { lockWaitMs: LOCK_WAIT_TOGETHER_MS } : {}),
  };
  const claimed = await deps.db.write(
    scope,
    async (tx) => {
      const now = deps.clock.now();
      const deadlineAt = new Date(now.getTime() + timing.attemptDeadlineMs);
      const screenedSince = deps.screener.screenedSince(scope.environment, now);
      const rows = await claimReadyAttempts(tx, scope, ids, { now, deadlineAt, screenedSince });
      const claims = rows.map((row) => claimedPayment(row, now, timing));
      // Bytes that nothing would send, or that no key opens, are not claimed.
      for (const { attempt } of claims) {
        deps.requireRail(scope.environment, attempt.rail);
        openRequest(deps.vault, attempt);
      }
      return new Map(claims.map((claim) => [claim.payment.id, claim]));
    },
    options,
  );
  // A payment that is named twice is claimed once.
  return items.map(({ paymentId }, index) => ({
    status: 'fulfilled',
    value: ids.indexOf(paymentId) === index ? (claimed.get(paymentId) ?? null) : null,
  }));
}

/** The statement has written what `attemptClaimed` says, to a READY attempt as acceptance wrote it. */
function claimedPayment(
  { reference, attemptNumber: number, request, ...row }: ClaimedRow,
  now: Date,
  timing: SettlementTiming,
): ClaimedPayment {
  const attempt = attemptClaimed(readyAttempt(reference, row.createdAt), now, timing);
  return {
    payment: { ...row, hasOpenAttempt: true },
    attempt: { ...attempt, paymentId: row.id, number, rail: row.rail, request },
  };
}
