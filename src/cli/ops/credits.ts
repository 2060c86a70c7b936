import { hasCustomer } from '../../db/customers/customer-store.ts';
import {
  findIncomingCredit,
  listUnmatchedCredits,
  type IncomingCreditRow,
} from '../../db/ledger/incoming-credit-store.ts';
import { findStatementByBankId } from '../../db/reconciliation/statement-store.ts';
import { PLATFORM_ACCOUNT } from '../../domain/platform-account.ts';
import type { Environment } from '../../domain/scope.ts';
import { creditFacts, proposeAssignment } from '../../modules/ledger/funding/assign-credit.ts';
import { proposeClosing } from '../../modules/ledger/funding/close-credit.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import type { AddCommands, OpsDeps } from './command-context.ts';
import { handedIn } from './handed-in.ts';
import {
  customerOption,
  environmentOption,
  operatorOption,
  readCount,
  readName,
  reasonOption,
} from './option-values.ts';
import { table } from './table.ts';

const LISTED_MAX = 1_000;
const LINES_MAX = 10_000_000;

/** `credits list|show|assign|close`: money that came in and is unmatched. */
export const addCreditCommands: AddCommands = (program, context) => {
  const credits = program.command('credits').description('money that came in and is unmatched');

  credits
    .command('list')
    .description('unmatched credits on statements, oldest first')
    .addOption(environmentOption())
    .action(({ environment }) => context.run((deps) => list(deps, environment ?? null)));

  credits
    .command('show')
    .description('one credit of a statement: where it was seen, and what became of it')
    .argument('<id>', 'fc_...', readName)
    .action((id) => context.run((deps) => show(deps, id)));

  credits
    .command('assign')
    .description("propose that it is a customer's; two operators then approve it in the console")
    .argument('<id>', 'fc_..., as `credits list` prints it', readName)
    .addOption(customerOption().makeOptionMandatory())
    .addOption(reasonOption())
    .addOption(operatorOption(context))
    .action((id, { customer, ...act }) =>
      context.run(async (deps) => {
        const credit = await findWaiting(deps, id);
        await requireCustomer(deps, customer);
        return tellProposal(deps, id, await proposeAssignment(deps, credit, customer, act));
      }),
    );

  credits
    .command('close')
    .description(
      'propose that it was sent back at the bank by hand; two operators then approve it in the console',
    )
    .argument('<id>', 'fc_..., as `credits list` prints it', readName)
    .requiredOption(
      '--statement <id>',
      "the bank's id of the statement that shows it leave",
      readName,
    )
    .requiredOption(
      '--line <number>',
      'the line of it, a debit of the same amount',
      readCount(LINES_MAX),
    )
    .addOption(reasonOption())
    .addOption(operatorOption(context))
    .action((id, { statement, line, ...act }) =>
      context.run(async (deps) => {
        const credit = await findWaiting(deps, id);
        const found = await deps.db.system((tx) => findStatementByBankId(tx, credit, statement));
        if (found === null)
          throw new PlainError(`There is no statement ${statement} of that bank.`);
        const where = { statementId: found.id, line };
        return tellProposal(deps, id, await proposeClosing(deps, credit, where, act));
      }),
    );
};

async function list(deps: OpsDeps, environment: Environment | null): Promise<number> {
  const rows = await deps.db.system((tx) => listUnmatchedCredits(tx, environment, LISTED_MAX + 1));
  if (rows.length === 0) {
    deps.print('No credit waits.');
    return 0;
  }
  deps.print(
    table(
      ['credit', 'environment', 'amount', 'currency', 'booked', 'bank reference', 'why'],
      rows.slice(0, LISTED_MAX).map((row) => {
        const { amount, currency } = creditFacts(row);
        const booked = row.bookedAt?.toISOString() ?? '-';
        const why = row.unmatchedReason ?? '-';
        return [row.id, row.environment, amount, currency, booked, row.bankReference ?? '-', why];
      }),
    ),
  );
  if (rows.length > LISTED_MAX) deps.print('There are more.');
  return 0;
}

async function show(deps: OpsDeps, id: string): Promise<number> {
  const row = await findCredit(deps, id);
  const { amount, currency } = creditFacts(row);
  deps.print(
    [
      `${row.id}  ${row.outcome ?? 'UNMATCHED'}  ${amount} ${currency} (${row.environment})`,
      `customer ${row.customerId ?? '-'}, reference ${row.reference ?? '-'}`,
      `why no customer was credited: ${row.unmatchedReason ?? '-'}`,
      `bank ${row.connector}, bank reference ${row.bankReference ?? '-'}`,
      `booked ${row.bookedAt?.toISOString() ?? '-'}, seen ${row.receivedAt.toISOString()}`,
      `statement ${row.bankStatementId}, line ${String(row.line)}`,
    ].join('\n'),
  );
  return 0;
}

async function findCredit(deps: OpsDeps, id: string) {
  const row = await deps.db.system((tx) => findIncomingCredit(tx, id));
  if (row === null) throw new PlainError(`There is no credit ${id}.`);
  return row;
}

async function findWaiting(deps: OpsDeps, id: string): Promise<IncomingCreditRow> {
  const row = await findCredit(deps, id);
  if (row.outcome !== null)
    throw new PlainError(`Credit ${id} was decided before: ${row.outcome}.`);
  if (row.minor === null) throw new PlainError(`Credit ${id} has no amount that we can hold.`);
  return row;
}

/** Ours keeps what is unmatched: assigned to us it would be unmatched again. */
async function requireCustomer(deps: OpsDeps, id: string): Promise<void> {
  const found = await deps.db.system((tx) => hasCustomer(tx, id));
  if (!found || id === PLATFORM_ACCOUNT) throw new PlainError(`There is no customer ${id}.`);
}

function tellProposal(deps: OpsDeps, id: string, proposal: string | null): number {
  if (proposal === null) {
    throw new PlainError(
      `A proposal about ${id} waits already. See: npm run ops -- approvals list`,
    );
  }
  deps.print(handedIn(proposal));
  return 0;
}
