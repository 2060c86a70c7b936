import type { Client } from '@temporalio/client';
import { notNow } from '../../kit/page-refusal.ts';

/** Temporal answers within some milliseconds, or it counts as down for an operator who waits. */
const ANSWER_MS = 2_000;

/** Throws PageRefusal (503) where Temporal does not answer. */
export async function requireTemporal({
  getClient,
}: {
  readonly getClient: () => Client;
}): Promise<void> {
  try {
    const { connection } = getClient();
    await connection.withDeadline(Date.now() + ANSWER_MS, () =>
      connection.workflowService.getSystemInfo({}),
    );
  } catch {
    throw notNow();
  }
}
