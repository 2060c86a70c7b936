import type { Clock } from './clock.ts';

/**
 * Runs work at most once at a time and in `sharedMs`, by the clock. Callers of the same time share its answer, and so
 * do those that come while it still runs. What it throws is an answer, too.
 */
export function shareAnswers<Answer>(
  clock: Clock,
  sharedMs: number,
  work: () => Promise<Answer>,
): () => Promise<Answer> {
  let last: { readonly startedAt: number; readonly answer: Promise<Answer> } | null = null;
  let isRunning = false;
  return () => {
    const now = clock.now().getTime();
    const age = last === null ? Infinity : Math.abs(now - last.startedAt);
    if (last !== null && (isRunning || age < sharedMs)) return last.answer;
    isRunning = true;
    const answer = work().finally(() => {
      isRunning = false;
    });
    last = { startedAt: now, answer };
    return answer;
  };
}
