import { Option, type Command } from '@commander-js/extra-typings';
import type { CommandContext } from './command-context.ts';
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
    'make or change the end-user that is the customer itself',
    'JSON as the body of POST /end-users, a BUSINESS',
  ).action(({ customer: customerId, environment, file, ...act }) =>
    context.run((deps) => setEntity(deps, { customerId, environment }, file, act)),
  );

  withFile(
    'add-own-account',
    "propose a customer's own bank account that another operator then approves",
    'JSON as the body of POST /bank-accounts, without endUserId',
  ).action(({ customer: customerId, environment, file, ...act }) =>
    context.run((deps) => proposeOwnAccount(deps, { customerId, environment }, file, act)),
  );

  customers
    .command('show-own-account')
    .description(
      "a customer's own account with its holder and all its digits; who looks is audited",
    )
    .argument('<id>', 'ba_...', readName)
    .addOption(reasonOption())
    .addOption(operatorOption(context))
    .action((id, act) => context.run((deps) => showOwnAccount(deps, id, act)));
}
