import type { EntryPlace } from '../../domain/ledger/balance-transaction-id.ts';
import type { EntryKind } from '../../domain/ledger/line-places.ts';
import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction } from '../client/database.ts';
import { ENTRY_WALKS_CTE, LINES_OF_WALK } from '../client/entry-walks.ts';

/** A line on one of the customer's accounts, and what a statement says about it. Minor units. */
export interface StatementEntryRow extends EntryPlace {
  /** Its transaction's number. */
  readonly seq: bigint;
  readonly kind: EntryKind;
  readonly amount: bigint;
  readonly paymentId: string | null;
  readonly externalId: string | null;
  /** The EndToEndId under which the payment left last. */
  readonly reference: string | null;
  readonly bookedAt: Date;
}

interface EntrySpan {
  readonly currency: string;
  /** Transactions behind this one, */
  readonly afterSeq: bigint;
  /** and up to this one. */
  readonly lastSeq: bigint;
  /** Kinds that move money between accounts of the customer: they sum to zero. */
  readonly withoutKinds: readonly EntryKind[];
}

const REFERENCE = `(SELECT told.value ->> 'value'
    FROM jsonb_array_elements(p.refs) WITH ORDINALITY AS told (value, turn)
    WHERE told.value ->> 'type' = 'END_TO_END_ID' ORDER BY told.turn DESC LIMIT 1)`;

/** The first lines of a span in the ledger's order, at most `limit` of them. */
export async function readStatementEntries(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  span: EntrySpan,
  limit: number,
): Promise<StatementEntryRow[]> {
  return tx.query<StatementEntryRow>(
    `WITH RECURSIVE ${ENTRY_WALKS_CTE},
     found AS MATERIALIZED (
       SELECT walked.* FROM walks CROSS JOIN LATERAL (
         SELECT e.transaction_id, e.line, e.seq, e.kind, e.amount FROM ledger_entries e
         WHERE ${LINES_OF_WALK} AND e.seq > :afterSeq AND e.seq <= :lastSeq
         ORDER BY e.seq, e.line LIMIT :limit) AS walked
       WHERE walks.kind <> ALL (:withoutKinds)
       ORDER BY walked.seq, walked.line LIMIT :limit
     )
     SELECT e.transaction_id AS "transactionId", e.line, e.seq, e.kind, e.amount,
       t.payment_id AS "paymentId", p.external_id AS "externalId", ${REFERENCE} AS reference,
       t.created_at AS "bookedAt"
     FROM found e
       CROSS JOIN LATERAL (
         SELECT payment_id, created_at FROM ledger_transactions
         WHERE id = e.transaction_id AND customer_id = :customerId AND environment = :environment
         LIMIT 1) AS t
       LEFT JOIN LATERAL (
         SELECT external_id, refs FROM payments
         WHERE id = t.payment_id AND customer_id = :customerId AND environment = :environment
         LIMIT 1) AS p ON true
     ORDER BY e.seq, e.line`,
    { customerId, environment, ...span, limit },
  );
}
