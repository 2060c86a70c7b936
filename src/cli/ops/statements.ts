import { acceptRefusedStatement } from '../../modules/reconciliation/accept-refused-statement.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import type { AddCommands } from './command-context.ts';
import { environmentOption, operatorOption, readName, reasonOption } from './option-values.ts';

export const addStatementCommands: AddCommands = (program, context) => {
  program
    .command('statements')
    .description('the statements of the bank')
    .command('accept')
    .description(
      'read a statement whose number was refused (SEQUENCE_JUMP), as the bank confirmed it',
    )
    .argument('<id>', "the bank's id of the statement", readName)
    .addOption(environmentOption().makeOptionMandatory())
    .option('--connector <name>', 'whose statement', readName, 'http-bank')
    .addOption(reasonOption())
    .addOption(operatorOption(context))
    .action((id, { environment, connector, reason, operator }) =>
      context.run(async (deps) => {
        const origin = { environment, connector };
        const isTaken = await acceptRefusedStatement(deps, origin, id, { operator, reason });
        if (!isTaken) {
          throw new PlainError(`No statement ${id} of ${connector} (${environment}) was refused.`);
        }
        deps.print(`Statement ${id} is read with the next fetch.`);
        return 0;
      }),
    );
};
