import { Option } from '@commander-js/extra-typings';
import { listApprovals, type ApprovalRow } from '../../db/approvals/approval-store.ts';
import { CONSOLE_ROLES } from '../../db/schema/database-roles.ts';
import { summaryOf } from '../../modules/operations/acts/written-out-acts.ts';
import type { AddCommands, OpsDeps } from './command-context.ts';
import { exportDecision } from './export-decision.ts';
import { importDecision } from './import-decision.ts';
import { operatorOption, readName, reasonOption } from './option-values.ts';
import { table } from './table.ts';

const LISTED_MAX = 1_000;

/** `approvals list|export|import`: what takes two operators, who decide in the console or, without it, by file keys. */
export const addApprovalCommands: AddCommands = (program, context) => {
  const approvals = program.command('approvals').description('proposals that two operators decide');
  approvals
    .command('list')
    .description('list open proposals; operators decide them in the console')
    .action(() => context.run(list));
  approvals
    .command('export')
    .description('write the document that an operator signs with a file key to propose or approve')
    .argument('<id>', 'apr_...', readName)
    .addOption(
      new Option('--signer <id>', 'opr_... of the operator who signs')
        .argParser(readName)
        .makeOptionMandatory(),
    )
    .addOption(reasonOption())
    .requiredOption('--file <path>', 'the new file')
    .action((id, asked) => context.run((deps) => exportDecision(deps, id, asked)));
  approvals
    .command('import')
    .description(summaryOf('approvals import'))
    .requiredOption('--document <path>', 'the document, as it was exported')
    .requiredOption('--signature <path>', 'its signature of 64 bytes')
    .addOption(operatorOption(context))
    .action((given) => context.run((deps) => importDecision(deps, given), CONSOLE_ROLES));
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
