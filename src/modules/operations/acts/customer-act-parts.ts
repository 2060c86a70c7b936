import type { SystemTransaction } from '../../../db/client/database.ts';
import type { ActDeps, ActOutcome } from './operator-act.ts';

export const ON_ITS_PAGE = {
  none: 'Operators decide it on the request’s page in the console.',
};
export const LOGGED_IN = { none: 'Operators decide it in the console.' };

/** Does it in one transaction, and hands the mails on that it wrote. */
export async function mailing(
  deps: ActDeps,
  text: string,
  work: (tx: SystemTransaction) => Promise<readonly string[]>,
): Promise<ActOutcome> {
  (await deps.db.system(work)).forEach(deps.dispatchMail);
  return { kind: 'DONE', text };
}
