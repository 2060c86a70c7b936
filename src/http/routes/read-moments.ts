import type { Problem } from '../../domain/errors/refusal.ts';
import { refuseProblems } from '../../domain/errors/refuse-problems.ts';

export interface MomentsQuery {
  readonly createdAfter?: string;
  readonly createdBefore?: string;
}

/**
 * The moments that a query names. The schema's date-time lets through what a Date cannot hold, such
 * as a leap second or an offset without minutes: 400 invalid_parameter.
 */
export function readMoments(query: MomentsQuery) {
  const problems: Problem[] = [];
  const read = (name: keyof MomentsQuery): Date | undefined => {
    const text = query[name];
    if (text === undefined) return undefined;
    const moment = new Date(text);
    if (Number.isNaN(moment.getTime())) {
      const message = 'Give a date and time such as 2026-09-29T12:00:00Z.';
      problems.push({ path: `/query/${name}`, code: 'invalid_parameter', message });
    }
    return moment;
  };
  const moments = { createdAfter: read('createdAfter'), createdBefore: read('createdBefore') };
  if (problems.length > 0) throw refuseProblems(problems);
  return moments;
}
