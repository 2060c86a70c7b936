import type { Problem } from '../../domain/errors/refusal.ts';
import { refuseProblems } from '../../domain/errors/refuse-problems.ts';
import { DATE_TIME_WANTED, readDateTime } from './read-date-time.ts';

export interface MomentsQuery {
  readonly createdAfter?: string;
  readonly createdBefore?: string;
}

/** The moments that a query names. Refuses with invalid_parameter what `readDateTime` does not read. */
export function readMoments(query: MomentsQuery) {
  const problems: Problem[] = [];
  const read = (name: keyof MomentsQuery): Date | undefined => {
    const text = query[name];
    if (text === undefined) return undefined;
    const moment = readDateTime(text);
    if (moment !== null) return moment;
    problems.push({ path: `/query/${name}`, code: 'invalid_parameter', message: DATE_TIME_WANTED });
    return undefined;
  };
  const moments = { createdAfter: read('createdAfter'), createdBefore: read('createdBefore') };
  if (problems.length > 0) throw refuseProblems(problems);
  return moments;
}
