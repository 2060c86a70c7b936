import type { Database } from '../../db/client/database.ts';
import {
  findNewestSeal,
  findUnsealedEnd,
  listSeals,
  readAuditRecords,
} from '../../db/operations/audit-seal-store.ts';
import { auditLine, sealLine } from '../../domain/audit-seal.ts';
import type { AddCommands } from './command-context.ts';
import { readTime } from './option-values.ts';

const ROWS_PAGE = 5_000;
const SEALS_PAGE = 500;

/** `audit export > FILE`: the audit log with its seals, for an auditor. */
export const addAuditCommands: AddCommands = (program, context) => {
  program
    .command('audit')
    .description('export the audit log')
    .command('export')
    .description('print each row of the audit log, and each seal after its rows, as JSON Lines')
    .option('--from <time>', 'begin with the rows that were sealed then or later', readTime)
    .option('--to <time>', 'end with the rows that were sealed before', readTime)
    .action(({ from = null, to = null }) =>
      context.run(async ({ db, print }) => {
        for await (const line of exportedLines(db, from, to)) print(line);
        return 0;
      }),
    );
};

/** The rows of each seal and the seal, in order; without an end also the rows that no seal has yet. */
async function* exportedLines(
  db: Database,
  from: Date | null,
  before: Date | null,
): AsyncGenerator<string> {
  let number = 0n;
  let rowId = from === null ? 0n : null;
  for (;;) {
    const after = number;
    const seals = await db.system((tx) => listSeals(tx, after, { from, before }, SEALS_PAGE));
    for (const seal of seals) {
      yield* rowsBetween(db, rowId ?? seal.firstId - 1n, seal.lastId);
      yield sealLine(seal);
      [number, rowId] = [seal.number, seal.lastId];
    }
    if (seals.length < SEALS_PAGE) break;
  }
  if (before !== null) return;
  const end = await db.system(findUnsealedEnd);
  if (end === null) return;
  yield* rowsBetween(db, rowId ?? (await db.system(findNewestSeal))?.lastId ?? 0n, end);
}

async function* rowsBetween(db: Database, after: bigint, upTo: bigint): AsyncGenerator<string> {
  for (let last = after; ;) {
    const start = last;
    const rows = await db.system((tx) => readAuditRecords(tx, start, upTo, ROWS_PAGE));
    yield* rows.map(auditLine);
    const end = rows.at(-1);
    if (end === undefined || rows.length < ROWS_PAGE) return;
    last = end.id;
  }
}
