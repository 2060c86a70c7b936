import {
  findException,
  listOpenExceptions,
  type ExceptionRow,
} from '../../db/reconciliation/exception-act-store.ts';
import { findBookedElsewhere } from '../../db/reconciliation/booked-return-store.ts';
import { formatAmount } from '../../domain/money/amount.ts';
import { ENVIRONMENTS, type Environment } from '../../domain/scope.ts';
import {
  listSuggestions,
  type ListedSuggestion,
} from '../../modules/reconciliation/exceptions/list-suggestions.ts';
import { sayTakenBack } from '../../modules/reconciliation/exceptions/find-shown-exception.ts';
import { isBookedElsewhere } from '../../modules/reconciliation/exceptions/judge-exception.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import { addActCommands } from './act-commands.ts';
import type { AddCommands, OpsDeps } from './command-context.ts';
import { environmentOption, readName } from './option-values.ts';
import { table } from './table.ts';

const LISTED_MAX = 1_000;

/** `exceptions list|show|suggest|propose|apply|reverse`: what statements show and the books do not, and what ends it. */
export const addExceptionCommands: AddCommands = (program, context) => {
  const exceptions = program
    .command('exceptions')
    .description('exceptions of statements and payments');

  exceptions
    .command('list')
    .description('list open exceptions, oldest first')
    .option('--kind <kind>', 'only of this kind, for example LATE', readName)
    .action(({ kind }) => context.run((deps) => list(deps, kind ?? null)));

  exceptions
    .command('show')
    .description('show an exception, its line, and the act that ended it')
    .argument('<id>', 'from `exceptions list`', readName)
    .action((id) => context.run((deps) => show(deps, id)));

  exceptions
    .command('suggest')
    .description('show what the rules suggest about open exceptions; nothing is written')
    .option('--kind <kind>', 'only of this kind, for example AMOUNT_MISMATCH', readName)
    .option('--rule <name>', 'only what this rule suggests', readName)
    .addOption(environmentOption())
    .action((options) => context.run((deps) => suggest(deps, options)));

  addActCommands(exceptions, context);
};

interface Suggesting {
  readonly kind?: string;
  readonly rule?: string;
  readonly environment?: Environment;
}

async function suggest(
  { db, clock, print }: OpsDeps,
  { kind, rule, environment }: Suggesting,
): Promise<number> {
  const found: ListedSuggestion[] = [];
  for (const one of environment === undefined ? ENVIRONMENTS : [environment]) {
    const filter = { environment: one, kind: kind ?? null, rule: rule ?? null };
    const limits = { now: clock.now(), limit: LISTED_MAX };
    found.push(...(await listSuggestions(db, filter, limits)));
  }
  if (found.length === 0) {
    print('No rule suggests an act about an open exception.');
    return 0;
  }
  print(
    table(
      ['exception', 'environment', 'rule', 'act', 'account', 'open', 'why'],
      found.map(({ shown, rule: { name, act, account, why }, held }) => [
        ...[shown.id, shown.environment, name, act, account ?? '-', openOf(shown)],
        held === null ? why : `not proposed: ${held}`,
      ]),
    ),
  );
  return 0;
}

/** Negative left the bank. */
const openOf = ({ open }: ListedSuggestion['shown']): string =>
  open === null ? '-' : `${formatAmount(open.minor, open.currency)} ${open.currency}`;

async function list(deps: OpsDeps, kind: string | null): Promise<number> {
  const rows = await deps.db.system((tx) =>
    listOpenExceptions(tx, { exception: kind }, LISTED_MAX + 1),
  );
  if (rows.length === 0) {
    deps.print('No exception is open.');
    return 0;
  }
  deps.print(
    table(
      ['exception', 'kind', 'environment', 'amount', 'currency', 'booked', 'payment'],
      rows.slice(0, LISTED_MAX).map((row) => {
        const booked = row.bookedAt?.toISOString() ?? '-';
        const { id, exception, environment, currency, paymentId } = row;
        return [
          id,
          exception,
          environment,
          amountOf(row),
          currency ?? '-',
          booked,
          paymentId ?? '-',
        ];
      }),
    ),
  );
  if (rows.length > LISTED_MAX) deps.print('There are more.');
  return 0;
}

async function show(deps: OpsDeps, id: string): Promise<number> {
  const [row, said] = await deps.db.system(async (tx) => {
    const found = await findException(tx, id);
    const isElsewhere = found !== null && isBookedElsewhere(found);
    const elsewhere = isElsewhere ? await findBookedElsewhere(tx, id) : null;
    return [found, elsewhere ?? (found && (await sayTakenBack(tx, found)))] as const;
  });
  if (row === null) throw new PlainError(`There is no exception ${id}.`);
  deps.print(
    [
      `${row.id}  ${row.exception}  ${row.endedBy === null ? 'OPEN' : `ended by ${row.endedBy}`} (${row.environment})`,
      `statement ${row.bankStatementId ?? '-'}, line ${String(row.line ?? '-')}, bank reference ${row.bankReference ?? '-'}`,
      `amount ${amountOf(row)} ${row.currency ?? ''}, booked ${row.bookedAt?.toISOString() ?? '-'}`,
      `payment ${row.paymentId ?? '-'}, reference ${row.reference ?? '-'}`,
      ...(said === null ? [] : [said]),
    ].join('\n'),
  );
  return 0;
}

/** What left is negative. */
const amountOf = ({ amount, direction }: ExceptionRow): string =>
  amount === null ? '-' : `${direction === 'DBIT' ? '-' : ''}${amount}`;
