import { ApprovalRefused, decideApproval } from '../approvals/decide-approval.ts';
import type { OperatorAct } from '../approvals/propose-approval.ts';
import { listOpenApprovals, type ApprovalRow } from '../db/approval-store.ts';
import { PlainError } from '../runtime/plain-error.ts';
import { APPROVAL_EFFECTS, type ApprovalEffects } from './approval-effects.ts';
import type { AddCommands, OpsDeps } from './command-context.ts';
import { operatorOption, readName, reasonOption } from './option-values.ts';
import { table } from './table.ts';

const LISTED_MAX = 1_000;

/** `approvals list|approve|refuse`: what takes two operators. */
export const addApprovalCommands =
  (effects: ApprovalEffects = APPROVAL_EFFECTS): AddCommands =>
  (program, context) => {
    const approvals = program.command('approvals').description('what takes two operators');
    approvals
      .command('list')
      .description('proposals that wait for a second operator')
      .action(() => context.run(list));

    approvals
      .command('approve')
      .description('approve what another operator proposed; it takes effect at once')
      .argument('<id>', 'apr_...', readName)
      .addOption(reasonOption())
      .addOption(operatorOption(context))
      .action((id, act) => context.run((deps) => approve(deps, id, act, effects)));

    approvals
      .command('refuse')
      .description('refuse a proposal, or take your own back')
      .argument('<id>', 'apr_...', readName)
      .addOption(reasonOption())
      .addOption(operatorOption(context))
      .action((id, act) =>
        context.run(async (deps) => {
          await decideApproval(deps, id, 'REFUSED', act).catch(sayWhyRefused);
          deps.print(`Refused: ${id}.`);
          return 0;
        }),
      );
  };

async function approve(
  deps: OpsDeps,
  id: string,
  act: OperatorAct,
  effects: ApprovalEffects,
): Promise<number> {
  const approval = await decideApproval(deps, id, 'APPROVED', act).catch(sayWhyRefused);
  const apply = effects[approval.action];
  if (apply === undefined) throw new PlainError(`This version cannot do ${approval.action}.`);
  deps.print(await apply(deps, approval).catch(sayWhyRefused));
  return 0;
}

function sayWhyRefused(error: unknown): never {
  throw error instanceof ApprovalRefused ? new PlainError(error.message) : error;
}

async function list(deps: OpsDeps): Promise<number> {
  const rows = await deps.db.system((tx) =>
    listOpenApprovals(tx, deps.clock.now(), LISTED_MAX + 1),
  );
  if (rows.length === 0) {
    deps.print('No proposal waits.');
    return 0;
  }
  deps.print(
    table(
      ['proposal', 'action', 'subject', 'content', 'by', 'since', 'state', 'reason'],
      rows
        .slice(0, LISTED_MAX)
        .map((row) => [
          row.id,
          row.action,
          `${row.subjectId} v${String(row.subjectVersion)}`,
          JSON.stringify(row.content),
          row.proposedBy,
          row.proposedAt.toISOString(),
          stateOf(row, deps.clock.now()),
          row.reason,
        ]),
    ),
  );
  if (rows.length > LISTED_MAX) deps.print('There are more.');
  return 0;
}

function stateOf({ decision, expiresAt }: ApprovalRow, now: Date): string {
  if (decision === 'APPROVED') return 'APPROVED, not in effect';
  return expiresAt <= now ? 'EXPIRED' : 'WAITING';
}
