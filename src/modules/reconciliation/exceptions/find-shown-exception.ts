import { findException } from '../../../db/reconciliation/exception-act-store.ts';
import type { SystemTransaction } from '../../../db/client/database.ts';
import { showException, type OpenException } from './show-exception.ts';
import { suggestAct, type Suggestion } from './suggest-act.ts';

/** An exception as operators see it before they propose an act, with what the rules suggest. */
export interface ShownException extends OpenException {
  readonly suggestion: Suggestion | null;
}

/** An exception by its id; null where there is none. Locks nothing. */
export async function findShownException(
  tx: SystemTransaction,
  id: string,
): Promise<ShownException | null> {
  const row = await findException(tx, id);
  if (row === null) return null;
  const found = await showException(tx, row);
  return { ...found, suggestion: await suggestAct(tx, found) };
}
