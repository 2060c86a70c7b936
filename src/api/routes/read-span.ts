import type { Problem } from '../../domain/errors/refusal.ts';
import { refuseProblems } from '../../domain/errors/refuse-problems.ts';
import { oldestEventShown } from '../../domain/webhooks/events/event-age.ts';
import { DATE_TIME_WANTED, readDateTime } from './read-date-time.ts';

/** A span of time in the log of events, from a body. Refuses what is no moment, and older than the log. */
export function readSpan(body: { readonly from: string; readonly to: string }, now: Date) {
  const [from, to] = [readDateTime(body.from), readDateTime(body.to)];
  const problems: Problem[] = [];
  const refuse = (path: string, message: string) =>
    problems.push({ path, code: 'validation_failed', message });
  if (from === null) refuse('/from', DATE_TIME_WANTED);
  if (to === null) refuse('/to', DATE_TIME_WANTED);
  if (from === null || to === null) throw refuseProblems(problems);
  if (from < oldestEventShown(now))
    refuse(
      '/from',
      'The time must be within the last 90 days, because events are stored for 90 days.',
    );
  if (problems.length > 0) throw refuseProblems(problems);
  return { from, to };
}
