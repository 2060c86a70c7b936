import { createBatcher } from '../../db/client/batcher.ts';
import { updatePayments } from '../../db/payments/payment-write-store.ts';
import { updateUntouchedSends } from '../../db/payments/settlement-attempt-store.ts';
import { systemActor } from '../../domain/actor.ts';
import type { PaymentStep } from '../../domain/payments/next-step.ts';
import { settleByAnswer } from '../../domain/payments/settle-by-answer.ts';
import type { AnsweredCall, TransferAnswer } from '../../domain/payments/transfer-report.ts';
import type { SettlementTiming } from '../../domain/payments/settlement-timing.ts';
import type { Environment } from '../../domain/scope.ts';
import { nextVersion } from './change-payment.ts';
import type { ClaimedPayment } from './claim-ready.ts';
import type { LockDeps } from './lock-payment.ts';
import { settlementOf } from './locked-payment.ts';
import { LOCK_WAIT_TOGETHER_MS, scopeBatchKey } from './work-together.ts';

export interface RecordSettledDeps extends LockDeps {
  readonly timing: Readonly<Record<Environment, SettlementTiming>>;
}

/** What the bank answered to the send of a payment that has just been claimed. */
export interface AnsweredClaim extends ClaimedPayment {
  readonly call: AnsweredCall;
  readonly answer: TransferAnswer;
}

/**
 * Writes down that the bank settled a payment when it was sent: attempt, version, ledger and event, by the
 * rules of every answer. Answers null, having written nothing, for any other answer, and where the
 * payment was touched since it was claimed: `recordAnswer` then judges it under the payment's lock.
 * Answers of one scope and currency that come while others are being written share the next transaction.
 */
export function createRecordSettled(
  deps: RecordSettledDeps,
): (answered: AnsweredClaim) => Promise<PaymentStep | null> {
  const submit = createBatcher<AnsweredClaim, PaymentStep | null>((items) =>
    recordTogether(deps, items),
  );
  return (answered) => {
    const { payment, answer } = answered;
    const isSettled = answer.kind === 'REPORT' && answer.report.status === 'SETTLED';
    if (!isSettled) return Promise.resolve(null);
    return submit(`${scopeBatchKey(payment)}/${payment.sourceUnit}`, answered);
  };
}

async function recordTogether(
  deps: RecordSettledDeps,
  items: readonly AnsweredClaim[],
): Promise<PromiseSettledResult<PaymentStep | null>[]> {
  const [first] = items;
  if (first === undefined) return [];
  const { customerId, environment } = first.payment;
  const scope = { customerId, environment };
  const now = deps.clock.now();
  const settled = items.map((item) => settledBy(deps, item, now));
  const sends = settled.map(({ attempt }, index) => ({
    attempt,
    version: items[index]?.payment.version ?? 0,
  }));
  const isTogether = items.length > 1;
  return deps.db.write(
    scope,
    async (tx) => {
      const untouched = await updateUntouchedSends(tx, scope, sends);
      if (untouched < items.length) {
        if (isTogether) throw new Error('a payment was touched since it was sent');
        return [{ status: 'fulfilled', value: null }];
      }
      const versions = settled.map(({ version }) => version);
      await updatePayments(tx, scope, versions, now);
      return versions.map(({ payment: { status } }) => ({
        status: 'fulfilled',
        value: { kind: 'DONE', status },
      }));
    },
    isTogether ? { lockWaitMs: LOCK_WAIT_TOGETHER_MS } : {},
  );
}

/** The one step by which SETTLED completes a payment that was sent once and not touched since. */
function settledBy(
  deps: RecordSettledDeps,
  { payment, attempt, call, answer }: AnsweredClaim,
  now: Date,
) {
  const settlement = settlementOf({ payment, corridors: deps.corridors, now }, attempt);
  const timing = deps.timing[payment.environment];
  const { steps } = settleByAnswer(settlement, answer, { call, now, timing });
  const [step, ...others] = steps;
  if (step?.change?.status !== 'COMPLETED' || others.length > 0) {
    throw new Error(`payment ${payment.id} is not completed by SETTLED`);
  }
  const version = nextVersion(payment, step.change, systemActor('bank-answer'), now);
  return { attempt: step.attempt, version };
}
