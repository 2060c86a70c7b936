import type { ScopedTransaction } from '../../../db/client/database.ts';
import { findDepositAddress } from '../../../db/parties/deposit-address-store.ts';
import {
  insertDepositRefund,
  isOnwardDue,
  readDepositLeft,
} from '../../../db/onchain/deposit-exit-store.ts';
import { lockDeposit, type DepositRow } from '../../../db/onchain/deposit-store.ts';
import { findPayment } from '../../../db/payments/payment-store.ts';
import { findWallet } from '../../../db/parties/wallet-store.ts';
import { Refusal, refuseField } from '../../../domain/errors/refusal.ts';
import { requireFound } from '../../../domain/errors/require-found.ts';
import { formatAmount } from '../../../domain/money/amount.ts';
import type { Scope } from '../../../domain/scope.ts';
import type { Answered } from '../../idempotency/answer-once.ts';
import { openKeys, type RebuildAnswer } from '../../idempotency/open-keys.ts';
import type { PaymentRequest } from '../../payments/accept-order.ts';
import { acceptWithin, type Acceptance, type AcceptDeps } from '../../payments/accept-payment.ts';
import { rebuildPaymentAnswer } from '../../payments/rebuild-payment-answer.ts';

/** What a customer asks to have given back. */
interface RefundOrder {
  readonly depositId: string;
  readonly walletId: string;
  /** Minor units of the asset that came; null: all that is left. */
  readonly amount: bigint | null;
  /** In whose name, where neither the deposit nor the wallet is an end-user's. */
  readonly endUserId: string | null;
}

/**
 * Gives a final deposit, or a part of it, to a registered wallet: an ordinary payment out of the customer's balance,
 * and never back to the sender as such, who is often an exchange. Under one Idempotency-Key it is one payment, for
 * ever. Refuses with not_found, deposit_not_final, refund_exceeds_deposit, as POST /payments does, and as keys do.
 */
export function refundDeposit(
  deps: AcceptDeps,
  scope: Scope,
  order: RefundOrder,
  request: Omit<PaymentRequest, 'order'>,
): Promise<Answered<Acceptance>> {
  return deps.db.write(scope, async (tx) => {
    const known = await answerBefore(deps, tx, scope, request);
    if (known !== null) return known;
    const deposit = requireFound(await lockDeposit(tx, scope, order.depositId));
    const amount = await requireLeft(tx, scope, deposit, order.amount);
    const { asset: unit, id: depositId } = deposit;
    const answer = await acceptWithin(deps, tx, scope, {
      ...request,
      order: {
        endUserId: await payeeOf(tx, scope, deposit, order),
        destination: { kind: 'WALLET', walletId: order.walletId },
        ...{ amount, unit, sourceUnit: unit, quoteId: null, maxSourceAmount: null, funding: null },
        ...{ externalId: null, reference: null, scheduledFor: null, purpose: null },
        metadata: { depositId },
      },
    });
    if (answer.isReplay) throw new Error('a key that was free is bound');
    const { paymentId } = answer;
    await insertDepositRefund(tx, scope, { depositId, paymentId }, deps.clock.now());
    return answer;
  });
}

/** What was answered under the key before, whatever has become of the deposit since. */
async function answerBefore(
  { vault, clock }: AcceptDeps,
  tx: ScopedTransaction,
  scope: Scope,
  request: Omit<PaymentRequest, 'order'>,
): Promise<Answered<Acceptance> | null> {
  const rebuild: RebuildAnswer = (_tx, { resourceId }) =>
    rebuildPaymentAnswer(vault, tx, scope, resourceId);
  const now = () => clock.now();
  const { states } = await openKeys({ vault, now, rebuild }, tx, scope, [request]);
  const [state] = states;
  if (state?.kind === 'REFUSED') throw state.refusal;
  return state?.kind === 'BOUND' ? state.answer : null;
}

/** What is refunded, if so much is left. The caller holds the deposit's lock, so no other refund goes between. */
async function requireLeft(
  tx: ScopedTransaction,
  scope: Scope,
  { id, status, asset }: DepositRow,
  wanted: bigint | null,
): Promise<bigint> {
  const isOpen = status === 'SEEN' || status === 'CREDITED';
  if (isOpen || (await isOnwardDue(tx, scope, id))) {
    const message = 'The deposit is not FINAL yet, or it is about to be paid on. Try again later.';
    throw new Refusal('deposit_not_final', message);
  }
  const left = await readDepositLeft(tx, id);
  const amount = wanted ?? left;
  if (amount > 0n && amount <= left) return amount;
  const message = 'The amount exceeds the rest of the deposit. Reduce the amount.';
  throw new Refusal('refund_exceeds_deposit', message, [
    {
      ...{ path: '/amount', code: 'refund_exceeds_deposit', message },
      meta: { asset, left: formatAmount(left, asset) },
    },
  ]);
}

/** In whose name a refund is paid: the deposit's end-user, else the wallet's, else whom the order names. */
async function payeeOf(
  tx: ScopedTransaction,
  scope: Scope,
  { paymentId, depositAddressId }: DepositRow,
  { walletId, endUserId }: RefundOrder,
): Promise<string> {
  const payment = paymentId === null ? null : await findPayment(tx, scope, paymentId);
  const address =
    depositAddressId === null ? null : await findDepositAddress(tx, scope, depositAddressId);
  const own = payment?.endUserId ?? address?.endUserId ?? null;
  const wallet = own === null ? await findWallet(tx, scope, walletId) : null;
  const payee = own ?? wallet?.endUserId ?? null;
  if (payee !== null && endUserId !== null && payee !== endUserId) {
    const message =
      'The deposit or the wallet belongs to another end-user. Name that end-user, or leave out `endUserId`.';
    throw refuseField('resource_not_found', '/endUserId', message);
  }
  if (payee !== null) return payee;
  if (endUserId !== null) return endUserId;
  if (wallet === null) {
    throw refuseField('resource_not_found', '/walletId', 'The wallet does not exist.');
  }
  const message =
    'Give endUserId, because neither the deposit nor the wallet belongs to an end-user.';
  throw new Refusal('validation_failed', message, [
    { path: '/endUserId', code: 'required', message },
  ]);
}
