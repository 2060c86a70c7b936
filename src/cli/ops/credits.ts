import { findTradesOnCredits } from '../../db/ledger/cover-trade-store.ts';
import { listExceptionActs } from '../../db/reconciliation/exception-act-store.ts';
import { findIncomingCredit, listUnmatchedCredits } from '../../db/ledger/incoming-credit-store.ts';
import type { Environment } from '../../domain/scope.ts';
import { creditFacts } from '../../modules/ledger/funding/assign-credit.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import { addActCommands } from './act-commands.ts';
import type { AddCommands, OpsDeps } from './command-context.ts';
import { environmentOption, readName } from './option-values.ts';
import { table } from './table.ts';

const LISTED_MAX = 1_000;

/** `credits list|show|assign|close|dismiss|tie`: money that came in and is unmatched. */
export const addCreditCommands: AddCommands = (program, context) => {
  const credits = program.command('credits').description('unmatched incoming credits');

  credits
    .command('list')
    .description('list unmatched credits, oldest first')
    .addOption(environmentOption())
    .action(({ environment }) => context.run((deps) => list(deps, environment ?? null)));

  credits
    .command('show')
    .description('show a credit, its statement line, and its outcome')
    .argument('<id>', 'fc_...', readName)
    .action((id) => context.run((deps) => show(deps, id)));

  addActCommands(credits, context);
};

async function list(deps: OpsDeps, environment: Environment | null): Promise<number> {
  const rows = await deps.db.system((tx) => listUnmatchedCredits(tx, environment, LISTED_MAX + 1));
  if (rows.length === 0) {
    deps.print('No credit is unmatched.');
    return 0;
  }
  const ids = rows.map(({ id }) => id);
  const trades = await deps.db.system((tx) => findTradesOnCredits(tx, ids));
  deps.print(
    table(
      [
        'credit',
        'environment',
        'amount',
        'currency',
        'booked',
        'bank reference',
        'why',
        'cover trade',
      ],
      rows.slice(0, LISTED_MAX).map((row) => {
        const { amount, currency } = creditFacts(row);
        const booked = row.bookedAt?.toISOString() ?? '-';
        const why = row.unmatchedReason ?? '-';
        const trade = trades.get(row.id) ?? '-';
        return [
          ...[row.id, row.environment, amount, currency, booked, row.bankReference ?? '-'],
          ...[why, trade],
        ];
      }),
    ),
  );
  if (rows.length > LISTED_MAX) deps.print('There are more.');
  return 0;
}

async function show(deps: OpsDeps, id: string): Promise<number> {
  const row = await findCredit(deps, id);
  const { amount, currency } = creditFacts(row);
  const { acts, trades } = await deps.db.system(async (tx) => ({
    acts: await listExceptionActs(tx, id),
    trades: await findTradesOnCredits(tx, [id]),
  }));
  deps.print(
    [
      `${row.id}  ${row.outcome ?? 'UNMATCHED'}  ${amount} ${currency} (${row.environment})`,
      `customer ${row.customerId ?? '-'}, reference ${row.reference ?? '-'}`,
      `why no customer was credited: ${row.unmatchedReason ?? '-'}`,
      `may be the same booking as: ${row.resemblesCreditId ?? '-'}`,
      `bank ${row.connector}, bank reference ${row.bankReference ?? '-'}`,
      `booked ${row.bookedAt?.toISOString() ?? '-'}, seen ${row.receivedAt.toISOString()}`,
      `statement ${row.bankStatementId}, line ${String(row.line)}`,
      `bears the reference of cover trade: ${trades.get(id) ?? '-'}`,
      ...acts.map(({ id: act, act: kind, actedAt }) => `${actedAt.toISOString()}  ${kind}  ${act}`),
    ].join('\n'),
  );
  return 0;
}

async function findCredit(deps: OpsDeps, id: string) {
  const row = await deps.db.system((tx) => findIncomingCredit(tx, id));
  if (row === null) throw new PlainError(`There is no credit ${id}.`);
  return row;
}
