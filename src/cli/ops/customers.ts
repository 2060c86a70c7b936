import { summaryOf } from '../../modules/operations/acts/written-out-acts.ts';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { onboardCustomer } from '../../modules/customers/onboard-customer.ts';
import { INVITE_OWNER } from '../../modules/operations/acts/customer-acts.ts';
import type { ActValues } from '../../modules/operations/acts/operator-act.ts';
import { readEmailAddress } from '../../domain/customers/access/email-address.ts';
import { newId } from '../../db/client/new-id.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import { addActCommands } from './act-commands.ts';
import type { AddCommands, OpsDeps } from './command-context.ts';
import { operatorOption, readName } from './option-values.ts';
import { addOwnAccountCommands } from './own-accounts.ts';
import { performAct } from './perform-act.ts';

export const addCustomerCommands: AddCommands = (program, context) => {
  const customers = program.command('customers').description('create and manage customers');

  customers
    .command('add')
    .description(summaryOf('customers add'))
    .requiredOption('--name <text>', 'name of the customer', readName)
    .option(
      '--owner <address>',
      'email address of the first owner, who receives an invitation',
      readAddress,
    )
    .option('--owner-name <text>', 'name of the owner', readName, 'Owner')
    .addOption(operatorOption(context).makeOptionMandatory(false))
    .action(({ name, owner, ownerName, operator }) =>
      context.run(async (deps) => {
        if (owner !== undefined && operator === undefined) {
          throw new PlainError('Name the operator who invites the owner: --operator <name>.');
        }
        const customerId = await addCustomer(deps, name);
        if (owner !== undefined && operator !== undefined) {
          return invite(deps, customerId, { address: owner, name: ownerName }, operator);
        }
        return 0;
      }),
    );

  addActCommands(customers, context);
  addOwnAccountCommands(customers, context);
};

/** Takes on a customer by hand. Live access takes its own request and two operators. */
async function addCustomer(deps: OpsDeps, name: string): Promise<string> {
  const id = newId('cus');
  await onboardCustomer(deps, { id, name });
  deps.print(`Created customer ${id} (${name}) and funded its test environment.`);
  return id;
}

const invite = (
  deps: OpsDeps,
  id: string,
  values: ActValues<typeof INVITE_OWNER.inputs>,
  operator: string,
): Promise<number> =>
  performAct(deps, [
    {
      entry: INVITE_OWNER,
      find: (acting) => INVITE_OWNER.subject.find(acting, id),
      missing: INVITE_OWNER.subject.missing(id),
      ...{ values, act: { operator, reason: 'by hand' } },
    },
  ]);

function readAddress(text: string): string {
  const address = readEmailAddress(text);
  if (address === null) throw new InvalidArgumentError('It must be an address, as name@host.tld.');
  return address;
}
