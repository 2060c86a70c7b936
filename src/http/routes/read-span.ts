import type { Problem } from '../../domain/errors/refusal.ts';
import { refuseProblems } from '../../domain/errors/refuse-problems.ts';
import { oldestEventShown } from '../../domain/events/event-age.ts';

/** A span of time in the log of events, from a body. Refuses what is no moment, and older than the log. */
export function readSpan(body: { readonly from: string; readonly to: string }, now: Date) {
  const problems: Problem[] = [];
  const read = (name: 'from' | 'to'): Date => {
    const moment = new Date(body[name]);
    if (Number.isNaN(moment.getTime())) {
      const message = 'Give a date and time such as 2026-09-29T12:00:00Z.';
      problems.push({ path: `/${name}`, code: 'validation_failed', message });
    }
    return moment;
  };
  const [from, to] = [read('from'), read('to')];
  if (problems.length === 0 && from < oldestEventShown(now)) {
    const message = 'Events are kept for 90 days.';
    problems.push({ path: '/from', code: 'validation_failed', message });
  }
  if (problems.length > 0) throw refuseProblems(problems);
  return { from, to };
}
