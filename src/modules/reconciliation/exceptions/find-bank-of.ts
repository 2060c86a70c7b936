import type { Database } from '../../../db/client/database.ts';
import { findStatement, type StatementOrigin } from '../../../db/reconciliation/statement-store.ts';

const LINE_ID = /^([0-9]+)\/[0-9]+$/;

/** The bank of the line that an exception is about; null of an exception without a line. */
export async function findBankOf(
  db: Pick<Database, 'system'>,
  exceptionId: string,
): Promise<StatementOrigin | null> {
  const [, statementId] = LINE_ID.exec(exceptionId) ?? [];
  if (statementId === undefined) return null;
  return db.system((tx) => findStatement(tx, BigInt(statementId)));
}
