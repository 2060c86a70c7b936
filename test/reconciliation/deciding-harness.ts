import { newId } from '../../src/db/new-id.ts';
import { createOpsCommands } from '../ops/ops-commands.ts';
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

const as = (operator: string) => ['--reason', 'the payer called', '--operator', operator];

/** The funding harness with operators, who decide what becomes of unmatched credits. */
export async function createDecidingHarness() {
  const harness = await createFundingHarness();
  const ops = createOpsCommands(harness.db, harness.clock);

  /** Proposes by a command of `credits`; answers the approval's id, '' where that was refused. */
  async function propose(...args: string[]): Promise<string> {
    const { printed } = await ops('credits', ...args, ...as('ada'));
    return /apr_[0-9a-z]+/.exec(printed)?.[0] ?? '';
  }

  return {
    ...harness,
    propose,
    proposeAssignment: (creditId: string) =>
      propose('assign', creditId, '--customer', harness.customer.scope.customerId),
    proposeClosing: (creditId: string, { bankStatementId, line }: ShownDebit) =>
      propose('close', creditId, '--statement', bankStatementId, '--line', String(line)),
    /** A second operator's approval; answers the command's exit code and what it wrote. */
    approve: (approvalId: string) => ops('approvals', 'approve', approvalId, ...as('ben')),
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
