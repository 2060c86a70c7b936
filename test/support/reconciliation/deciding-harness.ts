import pg from 'pg';
import { newId } from '../../../src/db/client/new-id.ts';
import { createOpsCommands } from '../cli/ops/ops-commands.ts';
import { createTwoOperators } from '../two-operators.ts';
import { until } from '../until.ts';
import { createFundingHarness } from './funding-harness.ts';
import type { EntryDraft } from './statement-xml.ts';

export type DecidingHarness = Awaited<ReturnType<typeof createDecidingHarness>>;

/** A line that shows money leave the bank. */
export interface ShownDebit {
  readonly statementId: bigint;
  /** The bank's id of that statement. */
  readonly bankStatementId: string;
  readonly line: number;
}

/** As `pg_locks` names them: a table's, a row's, and one that a function asked for. */
type LockType = 'relation' | 'transactionid' | 'advisory';

const as = (operator: string) => ['--reason', 'the payer called', '--operator', operator];

/** The funding harness with operators, who decide what becomes of unmatched credits. */
export async function createDecidingHarness() {
  const harness = await createFundingHarness();
  const ops = createOpsCommands(harness.commands, harness.clock);
  const operators = createTwoOperators(harness.people, harness.clock);

  /** Proposes by a command of `credits`; answers the approval's id, '' where that was refused. */
  async function propose(...args: string[]): Promise<string> {
    const { printed } = await ops('credits', ...args, ...as('ada'));
    return /apr_[0-9a-z]+/.exec(printed)?.[0] ?? '';
  }

  return {
    ...harness,
    /** Runs work while another connection holds a lock; `release` ends that. */
    async whileHeld<Result>(
      lock: string,
      work: (release: () => Promise<unknown>) => Promise<Result>,
    ): Promise<Result> {
      const holder = new pg.Client({ connectionString: harness.url });
      await holder.connect();
      try {
        await holder.query('BEGIN');
        await holder.query(lock);
        return await work(() => holder.query('COMMIT'));
      } finally {
        await holder.end();
      }
    },
    /** Waits until so many connections to this database wait for such locks, or `isOver` answers true. */
    somebodyWaits: (
      what: string,
      locks: readonly LockType[],
      { count = 1, isOver }: { readonly count?: number; readonly isOver?: () => boolean } = {},
    ) =>
      until(what, async () => {
        const waiting = await harness.rows(
          `SELECT pid FROM pg_locks JOIN pg_stat_activity USING (pid)
           WHERE datname = current_database() AND NOT granted AND locktype = ANY ($1)`,
          [locks],
        );
        return isOver?.() === true || waiting.length >= count ? true : null;
      }),
    propose,
    proposeAssignment: (creditId: string, ...more: string[]) =>
      propose('assign', creditId, '--customer', harness.customer.scope.customerId, ...more),
    proposeClosing: (creditId: string, { bankStatementId, line }: ShownDebit) =>
      propose('close', creditId, '--statement', bankStatementId, '--line', String(line)),
    operators,
    /** Two operators' approval, which takes effect; answers code 0 or 1 and what it did, or why not. */
    approve: (approvalId: string) => operators.approve(approvalId),
    /** Unmatched credits of equal bookings, the oldest first. */
    async arriveUnmatched(entry: EntryDraft, count = 1): Promise<string[]> {
      const before = (await harness.unmatched()).length;
      await harness.reconcile({ entries: Array.from({ length: count }, () => entry) });
      return (await harness.unmatched()).slice(before).map(({ id }) => id);
    },
    /** A statement that shows so much leave, by its first line. */
    async showDebit(amount: string, over: Partial<EntryDraft> = {}): Promise<ShownDebit> {
      const entry = { amount, bankReference: newId('back'), ...over };
      const { statementId } = await harness.reconcile({ entries: [entry] });
      const [shown] = await harness.rows<{ id: string }>(
        'SELECT bank_statement_id AS id FROM statements WHERE id = $1',
        [statementId],
      );
      return { statementId: BigInt(statementId), bankStatementId: shown?.id ?? '', line: 1 };
    },
  };
}
