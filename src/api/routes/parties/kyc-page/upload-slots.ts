import PQueue from 'p-queue';
import { notNow } from '../../../../web/kit/page-refusal.ts';

/** Requests whose files are read at once: each holds one file of 10 MiB twice, plain and sealed. */
const AT_ONCE_MAX = 6;
/** Requests that wait for that with their bodies unread. */
const WAITING_MAX = 60;
/** Of one check: a browser that gave up and sends again is not refused for what it gave up. */
const OF_ONE_CHECK_MAX = 2;

interface UploadSlots {
  /** Does work once there is room for it. Throws PageRefusal (503) where too much waits. */
  run<Result>(kycCheckId: string, work: () => Promise<Result>): Promise<Result>;
}

/** Bounds the memory and connections that uploads take, in all and for one check. */
export function createUploadSlots(): UploadSlots {
  const queue = new PQueue({ concurrency: AT_ONCE_MAX });
  const counts = new Map<string, number>();
  return {
    async run(kycCheckId, work) {
      const count = counts.get(kycCheckId) ?? 0;
      if (count >= OF_ONE_CHECK_MAX || queue.size >= WAITING_MAX) throw notNow();
      counts.set(kycCheckId, count + 1);
      try {
        return await queue.add(work);
      } finally {
        const left = (counts.get(kycCheckId) ?? 1) - 1;
        if (left === 0) counts.delete(kycCheckId);
        else counts.set(kycCheckId, left);
      }
    },
  };
}
