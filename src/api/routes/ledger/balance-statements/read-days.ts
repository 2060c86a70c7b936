import type { Problem } from '../../../../domain/errors/refusal.ts';
import { refuseProblems } from '../../../../domain/errors/refuse-problems.ts';
import { readDay, type DayNumber } from '../../../../domain/ledger/statement-day.ts';

const MESSAGE = 'Give a day such as 2026-11-21.';

/** The problem of a day that a request names and no calendar has. */
export const noSuchDay = (path: string): Problem => ({
  ...{ path, code: 'invalid_parameter', message: MESSAGE },
});

/** The days that a query names; 400 invalid_parameter for one that no calendar has. */
export function readDays(query: { readonly from?: string; readonly to?: string }) {
  const problems: Problem[] = [];
  const read = (name: 'from' | 'to'): DayNumber | undefined => {
    const text = query[name];
    if (text === undefined) return undefined;
    const day = readDay(text);
    if (day === null) problems.push(noSuchDay(`/query/${name}`));
    return day ?? undefined;
  };
  const days = { from: read('from'), to: read('to') };
  if (problems.length > 0) throw refuseProblems(problems);
  return days;
}
