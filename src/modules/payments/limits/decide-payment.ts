import type { ScopedTransaction } from '../../../db/client/database.ts';
import { findApiKey } from '../../../db/customers/api-key-list-store.ts';
import { recordAudit } from '../../../db/operations/audit-store.ts';
import {
  decideLimitCheck,
  findLimitCheck,
  type LimitCheckRow,
  type LimitDecision,
} from '../../../db/payments/payment-limit-store.ts';
import { lockPayments, type PaymentRow } from '../../../db/payments/payment-store.ts';
import { actorText, type Actor } from '../../../domain/actor.ts';
import type { Clock } from '../../../domain/clock.ts';
import { requireFound } from '../../../domain/errors/require-found.ts';
import type { CorridorTable } from '../../../domain/payments/corridors/corridor-table.ts';
import type { RequireVersion } from '../../../domain/require-version.ts';
import type { Scope } from '../../../domain/scope.ts';
import { cancelPayment } from '../cancel-payment.ts';
import { changePayment } from '../change-payment.ts';
import { readLocked } from '../lock-payment.ts';

interface DecideDeps {
  readonly corridors: CorridorTable;
  readonly clock: Clock;
}

/** What a user decides about a payment that is over a limit. */
export interface PaymentDecision {
  readonly paymentId: string;
  readonly decision: LimitDecision;
  readonly user: Extract<Actor, { kind: 'USER' }>;
  readonly requireVersion: RequireVersion;
}

/** NOT_WAITING: nobody has to approve it. OWN_KEY: the user made the key that made the payment. */
export type DecisionOutcome = 'DONE' | 'NOT_WAITING' | 'OWN_KEY';

/** Whether a payment waits for a user of its customer. */
export const waitsForApproval = ({ status, statusDetail }: PaymentRow): boolean =>
  status === 'ON_HOLD' && statusDetail === 'CUSTOMER_APPROVAL';

/**
 * Approves a payment that waits for it, or declines it, which cancels it. Who made the payment's key may decline it, and
 * not approve it: the database refuses that too. Everything is one transaction with its row in the audit log. The caller
 * wakes the payment's workflow. Refuses with not_found, as `requireVersion` does, and as a cancel does.
 */
export async function decidePayment(
  deps: DecideDeps,
  tx: ScopedTransaction,
  scope: Scope,
  { paymentId, decision, user, requireVersion }: PaymentDecision,
): Promise<DecisionOutcome> {
  const [row] = await lockPayments(tx, scope, [paymentId]);
  const found = requireFound(row ?? null);
  requireVersion(found.version);
  const now = deps.clock.now();
  const locked = await readLocked(tx, scope, found, { corridors: deps.corridors, now });
  const check = await findLimitCheck(tx, scope, paymentId);
  if (check === null || !waitsForApproval(locked.payment)) return 'NOT_WAITING';
  if (decision === 'APPROVED' && (await isKeyOf(tx, scope, check, user))) return 'OWN_KEY';
  const by = actorText(user);
  if (!(await decideLimitCheck(tx, scope, paymentId, { decision, by, at: now })))
    return 'NOT_WAITING';
  if (decision === 'APPROVED') {
    // Its next look counts it: other things may have come in its way.
    await changePayment(locked, { status: 'PROCESSING', statusDetail: 'QUEUED' }, user);
  } else {
    await cancelPayment(deps, tx, scope, {
      paymentId,
      actor: user,
      requireVersion: () => undefined,
    });
  }
  await recordAudit(tx, {
    ...{ at: now, actor: user, scope, subject: paymentId },
    action: decision === 'APPROVED' ? 'payment.approve' : 'payment.decline',
    details: { version: found.version, reasons: [...check.reasons] },
  });
  return 'DONE';
}

/** Whether a user made the key that made the payment. */
export async function isKeyOf(
  tx: ScopedTransaction,
  scope: Scope,
  { apiKeyId }: Pick<LimitCheckRow, 'apiKeyId'>,
  user: Extract<Actor, { kind: 'USER' }>,
): Promise<boolean> {
  if (apiKeyId === null) return false;
  return (await findApiKey(tx, scope, apiKeyId))?.createdBy === actorText(user);
}
