import { actorText, type Actor } from '../../domain/actor.ts';
import { destinationIds, railOf } from '../../domain/payments/payment-destination.ts';
import type { EventDraft } from '../../domain/webhooks/events/envelope.ts';
import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction } from '../client/database.ts';
import { eventValues, RECORD_EVENTS_CTES } from '../webhooks/event-store.ts';
import { REBIND_KEY, type BoundAnswer } from '../idempotency/idempotency-store.ts';
import {
  ledgerValues,
  POST_LEDGER_CTES,
  type NewLedgerTransaction,
} from '../ledger/ledger-store.ts';
import type { NewFunding } from './payment-funding-store.ts';
import type { PaymentRow } from './payment-store.ts';
import type { UsedQuote } from './quote-store.ts';
import type { NewTravelRuleRecord } from './travel-rule-store.ts';
import { rowSource } from '../client/row-source.ts';
import { attemptValues, INSERT_ATTEMPTS, type AttemptRow } from './settlement-attempt-store.ts';
import { wakeAfterCommit } from '../webhooks/wake-after-commit.ts';
import { countAccepted, countVersions } from './count-payments.ts';

/** A version of a payment with what must never exist without it. */
export interface WrittenVersion {
  readonly payment: PaymentRow;
  readonly event: EventDraft;
  readonly actor: Actor;
  /** What moves with it. */
  readonly movements: readonly NewLedgerTransaction[];
}

/** An order that is accepted, checked, priced and routed: the first version of its payment, and all that acceptance writes. */
export interface AcceptedOrder extends WrittenVersion {
  /** What its key is bound to, for ever. */
  readonly answer: BoundAnswer;
  /** READY, where it may go to a bank at once. */
  readonly attempt: AttemptRow | null;
  /** The request that it came with. */
  readonly requestId: string;
  readonly quote: Pick<UsedQuote, 'id' | 'made'> | null;
  /** What it waits for; null: its balance pays it. */
  readonly funding: NewFunding | null;
  /** Goes with a transfer to a wallet. */
  readonly travelRuleRecord: NewTravelRuleRecord | null;
}

const HISTORY = rowSource('version', {
  paymentId: 'text',
  version: 'integer',
  status: 'text',
  statusDetail: 'text',
  fundsStatus: 'text',
  reconciliationStatus: 'text',
  actor: 'text',
});

/** History rows, events with their deliveries, and ledger transactions. For `versionValues`. */
const VERSION_CTES = `
  ${RECORD_EVENTS_CTES},
  ${POST_LEDGER_CTES},
  new_history AS (
    INSERT INTO payment_history (customer_id, environment, at, ${HISTORY.columns})
    SELECT :customerId, :environment, :at, ${HISTORY.columns} FROM ${HISTORY.sql}
  )`;

function versionValues(scope: Scope, versions: readonly WrittenVersion[], at: Date) {
  const history = versions.map(({ payment, actor }) => ({
    ...payment,
    paymentId: payment.id,
    actor: actorText(actor),
  }));
  return {
    ...eventValues(
      scope,
      versions.map(({ event }) => event),
      at,
    ),
    ...ledgerValues(
      scope,
      versions.flatMap(({ movements }) => movements),
      at,
    ),
    ...HISTORY.values(history),
  };
}

const ORDERED = rowSource('new', {
  id: 'text',
  kind: 'text',
  endUserId: 'text',
  bankAccountId: 'text',
  walletId: 'text',
  idempotencyKey: 'text',
  workflowId: 'text',
  rail: 'text',
  currency: 'text',
  amount: 'bigint',
  sourceCurrency: 'text',
  sourceAmount: 'bigint',
  rate: 'text',
  rateHeldUntil: 'timestamptz',
  maxSourceAmount: 'bigint',
  requoteUntil: 'timestamptz',
  quoteId: 'text',
  fees: 'jsonb',
  externalId: 'text',
  purpose: 'text',
  personal: 'bytea',
  status: 'text',
  statusDetail: 'text',
  fundsStatus: 'text',
  refs: 'jsonb',
  scheduledFor: 'date',
  releaseAt: 'timestamptz',
  requestId: 'text',
});

/** The columns have no destination: `rail` holds the network of a payment to a wallet, `currency` the asset. */
const paymentColumns = ({ payment, requestId }: AcceptedOrder) => ({
  ...payment,
  ...destinationIds(payment.destination),
  rail: railOf(payment.destination),
  currency: payment.unit,
  sourceCurrency: payment.sourceUnit,
  requestId,
});

const ANSWERS = rowSource('answer', {
  key: 'text',
  requestMac: 'bytea',
  statusCode: 'integer',
  response: 'bytea',
  endUserId: 'text',
  resourceId: 'text',
});

const INSERT_PAYMENTS = `
  WITH ${VERSION_CTES},
  new_payments AS (
    INSERT INTO payments (customer_id, environment, created_at, updated_at, ${ORDERED.columns})
    SELECT :customerId, :environment, :at, :at, ${ORDERED.columns} FROM ${ORDERED.sql}
    ORDER BY turn
  ),
  new_attempts AS (${INSERT_ATTEMPTS}),
  bound_keys AS (
    INSERT INTO idempotency_keys (customer_id, environment, created_at, ${ANSWERS.columns})
    SELECT :customerId, :environment, :at, ${ANSWERS.columns} FROM ${ANSWERS.sql}
    -- A key that another kind of request used is free again once its 30 days are over.
    ON CONFLICT (customer_id, environment, key) DO UPDATE SET ${REBIND_KEY}
      WHERE idempotency_keys.expires_at <= excluded.created_at
    RETURNING key
  )
  SELECT (SELECT count(*) FROM bound_keys) AS written, EXISTS (SELECT FROM covered) AS "isCovered",
    ARRAY(SELECT id FROM wakes) AS wakes`;

interface Written {
  readonly written: bigint;
  readonly isCovered: boolean;
  readonly wakes: readonly string[];
}

/**
 * Writes the payments of accepted orders of one scope, accepted at `at`, in one statement; their keys are bound to
 * their answers in it, so that none ever exists without the other. For `insertAcceptedOrders`. Answers false where the balance does not
 * cover all of them: the caller must roll back. Throws where a key was bound by another request.
 */
export async function insertPayments(
  tx: ScopedTransaction,
  scope: Scope,
  accepted: readonly AcceptedOrder[],
  at: Date,
): Promise<boolean> {
  const [row] = await tx.query<Written>(INSERT_PAYMENTS, {
    ...versionValues(scope, accepted, at),
    ...ORDERED.values(accepted.map(paymentColumns)),
    ...attemptValues(
      scope,
      accepted.flatMap(({ attempt }) => attempt ?? []),
    ),
    ...ANSWERS.values(accepted.map(({ answer }) => answer)),
  });
  if (row?.written !== BigInt(accepted.length)) {
    throw new Error('an idempotency key was bound by another request');
  }
  wakeAfterCommit(tx, row.wakes);
  countAccepted(tx, accepted);
  return row.isCovered;
}

const STATE_COLUMNS = {
  id: 'text',
  status: 'text',
  statusDetail: 'text',
  fundsStatus: 'text',
  finality: 'text',
  finalAt: 'timestamptz',
  finalDueAt: 'timestamptz',
  failure: 'jsonb',
  returnInfo: 'jsonb',
  reconciliationStatus: 'text',
  reconciliationEvidence: 'jsonb',
  refs: 'jsonb',
  rejections: 'integer',
  // Written, and read by nothing.
  hasOpenAttempt: 'boolean',
  heldSince: 'timestamptz',
  version: 'integer',
} as const;

const STATES = rowSource('next', STATE_COLUMNS);

/** The price of a payment, beside its state. */
const PRICED_STATES = rowSource('next', {
  ...STATE_COLUMNS,
  ...{ quoteId: 'text', sourceAmount: 'bigint', rate: 'text', rateHeldUntil: 'timestamptz' },
  fees: 'jsonb',
});

const updateBy = ({ columns, sql }: Pick<typeof STATES, 'columns' | 'sql'>): string => {
  const assignments = columns
    .split(', ')
    .filter((column) => column !== 'id')
    .map((column) => `${column} = next.${column}`);
  return `
  WITH ${VERSION_CTES},
  changed AS (
    UPDATE payments p SET updated_at = :at, ${assignments.join(', ')} FROM ${sql}
    WHERE p.customer_id = :customerId AND p.environment = :environment
      AND p.id = ANY (:next_id::text[]) AND p.id = next.id
    RETURNING p.id
  )
  SELECT (SELECT count(*) FROM changed) AS written, EXISTS (SELECT FROM covered) AS "isCovered",
    ARRAY(SELECT id FROM wakes) AS wakes`;
};

const UPDATE_PAYMENTS = updateBy(STATES);
const REPRICE_PAYMENTS = updateBy(PRICED_STATES);

/**
 * Writes the next versions of locked payments of one scope in one statement: rows, history, events with
 * deliveries, and what moves in the ledger. The database refuses an illegal move or a gap; throws where
 * a payment is not the scope's or a balance does not cover what moves.
 */
export async function updatePayments(
  tx: ScopedTransaction,
  scope: Scope,
  versions: readonly WrittenVersion[],
  at: Date,
): Promise<void> {
  const [row] = await tx.query<Written>(UPDATE_PAYMENTS, {
    ...versionValues(scope, versions, at),
    ...STATES.values(versions.map(({ payment }) => payment)),
  });
  requireWritten(tx, row, versions.length);
  countVersions(tx, versions);
}

/**
 * The same for one payment that is priced anew, with its price. Its quote is stored. The database refuses a price that
 * its customer did not agree to.
 */
export async function repricePayment(
  tx: ScopedTransaction,
  scope: Scope,
  version: WrittenVersion,
  at: Date,
): Promise<void> {
  const [row] = await tx.query<Written>(REPRICE_PAYMENTS, {
    ...versionValues(scope, [version], at),
    ...PRICED_STATES.values([version.payment]),
  });
  requireWritten(tx, row, 1);
  countVersions(tx, [version]);
}

function requireWritten(tx: ScopedTransaction, row: Written | undefined, versions: number): void {
  if (row?.written !== BigInt(versions)) throw new Error('a payment is not in the scope');
  if (!row.isCovered) throw new Error('the ledger refused what moves with a payment');
  wakeAfterCommit(tx, row.wakes);
}
