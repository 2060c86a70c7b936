import type { Command } from '@commander-js/extra-typings';
import type { CommandContext } from './command-context.ts';
import { printSignerAccounts } from './list-signer-accounts.ts';
import { reconcileChains } from './reconcile-chains.ts';

/** `chain accounts|reconcile`: the hot addresses that pay. */
export function addSignerAccountCommands(chain: Command, context: CommandContext): void {
  chain
    .command('accounts')
    .description(
      'every hot address that has paid: its next nonce, whether it pays, what it holds, floors and caps',
    )
    .action(() => context.run(printSignerAccounts));
  chain
    .command('reconcile')
    .description(
      'hold what hot addresses did on their chains against the rows; tells what does not fit',
    )
    .action(() => context.run((deps) => reconcileChains(context.env, deps.print)));
}
