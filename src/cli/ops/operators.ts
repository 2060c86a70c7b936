import { listOperators } from '../../db/customers/operator-store.ts';
import { addActCommands } from './act-commands.ts';
import type { AddCommands, OpsDeps } from './command-context.ts';
import { table } from './table.ts';

const LISTED_MAX = 1_000;

/** `operators add|disable|list`: there is no account before the first one is added here. */
export const addOperatorCommands: AddCommands = (program, context) => {
  const operators = program
    .command('operators')
    .description('people who can log in to the operator console');

  addActCommands(operators, context);
  operators
    .command('list')
    .description('list operators by ID, without names and addresses')
    .action(() => context.run(list));
};

async function list(deps: OpsDeps): Promise<number> {
  const rows = await deps.db.system((tx) => listOperators(tx, LISTED_MAX));
  if (rows.length === 0) {
    deps.print('There is no operator. Add one: npm run ops -- operators add');
    return 0;
  }
  deps.print(
    table(
      ['operator', 'role', 'status', 'passkeys', 'since'],
      rows.map(({ id, role, status, passkeys, createdAt }) => [
        ...[id, role.toLowerCase(), status, String(passkeys)],
        createdAt.toISOString(),
      ]),
    ),
  );
  return 0;
}
