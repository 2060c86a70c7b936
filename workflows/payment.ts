import { ApplicationFailure, TemporalFailure } from '@temporalio/common';
import {
  ActivityFailure,
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  defineSignal,
  defineUpdate,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { PaymentActivities } from '../activities/types.ts';
import type { PaymentRef, PaymentResolution } from '../src/domain/workflows/work-refs.ts';
import type { PaymentStep } from '../src/domain/payments/next-step.ts';
import { APPLY, APPLY_AT_ONCE, isPermanent, RECORD, SETTLE, SETTLE_AT_ONCE } from './options.ts';
import { describeStep } from './payment-details.ts';
import { readResolution } from './payment-resolution.ts';
import { ATTENTION } from '../src/domain/workflows/search-attributes.ts';

/** What a payment's workflow is started with. */
export interface PaymentStart extends PaymentRef {
  /** Whether the first step with the bank may be taken inside the workflow task. */
  readonly isBankQuick?: boolean;
}

/** Says that there is something new in PostgreSQL. It carries no data: rows do. */
export const wake = defineSignal('wake');

/** An operator's decision about a payment that waits ON_HOLD. False: it does not wait for one. */
export const resolve = defineUpdate<boolean, [PaymentResolution]>('resolve');

const { settle } = proxyActivities<PaymentActivities>({
  ...SETTLE,
  summary: 'Take the next step with the bank: send, or ask where it stands',
});
const within = proxyLocalActivities<PaymentActivities>({
  ...SETTLE_AT_ONCE,
  summary: 'Take the first step with the bank',
});
const atOnce = proxyLocalActivities<PaymentActivities>({
  ...APPLY_AT_ONCE,
  summary: 'Apply what the bank reported',
});
const patiently = proxyActivities<PaymentActivities>({
  ...APPLY,
  summary: 'Apply what the bank reported',
});
/** What Temporal UI says of the timer of a payment that waits. */
const LOOK_AGAIN = 'Until the payment is looked at again, unless it is woken';
const record = proxyActivities<PaymentActivities>({
  ...RECORD,
  summary: 'Put the payment on hold, or take up the decision of an operator',
});

/**
 * One payment from acceptance to COMPLETED or a final status. It holds no state that counts: every
 * run and every step begins from what PostgreSQL says, so it may be reset, repeated or started anew
 * at any point. It never ends on a status that is neither final nor COMPLETED, and never fails: what
 * an activity cannot do puts the payment ON_HOLD, where an operator's `resolve` takes it up again.
 */
export async function payment({ isBankQuick, ...ref }: PaymentStart): Promise<string> {
  let isWoken = false;
  let isMarked = false;
  setHandler(wake, () => {
    isWoken = true;
  });
  setHandler(
    resolve,
    async (input) => {
      const resolution = readResolution(input);
      // A handler runs outside the scope below: after a cancel its activities would be cancelled.
      const isTaken = await CancellationScope.nonCancellable(() =>
        record.resolvePayment({ ...ref, resolution }),
      );
      isWoken = true;
      return isTaken;
    },
    { validator: (input) => void readResolution(input) },
  );

  // A cancellation from outside must not stop money half-way: partners cancel through the API.
  return CancellationScope.nonCancellable(async () => {
    let step = await holdOnFault(ref, () => takeFirstStep(ref, isBankQuick === true));
    while (step.kind === 'WAIT' || isWoken) {
      const { needsHuman } = step.kind === 'WAIT' ? step : { needsHuman: false };
      setCurrentDetails(describeStep(ref.paymentId, step));
      if (needsHuman !== isMarked) {
        isMarked = needsHuman;
        upsertSearchAttributes([{ key: ATTENTION, value: needsHuman ? 'HUMAN' : 'NONE' }]);
      }
      if (step.kind === 'WAIT' && step.waitMs > 0) {
        await condition(() => isWoken, step.waitMs, { summary: LOOK_AGAIN });
      }
      if (isWoken) {
        isWoken = false;
        step = await holdOnFault(ref, () => applyTransferReports(ref));
      } else {
        step = await holdOnFault(ref, () => settle(ref));
      }
      const mayStartAnew = !isWoken && allHandlersFinished();
      if (step.kind === 'WAIT' && workflowInfo().continueAsNewSuggested && mayStartAnew) {
        await continueAsNew<typeof payment>(ref);
      }
    }
    setCurrentDetails(describeStep(ref.paymentId, step));
    await condition(allHandlersFinished);
    return step.status;
  });
}

/** Inside the workflow task where the bank answers soon; else, and where that fails, as a remote activity. */
async function takeFirstStep(ref: PaymentRef, isBankQuick: boolean): Promise<PaymentStep> {
  const first = { ...ref, isFirst: true };
  if (!isBankQuick) return settle(first);
  try {
    return await within.settle(first);
  } catch (error) {
    if (!isTransient(error)) throw error;
    return settle(ref);
  }
}

/** Two short tries inside the workflow task; then as a remote activity, which waits out an outage. */
async function applyTransferReports(ref: PaymentRef): Promise<PaymentStep> {
  try {
    return await atOnce.applyTransferReports(ref);
  } catch (error) {
    if (!isTransient(error)) throw error;
    return patiently.applyTransferReports(ref);
  }
}

async function holdOnFault(
  ref: PaymentRef,
  work: () => Promise<PaymentStep>,
): Promise<PaymentStep> {
  try {
    return await work();
  } catch (error) {
    const failure = failureOf(error);
    if (failure === null) throw error;
    const failureCode = failure instanceof ApplicationFailure ? (failure.type ?? '') : '';
    return record.holdForFault({ ...ref, failureCode });
  }
}

/** Whether trying the same again, with more patience, may succeed. */
function isTransient(error: unknown): boolean {
  const failure = failureOf(error);
  if (failure === null) return false;
  return !(failure instanceof ApplicationFailure && isPermanent(failure.type));
}

/**
 * What an activity failed by; null for a cancellation, and for what is no failure of one. Temporal wraps
 * the failure of a remote activity; a local one's it leaves as it was thrown.
 */
function failureOf(error: unknown): Error | null {
  if (!(error instanceof TemporalFailure) || isCancellation(error)) return null;
  return error instanceof ActivityFailure ? (error.cause ?? error) : error;
}
