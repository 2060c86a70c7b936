import { createHash } from 'node:crypto';
import type { ScopedTransaction } from '../../../db/client/database.ts';
import { lockDepositAddress } from '../../../db/parties/deposit-address-store.ts';
import { isOnwardDue, writeOnward } from '../../../db/onchain/deposit-exit-store.ts';
import { findDeposit } from '../../../db/onchain/deposit-list-store.ts';
import { lockDeposit, moveDeposit, type DepositRow } from '../../../db/onchain/deposit-store.ts';
import { recordEvent } from '../../../db/webhooks/event-store.ts';
import { findPayment } from '../../../db/payments/payment-store.ts';
import { newId } from '../../../db/client/new-id.ts';
import { systemActor } from '../../../domain/actor.ts';
import type { Clock } from '../../../domain/clock.ts';
import { Refusal } from '../../../domain/errors/refusal.ts';
import { ID_PREFIXES } from '../../../domain/ids.ts';
import type { Scope } from '../../../domain/scope.ts';
import type { DepositRef } from '../../../domain/workflows/work-refs.ts';
import type { WorkflowClient } from '../../../domain/workflows/workflow-client.ts';
import { acceptWithin, type Acceptance, type AcceptDeps } from '../../payments/accept-payment.ts';
import { depositEvent } from '../../ledger/funding/deposit-view.ts';
import { onwardOrder, type OnwardTarget } from './onward-order.ts';

export interface PayOnDeps extends AcceptDeps {
  readonly workflows: WorkflowClient;
}

/** A header holds printable ASCII only, so no client can send this key. The database knows it too. */
const onwardKey = (depositId: string): string => `deposit·${depositId}`;

/** What an address that was disabled meanwhile says in the place of an error. */
const DISABLED = 'deposit_address_disabled';

/**
 * Judges a final deposit, once. One to an address with an account or a wallet becomes a payment; of one to a payment's
 * address what the payment does not take is refunded to the wallet that it names. Or it stays in the balance, with the
 * code of the refusal, and is never tried again. The payment, its hold and what guards it are
 * one transaction; a refusal is another one. A crash between them judges anew. Does nothing where it is judged.
 */
export async function payOnDeposit(
  deps: PayOnDeps,
  { customerId, environment, depositId }: DepositRef,
): Promise<void> {
  const scope = { customerId, environment };
  const requestId = newId(ID_PREFIXES.request);
  let accepted: Acceptance | null = null;
  try {
    accepted = await deps.db.write(scope, (tx) =>
      payWithin(deps, tx, scope, { depositId, requestId }),
    );
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code } = error;
    await deps.db.write(scope, async (tx) => {
      const due = await lockDue(tx, scope, depositId);
      if (due !== null) await refuse(deps, tx, scope, due.deposit, code);
    });
  }
  if (accepted === null) return;
  const { workflowId, paymentId, rail, currency } = accepted;
  const payment = { ...scope, paymentId, rail, currency };
  await deps.workflows.startPayment(workflowId, payment, requestId);
}

interface DueDeposit {
  readonly deposit: DepositRow;
  /** Null where the address was disabled meanwhile. */
  readonly target: OnwardTarget | null;
}

/** The deposit, kept from others, and where it goes; null where it is not due any more. */
async function lockDue(
  tx: ScopedTransaction,
  scope: Scope,
  depositId: string,
): Promise<DueDeposit | null> {
  const found = await findDeposit(tx, scope, depositId);
  if (found === null) return null;
  const target = await lockTarget(tx, scope, found);
  const deposit = await lockDeposit(tx, scope, depositId);
  if (deposit === null) return null;
  return (await isOnwardDue(tx, scope, depositId)) ? { deposit, target } : null;
}

/** A standing address is locked before its deposit, as deposits are booked. A payment's refund wallet never changes. */
async function lockTarget(
  tx: ScopedTransaction,
  scope: Scope,
  { depositAddressId, paymentId }: DepositRow,
): Promise<OnwardTarget | null> {
  if (depositAddressId !== null) {
    const address = await lockDepositAddress(tx, scope, depositAddressId);
    return address?.status === 'DISABLED' ? null : address;
  }
  const payment = paymentId === null ? null : await findPayment(tx, scope, paymentId);
  if (payment === null) return null;
  const { endUserId, funding } = payment;
  return { endUserId, bankAccountId: null, walletId: funding?.refundWalletId ?? null };
}

async function payWithin(
  deps: PayOnDeps,
  tx: ScopedTransaction,
  scope: Scope,
  { depositId, requestId }: { readonly depositId: string; readonly requestId: string },
): Promise<Acceptance | null> {
  const due = await lockDue(tx, scope, depositId);
  if (due === null) return null;
  const { deposit, target } = due;
  if (target === null) {
    await refuse(deps, tx, scope, deposit, DISABLED);
    return null;
  }
  const idempotencyKey = onwardKey(depositId);
  const answer = await acceptWithin(deps, tx, scope, {
    ...{ idempotencyKey, fingerprint: createHash('sha256').update(idempotencyKey).digest() },
    order: await onwardOrder(deps, tx, scope, target, { ...deposit, amount: leftOf(deposit) }),
    ...{ actor: systemActor('chain'), requestId },
  });
  if (answer.isReplay) throw new Error(`deposit ${depositId} is due, and has a payment`);
  const at = deps.clock.now();
  await writeOnward(tx, scope, depositId, { paymentId: answer.paymentId, code: null }, at);
  await tell(tx, scope, deposit, at);
  return answer;
}

/** Minor units of a booked deposit that no payment has taken. */
const leftOf = ({ amount, applied }: DepositRow): bigint => amount - (applied?.toPayment ?? 0n);

/** Leaves a deposit in the balance, and says why. What was to be refunded keeps the reason why it is there. */
async function refuse(
  { clock }: { readonly clock: Clock },
  tx: ScopedTransaction,
  scope: Scope,
  deposit: DepositRow,
  code: string,
): Promise<void> {
  const at = clock.now();
  const { id: depositId, applied } = deposit;
  if (applied === null) throw new Error(`deposit ${depositId} is due, and not in the books`);
  await writeOnward(tx, scope, depositId, { paymentId: null, code }, at);
  const reason = deposit.paymentId === null ? 'PAYMENT_REFUSED' : applied.reason;
  await tell(tx, scope, { ...deposit, applied: { ...applied, reason } }, at);
}

async function tell(
  tx: ScopedTransaction,
  scope: Scope,
  deposit: DepositRow,
  at: Date,
): Promise<void> {
  const moved = await moveDeposit(tx, scope, deposit, at);
  await recordEvent(tx, scope, depositEvent('deposit.updated', moved), at);
}
