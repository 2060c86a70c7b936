import { listApprovals, type ApprovalRow } from '../../db/approvals/approval-store.ts';
import type { AddCommands, OpsDeps } from './command-context.ts';
import { table } from './table.ts';

const LISTED_MAX = 1_000;

/** `approvals list`: what takes two operators, who decide in the console. */
export const addApprovalCommands: AddCommands = (program, context) => {
  const approvals = program.command('approvals').description('proposals that two operators decide');
  approvals
    .command('list')
    .description('list open proposals; operators decide them in the console')
    .action(() => context.run(list));
};

async function list(deps: OpsDeps): Promise<number> {
  const asked = { state: 'WAITING', now: deps.clock.now() } as const;
  const page = { before: null, limit: LISTED_MAX };
  const { items: rows, next } = await deps.db.system((tx) => listApprovals(tx, asked, page));
  if (rows.length === 0) {
    deps.print('No proposal is open.');
    return 0;
  }
  deps.print(
    table(
      ['proposal', 'action', 'subject', 'content', 'by', 'since', 'state', 'reason'],
      rows.map((row) => [
        row.id,
        row.action,
        `${row.subjectId} v${String(row.subjectVersion)}`,
        JSON.stringify(row.content),
        row.proposedBy ?? `handed in by ${row.submittedBy ?? '-'}`,
        row.proposedAt.toISOString(),
        stateOf(row),
        row.reason,
      ]),
    ),
  );
  if (next !== null) deps.print('There are more.');
  return 0;
}

function stateOf({ decision, proposedBy }: ApprovalRow): string {
  if (decision === 'APPROVED') return 'APPROVED, not in effect';
  return proposedBy === null ? 'HANDED IN' : 'WAITING';
}
