import type { PaymentFinality } from '../../domain/payments/finality.ts';
import { UNSENT_PHASES } from '../../domain/payments/cancel-rules.ts';
import type { PaymentFee } from '../../domain/payments/fees/payment-fee.ts';
import type { ShownFunding } from '../../domain/onchain/deposits/shown-funding.ts';
import type { Network } from '../../domain/onchain/network.ts';
import type {
  DestinationIds,
  PaymentDestination,
} from '../../domain/payments/payment-destination.ts';
import type { PaymentKind } from '../../domain/payments/payment-kind.ts';
import type { PaymentState } from '../../domain/payments/payment.ts';
import type { Environment, Scope } from '../../domain/scope.ts';
import type { AnyTransaction, ScopedTransaction } from '../client/database.ts';
import { ownerKeyOf } from '../parties/end-user-key-store.ts';

export interface PaymentRow extends PaymentState, PaymentFinality {
  readonly id: string;
  readonly seq: bigint;
  readonly customerId: string;
  readonly environment: Environment;
  readonly kind: PaymentKind;
  readonly endUserId: string;
  readonly destination: PaymentDestination;
  readonly idempotencyKey: string;
  readonly workflowId: string;
  /** What `amount` is in: a currency's code of ISO 4217, or an asset. */
  readonly unit: string;
  /** Minor units. */
  readonly amount: bigint;
  /** What the paying balance is in. */
  readonly sourceUnit: string;
  /** Without the fees. */
  readonly sourceAmount: bigint;
  readonly rate: string | null;
  /** From then on nothing is sent first at `rate`; null where it is paid from its own currency. */
  readonly rateHeldUntil: Date | null;
  /**
   * Minor units of the source, with fees: what is reserved, and the most that it costs where it is priced anew when its
   * rate is over; null: it fails then.
   */
  readonly maxSourceAmount: bigint | null;
  /** Before it the payment may be priced anew; set with `maxSourceAmount`. */
  readonly requoteUntil: Date | null;
  /** Set exactly where `unit` and `sourceUnit` differ. */
  readonly quoteId: string | null;
  readonly fees: readonly PaymentFee[];
  /** Null: its balance pays it. */
  readonly funding: ShownFunding | null;
  readonly externalId: string | null;
  readonly purpose: string | null;
  readonly personal: Buffer;
  /** See `KeyOwner`. */
  readonly ownerKey: Buffer | null;
  readonly heldSince: Date | null;
  /** YYYY-MM-DD, of a payment for a later day; from `releaseAt` on it may leave. */
  readonly scheduledFor: string | null;
  readonly releaseAt: Date | null;
  /** The bank may know of it: an attempt was sent, a report is unread, or the database before a restore may have sent it. */
  readonly mayHaveLeft: boolean;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A payment as `PAYMENT_COLUMNS` reads it: `rail` holds the network of one to a wallet. */
export interface StoredPayment extends Omit<PaymentRow, 'destination'>, DestinationIds {
  readonly rail: string;
}

export const toPaymentRow = ({
  bankAccountId,
  walletId,
  rail,
  ...payment
}: StoredPayment): PaymentRow => ({
  ...payment,
  destination:
    walletId === null
      ? { kind: 'BANK', bankAccountId: bankAccountId ?? '', rail }
      : { kind: 'WALLET', walletId, network: rail as Network },
});

const HAS_OPEN_ATTEMPT =
  'EXISTS (SELECT FROM settlement_attempts WHERE payment_id = payments.id AND is_open)';

/**
 * Of one for a later day, the database before a restore has sent nothing unless its day had come when restore mode began.
 * That is what is shown: a cancel judges by the time at which it is asked for.
 */
const MAY_HAVE_LEFT = `(
  EXISTS (SELECT FROM settlement_attempts WHERE payment_id = payments.id
    AND phase NOT IN (${UNSENT_PHASES.map((phase) => `'${phase}'`).join(', ')}))
  OR EXISTS (SELECT FROM transfer_reports
    WHERE payment_id = payments.id AND processed_at IS NULL)
  OR EXISTS (SELECT FROM restore_mode WHERE (ended_at IS NULL
      OR ended_at > asked_for_at(payments.id, payments.created_at))
    AND (release_at IS NULL OR status_detail <> 'SCHEDULED' OR release_at <= begun_at)))`;

/** Null of a payment that its balance pays. */
const FUNDING = `(SELECT jsonb_build_object('asset', f.asset, 'network', f.network, 'address', f.address,
    'amountDue', f.amount_due::text, 'amountReceived', f.amount_received::text, 'status', f.status,
    'expiresAt', to_char(f.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'refundWalletId', f.refund_wallet_id)
  FROM payment_fundings f WHERE f.payment_id = payments.id)`;

const paymentColumns = (hasOpenAttempt: string, mayHaveLeft: string) => `
  id, seq, customer_id AS "customerId", environment, kind, end_user_id AS "endUserId",
  bank_account_id AS "bankAccountId", wallet_id AS "walletId", idempotency_key AS "idempotencyKey",
  workflow_id AS "workflowId", rail, currency AS unit, amount, source_currency AS "sourceUnit",
  source_amount AS "sourceAmount", rate, rate_held_until AS "rateHeldUntil",
  max_source_amount AS "maxSourceAmount", requote_until AS "requoteUntil",
  quote_id AS "quoteId", fees, ${FUNDING} AS funding,
  external_id AS "externalId", purpose, personal,
  ${ownerKeyOf('payments.end_user_id')}, status,
  status_detail AS "statusDetail", funds_status AS "fundsStatus", finality, final_at AS "finalAt",
  final_due_at AS "finalDueAt",
  failure, return_info AS "returnInfo", reconciliation_status AS "reconciliationStatus",
  reconciliation_evidence AS "reconciliationEvidence", refs, rejections,
  ${hasOpenAttempt} AS "hasOpenAttempt",
  held_since AS "heldSince", to_char(scheduled_for, 'YYYY-MM-DD') AS "scheduledFor",
  release_at AS "releaseAt", ${mayHaveLeft} AS "mayHaveLeft", version,
  created_at AS "createdAt", updated_at AS "updatedAt"`;

/** A `StoredPayment` of `payments`, under that name. What other tables say of one is as of the statement's beginning. */
export const PAYMENT_COLUMNS = paymentColumns(HAS_OPEN_ATTEMPT, MAY_HAVE_LEFT);

/** The same of a payment whose attempt the statement claims: it is open from then on, and may be at the bank. */
export const CLAIMED_PAYMENT_COLUMNS = paymentColumns('true', 'true');

/** Reads one payment; null where the scope has none of that id. */
export async function findPayment(
  tx: AnyTransaction,
  scope: Scope,
  id: string,
): Promise<PaymentRow | null> {
  const [row] = await tx.query<StoredPayment>(
    `SELECT ${PAYMENT_COLUMNS} FROM payments
     WHERE customer_id = $1 AND environment = $2 AND id = $3`,
    [scope.customerId, scope.environment, id],
  );
  return row === undefined ? null : toPaymentRow(row);
}

/** Reads the payment that was made under a key; null where there is none. */
export async function findPaymentByKey(
  tx: ScopedTransaction,
  scope: Scope,
  idempotencyKey: string,
): Promise<PaymentRow | null> {
  const [row] = await tx.query<StoredPayment>(
    `SELECT ${PAYMENT_COLUMNS} FROM payments
     WHERE customer_id = $1 AND environment = $2 AND idempotency_key = $3`,
    [scope.customerId, scope.environment, idempotencyKey],
  );
  return row === undefined ? null : toPaymentRow(row);
}

/**
 * Reads payments and holds them until the transaction ends: every change goes through here. In order of
 * id, so that two transactions that want the same ones do not wait for each other; to be called before
 * anything else is locked. Those that the scope lacks are left out.
 */
export async function lockPayments(
  tx: ScopedTransaction,
  scope: Scope,
  ids: readonly string[],
): Promise<PaymentRow[]> {
  const rows = await tx.query<StoredPayment>(
    `SELECT ${PAYMENT_COLUMNS} FROM payments
     WHERE customer_id = $1 AND environment = $2 AND id = ANY ($3) ORDER BY id FOR UPDATE`,
    [scope.customerId, scope.environment, [...ids]],
  );
  return rows.map(toPaymentRow);
}
