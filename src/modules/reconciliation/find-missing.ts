import type { Database } from '../../db/client/database.ts';
import {
  listUnreconciledPayments,
  readFrontiers,
  type StatementFrontier,
  type UnreconciledPayment,
} from '../../db/reconciliation/statement-match-store.ts';
import type { StatementOrigin } from '../../db/reconciliation/statement-store.ts';
import { systemActor } from '../../domain/actor.ts';
import type { Clock } from '../../domain/clock.ts';
import type { CorridorTable } from '../../domain/payments/corridors/corridor-table.ts';
import { isMissingAtBank } from '../../domain/reconciliation/missing-at-bank.ts';
import { UNREADABLE_HOPED_FOR } from '../../domain/reconciliation/reread-wait.ts';
import { UNFETCHED_HOPED_FOR_MS } from '../../domain/reconciliation/statement-age.ts';
import type { Environment } from '../../domain/scope.ts';
import { changePayment } from '../payments/change-payment.ts';
import { withLockedPayment } from '../payments/lock-payment.ts';
import { exceptionEvidence } from './evidence.ts';
import type { RaiseAlarm } from './reconciliation-alarm.ts';

const PAGE_PAYMENTS = 500;

export interface FindMissingDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly corridors: CorridorTable;
  readonly alarm: RaiseAlarm;
  readonly heartbeat: (line: number) => void;
  /** How long a bank may take to put a payout on a statement. */
  readonly missingAfterMs: Readonly<Record<Environment, number>>;
}

/**
 * Marks payments that we take as paid out and that no statement shows, though the bank's statements
 * in their currency are complete to a moment long enough after: MISSING_AT_BANK. Judged by the
 * statements' own time, not by the clock: an outage of the bank or of ours makes nothing missing.
 */
export async function findMissing(deps: FindMissingDeps, origin: StatementOrigin): Promise<void> {
  const patience = {
    unreadableHopedFor: UNREADABLE_HOPED_FOR,
    listedAfter: new Date(deps.clock.now().getTime() - UNFETCHED_HOPED_FOR_MS),
  };
  const frontiers = await deps.db.system((tx) => readFrontiers(tx, origin, patience));
  for (const frontier of frontiers) await findMissingBefore(deps, origin, frontier);
}

async function findMissingBefore(
  deps: FindMissingDeps,
  origin: StatementOrigin,
  frontier: StatementFrontier,
): Promise<void> {
  const { environment } = origin;
  const cut = new Date(frontier.toAt.getTime() - deps.missingAfterMs[environment]);
  for (let after = ''; ;) {
    const about = { environment, currency: frontier.currency, cut, after, limit: PAGE_PAYMENTS };
    const page = await deps.db.system((tx) => listUnreconciledPayments(tx, about));
    const last = page.at(-1);
    if (last === undefined) return;
    for (const payment of page) {
      if (!isMissingAtBank(payment, cut)) continue;
      await markMissing(deps, origin, frontier, payment);
      deps.heartbeat(0);
    }
    after = last.paymentId;
  }
}

async function markMissing(
  deps: FindMissingDeps,
  origin: StatementOrigin,
  frontier: StatementFrontier,
  { customerId, paymentId, completedAt }: UnreconciledPayment,
): Promise<void> {
  const scope = { customerId, environment: origin.environment };
  await withLockedPayment(deps, scope, paymentId, async (locked) => {
    const { payment } = locked;
    if (payment.reconciliationStatus !== 'PENDING') return;
    const found = {
      statementId: frontier.bankStatementId,
      statementTo: frontier.toAt.toISOString(),
      completedAt: completedAt?.toISOString() ?? null,
    };
    const known = payment.reconciliationEvidence;
    const change = {
      reconciliationStatus: 'EXCEPTION',
      reconciliationEvidence: exceptionEvidence(known, 'MISSING_AT_BANK', found),
    } as const;
    await changePayment(locked, change, systemActor('reconciliation'));
    // Before the commit: what is committed is not found again, so that its alarm would be lost.
    const { bankStatementId } = frontier;
    const facts = { exception: 'MISSING_AT_BANK', bankStatementId, paymentId, line: null };
    deps.alarm({ kind: 'EXCEPTION', ...origin, ...facts });
  });
}
