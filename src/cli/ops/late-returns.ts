import { Option } from '@commander-js/extra-typings';
import { ApprovalRefused } from '../../modules/approvals/decide-approval.ts';
import type { OperatorAct } from '../../modules/approvals/propose-approval.ts';
import {
  findLateReturn,
  listUndecidedLateReturns,
  type LateReturnDecision,
  type LateReturnRow,
} from '../../db/payments/late-return-store.ts';
import { proposeLateReturn } from '../../modules/payments/settle-late-return.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import { amountOf } from './amount.ts';
import type { AddCommands, OpsDeps } from './command-context.ts';
import { handedIn } from './handed-in.ts';
import { operatorOption, readName, reasonOption } from './option-values.ts';
import { table } from './table.ts';

const LISTED_MAX = 1_000;

const DECISIONS: Readonly<Record<string, LateReturnDecision>> = { credit: 'CREDIT', keep: 'KEEP' };

/** `payments late-returns|settle-late-return`: money that came back after its payment was final. */
export const addLateReturnCommands: AddCommands = (payments, context) => {
  payments
    .command('late-returns')
    .description('final payments whose money came back; it waits in suspense')
    .action(() => context.run(list));

  payments
    .command('settle-late-return')
    .description('propose what becomes of that money; two operators then approve it in the console')
    .argument('<id>', 'pay_...', readName)
    .addOption(
      new Option('--as <what>', 'credit: to the customer; keep: it stays in suspense')
        .choices(Object.keys(DECISIONS))
        .makeOptionMandatory(),
    )
    .addOption(reasonOption())
    .addOption(operatorOption(context))
    .action((id, { as, ...act }) =>
      context.run((deps) => propose(deps, id, DECISIONS[as] ?? 'KEEP', act)),
    );
};

async function propose(
  deps: OpsDeps,
  id: string,
  decision: LateReturnDecision,
  act: OperatorAct,
): Promise<number> {
  const found = await deps.db.system((tx) => findLateReturn(tx, id));
  if (found === null) {
    throw new PlainError(`The bank says of no payment ${id} that it came back late.`);
  }
  const { customerId, environment } = found;
  const scope = { customerId, environment };
  const proposal = await proposeLateReturn(deps, scope, id, decision, act).catch(sayWhyRefused);
  if (proposal === null) {
    throw new PlainError(
      `A decision about ${id} is proposed already. See: npm run ops -- approvals list`,
    );
  }
  deps.print(handedIn(proposal));
  return 0;
}

function sayWhyRefused(error: unknown): never {
  throw error instanceof ApprovalRefused ? new PlainError(error.message) : error;
}

async function list(deps: OpsDeps): Promise<number> {
  const rows = await deps.db.system((tx) => listUndecidedLateReturns(tx, LISTED_MAX + 1));
  if (rows.length === 0) {
    deps.print('No money of a final payment came back.');
    return 0;
  }
  deps.print(
    table(
      ['payment', 'environment', 'customer', 'amount', 'reason', 'told', 'contradicted by'],
      rows
        .slice(0, LISTED_MAX)
        .map((row) => [
          row.paymentId,
          row.environment,
          row.customerId,
          shownOf(row),
          row.reason ?? '-',
          row.toldAt.toISOString(),
          row.contradictedBy ?? '-',
        ]),
    ),
  );
  if (rows.length > LISTED_MAX) deps.print('There are more.');
  return 0;
}

const shownOf = ({ amount, currency }: LateReturnRow): string =>
  amount === null || currency === null ? 'on no statement yet' : amountOf({ amount, currency });
