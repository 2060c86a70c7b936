import PQueue from 'p-queue';
import type { Environment, Scope } from '../../../../domain/scope.ts';
import { notNow } from '../../../../web/kit/page-refusal.ts';

/**
 * What one environment has at once. Neither takes from the other, so uploads of test never make those of live wait.
 * A request that is read holds one file of 10 MiB, and one more, sealed, while that is kept: 200 + 60 MiB at most.
 */
const LIMITS: Readonly<Record<Environment, { readonly read: number; readonly kept: number }>> = {
  test: { read: 8, kept: 2 },
  live: { read: 12, kept: 4 },
};
/** Requests of one customer that are read at once, in one environment. */
const READ_OF_ONE_CUSTOMER_MAX = 6;
/** Requests of one environment that wait for that with their bodies unread. */
const WAITING_MAX = 60;
/** Of one check: a browser that gave up and sends again is not refused for what it gave up. */
const OF_ONE_CHECK_MAX = 2;

interface Uploader extends Pick<Scope, 'customerId' | 'environment'> {
  readonly kycCheckId: string;
}

export interface UploadSlots {
  /** Reads a request once there is room for it. Throws PageRefusal (503) where too much waits. */
  read<Result>(uploader: Uploader, work: () => Promise<Result>): Promise<Result>;
  /** Looks at a file that was read, and keeps it: nothing of that waits for the sender. */
  keep<Result>(environment: Environment, work: () => Promise<Result>): Promise<Result>;
}

/** Bounds the memory and connections that uploads take: for each environment, customer and check. */
export function createUploadSlots(): UploadSlots {
  const slots = { test: createEnvironmentSlots('test'), live: createEnvironmentSlots('live') };
  return {
    read: (uploader, work) => slots[uploader.environment].read(uploader, work),
    keep: (environment, work) => slots[environment].kept.add(work),
  };
}

function createEnvironmentSlots(environment: Environment) {
  const limits = LIMITS[environment];
  const reading = new PQueue({ concurrency: limits.read });
  const kept = new PQueue({ concurrency: limits.kept });
  const ofCustomers = new Map<string, PQueue>();
  const ofChecks = new Map<string, number>();
  let inHand = 0;

  function queueOf(customerId: string): PQueue {
    const known = ofCustomers.get(customerId);
    if (known !== undefined) return known;
    const queue = new PQueue({ concurrency: READ_OF_ONE_CUSTOMER_MAX });
    ofCustomers.set(customerId, queue);
    return queue;
  }

  return {
    kept,
    async read<Result>({ customerId, kycCheckId }: Uploader, work: () => Promise<Result>) {
      const ofCheck = ofChecks.get(kycCheckId) ?? 0;
      const isFull = inHand >= limits.read + WAITING_MAX;
      if (ofCheck >= OF_ONE_CHECK_MAX || isFull) throw notNow();
      ofChecks.set(kycCheckId, ofCheck + 1);
      inHand += 1;
      const queue = queueOf(customerId);
      try {
        // The customer's queue first: what waits there takes no place of the others.
        return await queue.add(() => reading.add(work));
      } finally {
        inHand -= 1;
        const left = (ofChecks.get(kycCheckId) ?? 1) - 1;
        if (left === 0) ofChecks.delete(kycCheckId);
        else ofChecks.set(kycCheckId, left);
        if (queue.size + queue.pending === 0) ofCustomers.delete(customerId);
      }
    },
  };
}
