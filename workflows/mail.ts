import { CancellationScope, proxyActivities, sleep } from '@temporalio/workflow';
import type { MailActivities } from '../activities/types.ts';
import type { MailRef } from '../src/domain/workflows/work-refs.ts';
import { MAIL } from './options.ts';
import { TASK_QUEUES } from '../src/domain/workflows/task-queues.ts';

const { sendMail } = proxyActivities<MailActivities>({
  ...MAIL,
  taskQueue: TASK_QUEUES.mail,
  summary: 'Hand the mail to the relay',
});

/**
 * One mail, `mail/<id>`: tries it until it is sent, refused, or of no use any more. How long to wait is
 * the row's to say: 2 s, doubling to 10 min. A day has at most 160 tries, so one run is enough.
 * Cancellation from outside is ignored: the reconciler would start it again.
 */
export async function mail(ref: MailRef): Promise<void> {
  await CancellationScope.nonCancellable(async () => {
    for (;;) {
      const step = await sendMail(ref);
      if (step.kind === 'DONE') return;
      await sleep(step.waitMs, { summary: 'Until the next try to send the mail' });
    }
  });
}
