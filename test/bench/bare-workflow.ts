import { proxyLocalActivities } from '@temporalio/workflow';

const { nothing } = proxyLocalActivities<{ nothing(id: string): Promise<void> }>({
  startToCloseTimeout: '10 s',
});

/** One local activity and the end. */
export async function bare(id: string): Promise<void> {
  await nothing(id);
}
