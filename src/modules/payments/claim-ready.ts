import { createBatcher } from '../../db/client/batcher.ts';
import type { Database, WriteOptions } from '../../db/client/database.ts';
import type { PaymentRow } from '../../db/payments/payment-store.ts';
import { countAfterCommit } from '../../db/operations/count-after-commit.ts';
import { dueSince } from '../../db/payments/count-payments.ts';
import { claimReadyAttempts, type ClaimedRow } from '../../db/payments/ready-attempt-store.ts';
import { RELEASE_LOCK_SHARED } from '../../db/operations/release-stop-store.ts';
import type { AttemptRow } from '../../db/payments/settlement-attempt-store.ts';
import { isAssetListed, type ListedNetworks } from '../../domain/onchain/listed-networks.ts';
import type { CorridorTable } from '../../domain/payments/corridors/corridor-table.ts';
import type { Clock } from '../../domain/clock.ts';
import { attemptClaimed, readyAttempt } from '../../domain/payments/attempt.ts';
import { railOf } from '../../domain/payments/payment-destination.ts';
import type { SettlementTiming } from '../../domain/payments/settlement-timing.ts';
import type { Environment, Scope } from '../../domain/scope.ts';
import type { Screener } from '../parties/screening/screener.ts';
import type { Vault } from '../../vault/vault.ts';
import { openEncodedTransfer } from './ready-attempt.ts';
import { LOCK_WAIT_TOGETHER_MS, scopeBatchKey } from './work-together.ts';

export interface ClaimReadyDeps {
  readonly db: Database;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly corridors: CorridorTable;
  readonly networks: ListedNetworks;
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
  return (scope, paymentId) => submit(scopeBatchKey(scope), { scope, paymentId });
}

async function claimTogether(
  deps: ClaimReadyDeps,
  items: readonly Named[],
): Promise<PromiseSettledResult<ClaimedPayment | null>[]> {
  const [first] = items;
  if (first === undefined) return [];
  const { scope } = first;
  const ids = items.map(({ paymentId }) => paymentId);
  const options = {
    alsoLock: RELEASE_LOCK_SHARED,
    ...(ids.length > 1 ? { lockWaitMs: LOCK_WAIT_TOGETHER_MS } : {}),
  };
  const claim = (wanted: readonly string[]) => claimIn(deps, scope, wanted, options);
  const claimed = await claim(ids).catch((error: unknown) => {
    // Nothing was written: the others are claimed without those that may not leave.
    if (error instanceof CorridorClosed) return claim(ids.filter((id) => !error.ids.has(id)));
    throw error;
  });
  // A payment that is named twice is claimed once.
  return items.map(({ paymentId }, index) => ({
    status: 'fulfilled',
    value: ids.indexOf(paymentId) === index ? (claimed.get(paymentId) ?? null) : null,
  }));
}

/** Payments were claimed over corridors that are not open: the transaction is taken back. */
class CorridorClosed extends Error {
  readonly ids: ReadonlySet<string>;

  constructor(ids: readonly string[]) {
    super('payments may not leave over corridors that are closed');
    this.ids = new Set(ids);
  }
}

/** Claims what may leave, all in one transaction; throws CorridorClosed where that is not all of it. */
async function claimIn(
  deps: ClaimReadyDeps,
  scope: Scope,
  ids: readonly string[],
  options: WriteOptions,
): Promise<ReadonlyMap<string, ClaimedPayment>> {
  if (ids.length === 0) return new Map();
  const timing = deps.timing[scope.environment];
  return deps.db.write(
    scope,
    async (tx) => {
      const now = deps.clock.now();
      const deadlineAt = new Date(now.getTime() + timing.attemptDeadlineMs);
      const screenedSince = deps.screener.screenedSince(scope.environment, now);
      const rows = await claimReadyAttempts(tx, scope, ids, {
        ...{ now, deadlineAt, screenedSince },
        isProofAsked: deps.networks.proofPolicy(scope.environment).from !== null,
      });
      const closed = rows.filter((row) => !isOpen(deps, row));
      if (closed.length > 0) throw new CorridorClosed(closed.map(({ payment }) => payment.id));
      const claims = rows.map((row) => claimedPayment(row, now, timing));
      // Bytes that nothing would send, or that no key opens, are not claimed.
      for (const { payment, attempt } of claims) {
        deps.requireRail(scope.environment, attempt.rail);
        openEncodedTransfer(deps.vault, payment, attempt);
        const afterMs = now.getTime() - dueSince(payment).getTime();
        countAfterCommit(tx, attempt.reference, { kind: 'PAYMENT_CLAIMED', afterMs });
      }
      return new Map(claims.map((claim) => [claim.payment.id, claim]));
    },
    options,
  );
}

function isOpen(
  { corridors, networks }: Pick<ClaimReadyDeps, 'corridors' | 'networks'>,
  { country, payment: { destination, unit, environment } }: ClaimedRow,
): boolean {
  if (destination.kind === 'BANK') return corridors.isOpen(country ?? '', unit, destination.rail);
  return isAssetListed(networks, environment, { network: destination.network, asset: unit });
}

/** The statement has written what `attemptClaimed` says, to a READY attempt as acceptance wrote it. */
function claimedPayment(
  { payment, reference, attemptNumber: number, encodedTransfer }: ClaimedRow,
  now: Date,
  timing: SettlementTiming,
): ClaimedPayment {
  const attempt = attemptClaimed(readyAttempt(reference, payment.createdAt), now, timing);
  return {
    payment,
    attempt: {
      ...{ ...attempt, paymentId: payment.id, number, encodedTransfer },
      rail: railOf(payment.destination),
    },
  };
}
