import type { AfterCommit, ScopedTransaction } from '../client/database.ts';

const WAKE_ENDPOINT = 'wake webhook endpoint';

/**
 * Has the workflows of endpoints woken once the transaction has committed; an endpoint that is named twice is woken once.
 * The reconciler repeats a wake that got lost. Why an event wakes only the endpoints whose flag it sets: docs/explanation/architecture.md,
 * "The webhook wake".
 */
export function wakeAfterCommit(tx: ScopedTransaction, endpointIds: readonly string[]): void {
  for (const id of endpointIds) tx.afterCommit({ kind: WAKE_ENDPOINT, id });
}

/** The endpoints that a committed transaction has to wake. */
export const endpointsToWake = (tasks: readonly AfterCommit[]): string[] =>
  tasks.filter(({ kind }) => kind === WAKE_ENDPOINT).map(({ id }) => id);
