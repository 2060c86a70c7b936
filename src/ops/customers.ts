import { onboardCustomer } from '../customers/onboard-customer.ts';
import { newId } from '../db/new-id.ts';
import type { AddCommands, OpsDeps } from './command-context.ts';
import { readName } from './option-values.ts';
import { addOwnAccountCommands } from './own-accounts.ts';

export const addCustomerCommands: AddCommands = (program, context) => {
  const customers = program.command('customers').description('take on customers');

  customers
    .command('add')
    .description('take on a customer; its test environment is funded')
    .requiredOption('--name <text>', 'what it is called', readName)
    .option('--live', 'grant live access', false)
    .action(({ name, live }) =>
      context.run(async (deps) => {
        await addCustomer(deps, { name, hasLiveAccess: live });
        return 0;
      }),
    );

  addOwnAccountCommands(customers, context);
};

/** Takes on a customer by hand: there is no self-service. */
async function addCustomer(
  deps: OpsDeps,
  customer: { readonly name: string; readonly hasLiveAccess: boolean },
): Promise<void> {
  const id = newId('cus');
  await onboardCustomer(deps, { id, ...customer });
  deps.print(`Customer ${id} (${customer.name}); its test environment is funded.`);
}
