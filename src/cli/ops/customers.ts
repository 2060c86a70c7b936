import { onboardCustomer } from '../../modules/customers/onboard-customer.ts';
import type { PersonData } from '../../modules/customers/access/add-person.ts';
import { inviteOwner } from '../../modules/customers/access/invite-owner.ts';
import { newId } from '../../db/client/new-id.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import type { AddCommands, OpsDeps } from './command-context.ts';
import { readAddress } from './operators.ts';
import { operatorOption, readName } from './option-values.ts';
import { sayRefusal } from './say-refusal.ts';
import { addOwnAccountCommands } from './own-accounts.ts';

export const addCustomerCommands: AddCommands = (program, context) => {
  const customers = program.command('customers').description('take on customers');

  customers
    .command('add')
    .description('take on a customer; its test environment is funded')
    .requiredOption('--name <text>', 'what it is called', readName)
    .option('--owner <address>', 'the first owner, who gets an invitation by mail', readAddress)
    .option('--owner-name <text>', 'what the owner is called', readName, 'Owner')
    .addOption(operatorOption(context).makeOptionMandatory(false))
    .action(({ name, owner, ownerName, operator }) =>
      context.run(async (deps) => {
        if (owner !== undefined && operator === undefined) {
          throw new PlainError('Say who invites the owner: --operator <name>.');
        }
        const customerId = await addCustomer(deps, name);
        if (owner !== undefined && operator !== undefined) {
          await invite(deps, customerId, { address: owner, name: ownerName }, operator);
        }
        return 0;
      }),
    );

  customers
    .command('invite-owner')
    .description('invite the first owner of a customer that no owner can log in for')
    .argument('<id>', 'cus_...', readName)
    .requiredOption('--owner <address>', 'the e-mail address that the link goes to', readAddress)
    .option('--owner-name <text>', 'what the owner is called', readName, 'Owner')
    .addOption(operatorOption(context))
    .action((id, { owner, ownerName, operator }) =>
      context.run(async (deps) => {
        await invite(deps, id, { address: owner, name: ownerName }, operator);
        return 0;
      }),
    );

  addOwnAccountCommands(customers, context);
};

/** Takes on a customer by hand. Live access takes its own request and two operators. */
async function addCustomer(deps: OpsDeps, name: string): Promise<string> {
  const id = newId('cus');
  await onboardCustomer(deps, { id, name });
  deps.print(`Customer ${id} (${name}); its test environment is funded.`);
  return id;
}

const REFUSALS = {
  HAS_AN_OWNER: 'has an owner, who invites the others.',
  ADDRESS_IS_TAKEN: 'has a user of this address.',
  TOO_MANY_USERS: 'has as many users as it may have.',
} as const;

/** Writes the invitation; the sweep hands its mail on. */
async function invite(
  deps: OpsDeps,
  customerId: string,
  owner: PersonData,
  operator: string,
): Promise<void> {
  const actor = { kind: 'OPERATOR', name: operator } as const;
  const order = { customerId, actor, reason: 'by hand' };
  const invited = await deps.db
    .system((tx) => inviteOwner(deps, tx, order, owner))
    .catch(sayRefusal);
  if ('refusal' in invited) {
    throw new PlainError(`${customerId} ${REFUSALS[invited.refusal]} No owner was invited.`);
  }
  deps.print(`The owner of ${customerId} is invited: the link is on its way (${invited.mailId}).`);
}
