import { isSettledOrFinal } from '../../domain/payments/payment-states.ts';
import type { EventDraft } from '../../domain/webhooks/events/envelope.ts';
import type { ScopedTransaction } from '../client/database.ts';
import { countAfterCommit } from '../operations/count-after-commit.ts';
import type { PaymentRow } from './payment-store.ts';

interface Version {
  readonly payment: Pick<
    PaymentRow,
    | 'id'
    | 'status'
    | 'statusDetail'
    | 'version'
    | 'createdAt'
    | 'updatedAt'
    | 'releaseAt'
    | 'funding'
  >;
  readonly event: Pick<EventDraft, 'previous'>;
}

/** Has accepted payments counted once they are committed. */
export function countAccepted(
  tx: ScopedTransaction,
  accepted: readonly Pick<Version, 'payment'>[],
): void {
  for (const { payment } of accepted) {
    countAfterCommit(tx, payment.id, { kind: 'PAYMENT_ACCEPTED' });
  }
}

/** Has counted what versions of payments end or leave open, once they are committed. */
export function countVersions(tx: ScopedTransaction, versions: readonly Version[]): void {
  for (const { payment, event } of versions) {
    const { status, statusDetail, updatedAt } = payment;
    const id = `${payment.id}/${String(payment.version)}`;
    if (status !== event.previous?.['status'] && isSettledOrFinal(status)) {
      const afterMs =
        payment.funding === null ? updatedAt.getTime() - dueSince(payment).getTime() : null;
      countAfterCommit(tx, id, { kind: 'PAYMENT_FINISHED', outcome: status, afterMs });
    }
    if (
      statusDetail === 'OUTCOME_UNKNOWN' &&
      event.previous?.['statusDetail'] !== 'OUTCOME_UNKNOWN'
    ) {
      countAfterCommit(tx, id, { kind: 'OUTCOME_UNKNOWN' });
    }
  }
}

/** From when on it could be sent: its acceptance, or the day that it was for. */
export const dueSince = ({
  createdAt,
  releaseAt,
}: Pick<PaymentRow, 'createdAt' | 'releaseAt'>): Date =>
  releaseAt !== null && releaseAt > createdAt ? releaseAt : createdAt;
