import { summaryOf } from '../../modules/operations/acts/written-out-acts.ts';
import { Option, type Command } from '@commander-js/extra-typings';
import type { CommandContext } from './command-context.ts';
import { waitOption } from './handed-in.ts';
import {
  customerOption,
  environmentOption,
  operatorOption,
  readName,
  reasonOption,
} from './option-values.ts';
import { proposeOwnAccount } from './own-account-decisions.ts';
import { setEntity } from './own-entity.ts';
import { showOwnAccount } from './show-own-account.ts';

/** What a customer withdraws to: its own company takes one operator, an account of it two. */
export function addOwnAccountCommands(customers: Command, context: CommandContext): void {
  const withFile = (name: string, description: string, file: string) =>
    customers
      .command(name)
      .description(description)
      .addOption(customerOption().makeOptionMandatory())
      .addOption(environmentOption().makeOptionMandatory())
      .addOption(new Option('--file <path>', file).argParser(readName).makeOptionMandatory())
      .addOption(reasonOption())
      .addOption(operatorOption(context));

  withFile(
    'set-own-entity',
    summaryOf('customers set-own-entity'),
    'JSON as the body of POST /end-users, a BUSINESS',
  ).action(({ customer: customerId, environment, file, ...act }) =>
    context.run((deps) => setEntity(deps, { customerId, environment }, file, act)),
  );

  withFile(
    'add-own-account',
    summaryOf('customers add-own-account'),
    'JSON as the body of POST /bank-accounts, without endUserId',
  )
    .addOption(waitOption())
    .action(({ customer: customerId, environment, file, ...act }) =>
      context.run((deps) => proposeOwnAccount(deps, { customerId, environment }, file, act)),
    );

  customers
    .command('show-own-account')
    .description(summaryOf('customers show-own-account'))
    .argument('<id>', 'ba_...', readName)
    .addOption(reasonOption())
    .addOption(operatorOption(context))
    .action((id, act) => context.run((deps) => showOwnAccount(deps, id, act)));
}
