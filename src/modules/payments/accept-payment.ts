import { createBatcher } from '../../db/client/batcher.ts';
import type { ScopedTransaction } from '../../db/client/database.ts';
import { lockPartiesForShare } from '../../db/parties/party-store.ts';
import { insertAcceptedOrders } from '../../db/payments/accepted-order-store.ts';
import { refuseProblems } from '../../domain/errors/refuse-problems.ts';
import { railOf } from '../../domain/payments/payment-destination.ts';
import type { Scope } from '../../domain/scope.ts';
import type { PaymentToStart } from '../../domain/workflows/work-refs.ts';
import type { Answered, AnswerOnceDeps } from '../idempotency/answer-once.ts';
import {
  openKeys,
  type Answer,
  type KeyState,
  type RebuildAnswer,
} from '../idempotency/open-keys.ts';
import { acceptOrder, CREATED, type PaymentRequest } from './accept-order.ts';
import { checkOrders, shortBalance, type CheckDeps } from './check-orders.ts';
import type { PaymentOrder } from './payment-order.ts';
import { rebuildPaymentAnswer } from './rebuild-payment-answer.ts';
import { settleSync } from './settle-sync.ts';
import { LOCK_WAIT_TOGETHER_MS, scopeBatchKey } from './work-together.ts';

export interface AcceptDeps extends AnswerOnceDeps, CheckDeps {}

/** The answer to an accepted payment, and what its workflow is started with. */
export interface Acceptance extends Answer, Omit<PaymentToStart, keyof Scope> {
  readonly workflowId: string;
}

export type AcceptPayment = (
  scope: Scope,
  request: PaymentRequest,
) => Promise<Answered<Acceptance>>;

/**
 * Accepts payments, or answers what was answered before: one transaction in which the keys are locked,
 * end-users, bank accounts, wallets and corridors are looked at, and payments, READY attempts, history, ledger
 * holds, events, deliveries and keys are written. Refusals leave nothing, not even the key. Nothing here
 * touches the network. Requests of one customer, environment and paying balance that come while such a
 * transaction is under way share the next one.
 */
export function createAcceptPayment(deps: AcceptDeps): AcceptPayment {
  const submit = createBatcher<Submitted, Answered<Acceptance>>((items) =>
    acceptTogether(deps, items),
  );
  return (scope, request) =>
    submit(`${scopeBatchKey(scope)}/${balanceBatchKey(request.order)}`, { scope, request });
}

/**
 * Together go orders that one balance pays, for its row is locked; whose a quote is, the quote alone knows. Those
 * that deposits pay for take from none.
 */
const balanceBatchKey = ({ funding, sourceUnit, quoteId, unit }: PaymentOrder): string =>
  funding === null ? (sourceUnit ?? quoteId ?? unit) : 'deposits';

interface Submitted {
  readonly scope: Scope;
  readonly request: PaymentRequest;
}

type Outcome = PromiseSettledResult<Answered<Acceptance>>;

/** All of one scope. Throws, having done nothing, where the balance does not cover all of them. */
async function acceptTogether(deps: AcceptDeps, items: readonly Submitted[]): Promise<Outcome[]> {
  const [first] = items;
  if (first === undefined) return [];
  const { scope } = first;
  const requests = items.map(({ request }) => request);
  const accept = (tx: ScopedTransaction) => acceptInTransaction(deps, tx, scope, requests);
  return deps.db.write(
    scope,
    accept,
    requests.length > 1 ? { lockWaitMs: LOCK_WAIT_TOGETHER_MS } : {},
  );
}

/**
 * Accepts one payment in a transaction of the caller's, with what else belongs to it; throws the Refusal of one that
 * is not accepted. The caller starts its workflow after the commit; what is lost there, the reconciler starts.
 */
export async function acceptWithin(
  deps: AcceptDeps,
  tx: ScopedTransaction,
  scope: Scope,
  request: PaymentRequest,
): Promise<Answered<Acceptance>> {
  const [outcome] = await acceptInTransaction(deps, tx, scope, [request]);
  if (outcome === undefined) throw new Error('a request answers one outcome');
  if (outcome.status === 'fulfilled') return outcome.value;
  throw outcome.reason as Error;
}

async function acceptInTransaction(
  deps: AcceptDeps,
  tx: ScopedTransaction,
  scope: Scope,
  requests: readonly PaymentRequest[],
): Promise<Outcome[]> {
  const { vault } = deps;
  const now = () => deps.clock.now();
  const rebuild: RebuildAnswer = (_tx, { resourceId }) =>
    rebuildPaymentAnswer(vault, tx, scope, resourceId);
  const { at, states } = await openKeys({ vault, now, rebuild }, tx, scope, requests);
  const free = requests.filter((_request, index) => states[index]?.kind === 'FREE');
  if (free.length === 0) return states.map(outcomeOfKey);
  const orders = free.map(({ order }) => order);
  const parties = await lockPartiesForShare(tx, scope, orders, at);
  const checks = await checkOrders(deps, tx, scope, { orders, parties, at, isToAccept: true });
  const outcomes = new Map(
    free.map((request, index) => [
      request,
      settleSync(() => acceptOrder(deps, scope, request, checks[index], at)),
    ]),
  );
  const accepted = [...outcomes.values()].flatMap((outcome) =>
    outcome.status === 'fulfilled' ? [outcome.value.accepted] : [],
  );
  if (!(await insertAcceptedOrders(tx, scope, accepted, at))) {
    throw refuseProblems([shortBalance(accepted[0]?.payment.sourceUnit ?? '')]);
  }
  return requests.map((request, index) => {
    const outcome = outcomes.get(request);
    if (outcome === undefined) return outcomeOfKey(states[index]);
    if (outcome.status === 'rejected') return outcome;
    const { accepted: own, text } = outcome.value;
    const { id: paymentId, workflowId, destination, unit: currency } = own.payment;
    const started = { paymentId, workflowId, rail: railOf(destination), currency };
    return { status: 'fulfilled', value: { status: CREATED, text, ...started, isReplay: false } };
  });
}

function outcomeOfKey(state: KeyState | undefined): Outcome {
  if (state?.kind === 'BOUND') return { status: 'fulfilled', value: state.answer };
  return { status: 'rejected', reason: state?.kind === 'REFUSED' ? state.refusal : undefined };
}
