import {
  findException,
  type ExceptionRow,
} from '../../../db/reconciliation/exception-act-store.ts';
import { listTakenBack } from '../../../db/reconciliation/booked-return-store.ts';
import type { SystemTransaction } from '../../../db/client/database.ts';
import { statementMinor } from '../../../domain/reconciliation/statement-amount.ts';
import { showException, type OpenException } from './show-exception.ts';
import { suggestAct, type Suggestion } from './suggest-act.ts';

/** An exception as operators see it before they propose an act, with what the rules suggest. */
export interface ShownException extends OpenException {
  readonly suggestion: Suggestion | null;
  /** In a sentence, all that the debit may take back; null where that is nothing. */
  readonly mayTakeBack: string | null;
}

/** An exception by its id; null where there is none. Locks nothing. */
export async function findShownException(
  tx: SystemTransaction,
  id: string,
): Promise<ShownException | null> {
  const row = await findException(tx, id);
  if (row === null) return null;
  const found = await showException(tx, row);
  const mayTakeBack = await sayTakenBack(tx, row);
  return { ...found, mayTakeBack, suggestion: await suggestAct(tx, found) };
}

/** In a sentence, all that an open debit of no payment may take back; null where that is nothing. */
export async function sayTakenBack(
  tx: SystemTransaction,
  { id, exception, direction, amount, currency, endedBy }: ExceptionRow,
): Promise<string | null> {
  if (exception !== 'UNEXPECTED_AT_BANK' || direction !== 'DBIT' || endedBy !== null) return null;
  const read = statementMinor({ amount: amount ?? '', currency: currency ?? '' });
  if (!read.ok) return null;
  const found = await listTakenBack(tx, id, read.minor);
  return found.length === 0 ? null : `It may take back: ${found.join('; ')}. Ask the bank.`;
}
