import { findScreeningCase, type ScreeningCaseRow } from '../../db/parties/screening-case-store.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import type { OpsDeps } from './command-context.ts';

/** Throws PlainError where there is none. */
export async function findCase({ db }: Pick<OpsDeps, 'db'>, id: string): Promise<ScreeningCaseRow> {
  const row = await db.system((tx) => findScreeningCase(tx, id));
  if (row === null) throw new PlainError(`There is no screening case ${id}.`);
  return row;
}
