import { createHash } from 'node:crypto';
import type { Database } from '../db/database.ts';
import { findAnswer, idempotencyRow, tryLockKey } from '../db/idempotency-store.ts';
import { newId } from '../db/new-id.ts';
import type { PaymentRow } from '../db/payment-store.ts';
import { insertPayment } from '../db/payment-write-store.ts';
import type { Actor } from '../domain/actor.ts';
import type { Clock } from '../domain/clock.ts';
import { Refusal, refuseField } from '../domain/errors/refusal.ts';
import type { Scope } from '../domain/scope.ts';
import { postHold } from '../ledger/post-movement.ts';
import type { Vault } from '../vault/vault.ts';
import { checkOrder } from './check-order.ts';
import type { PaymentOrder } from './payment-order.ts';
import { paymentMoney, paymentRow, paymentView, type PaymentPersonal } from './payment-view.ts';
import { paymentCreated, firstVersion } from './first-version.ts';

export interface AcceptDeps {
  readonly db: Database;
  readonly vault: Vault;
  readonly clock: Clock;
  /** Whether the scope's environment has a bank at all. */
  readonly hasBank: boolean;
}

export interface PaymentRequest {
  readonly idempotencyKey: string;
  readonly fingerprint: Buffer;
  readonly order: PaymentOrder;
  readonly actor: Actor;
}

export type Acceptance =
  | { readonly kind: 'REPLAYED'; readonly body: string }
  | {
      readonly kind: 'ACCEPTED';
      readonly body: string;
      readonly paymentId: string;
      readonly workflowId: string;
    };

/**
 * Accepts a payment, or answers what was answered before: one transaction in which the key is locked,
 * everybody concerned is looked at, and payment, history, ledger hold, event, deliveries and key are
 * written. Refusals leave nothing, not even the key. Nothing here touches the network.
 */
export function acceptPayment(
  deps: AcceptDeps,
  scope: Scope,
  request: PaymentRequest,
): Promise<Acceptance> {
  return deps.db.write(scope, async (tx) => {
    const { idempotencyKey, order } = request;
    const now = deps.clock.now();
    const isLocked = await tryLockKey(tx, scope, idempotencyKey);
    const bound = await findAnswer(tx, scope, idempotencyKey, now);
    const keyRow = idempotencyRow(scope, idempotencyKey);
    if (bound !== null) {
      if (!bound.fingerprint.equals(request.fingerprint)) {
        throw new Refusal(
          'idempotency_key_mismatch',
          'This Idempotency-Key belongs to another request: its path or body differs.',
        );
      }
      return { kind: 'REPLAYED', body: deps.vault.open(bound.response, keyRow).toString() };
    }
    if (!isLocked) {
      throw new Refusal(
        'idempotency_key_in_progress',
        'A request with this Idempotency-Key is still running. Repeat it in a second.',
        [],
        { 'retry-after': '1' },
      );
    }
    const corridor = await checkOrder(tx, scope, order, deps.hasBank);
    const payment = newPayment(deps.vault, scope, request, corridor.rail, now);
    const first = { ...payment, paymentId: payment.id, at: now };
    const body = JSON.stringify(paymentView(payment, [first], deps.vault));
    await insertPayment(
      tx,
      scope,
      payment,
      paymentCreated(payment),
      {
        key: idempotencyKey,
        fingerprint: request.fingerprint,
        statusCode: 201,
        response: deps.vault.seal(Buffer.from(body), keyRow),
      },
      request.actor,
    );
    // Last, so that the balance every payment of the customer needs is locked as briefly as can be.
    const moving = { paymentId: payment.id, money: paymentMoney(payment) };
    const isCovered = await postHold(tx, scope, moving, now);
    if (!isCovered) {
      throw refuseField(
        'insufficient_balance',
        '/amount',
        `The available ${payment.currency} balance does not cover the amount.`,
      );
    }
    return { kind: 'ACCEPTED', body, paymentId: payment.id, workflowId: payment.workflowId };
  });
}

function newPayment(
  vault: Vault,
  scope: Scope,
  request: PaymentRequest,
  rail: string,
  now: Date,
): PaymentRow {
  const { order, idempotencyKey } = request;
  const id = newId('pay');
  const personal: PaymentPersonal = { reference: order.reference, metadata: order.metadata };
  return firstVersion(
    {
      ...scope,
      id,
      endUserId: order.endUserId,
      bankAccountId: order.bankAccountId,
      idempotencyKey,
      workflowId: paymentWorkflowId(scope, idempotencyKey),
      rail,
      currency: order.currency,
      amount: order.amount,
      externalId: order.externalId,
      purpose: order.purpose,
      personal: vault.sealJson(personal, paymentRow(id)),
    },
    now,
  );
}

/** One key, one workflow: its id is made of the key, hashed because a key may say anything. */
export function paymentWorkflowId(scope: Scope, idempotencyKey: string): string {
  const hash = createHash('sha256').update(idempotencyKey).digest('hex').slice(0, 40);
  return `payment/${scope.environment}/${scope.customerId}/${hash}`;
}
