import {
  listUndecidedLateReturns,
  type LateReturnRow,
} from '../../db/payments/late-return-store.ts';
import { amountOf } from './amount.ts';
import type { AddCommands, OpsDeps } from './command-context.ts';
import { table } from './table.ts';

const LISTED_MAX = 1_000;

/** `payments late-returns`: money that came back after its payment was final. */
export const addLateReturnsCommand: AddCommands = (payments, context) => {
  payments
    .command('late-returns')
    .description('list final payments whose money came back and waits in suspense')
    .action(() => context.run(list));
};

async function list(deps: OpsDeps): Promise<number> {
  const rows = await deps.db.system((tx) => listUndecidedLateReturns(tx, LISTED_MAX + 1));
  if (rows.length === 0) {
    deps.print('There are no late returns.');
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
