import type { Command } from '@commander-js/extra-typings';
import { findTargets } from '../../server/config/ops-config.ts';
import type { CommandContext } from './command-context.ts';
import { printSignerAccounts } from './list-signer-accounts.ts';
import { reconcileChains } from './reconcile-chains.ts';

/** `chain accounts|reconcile`: the hot addresses that pay. */
export function addSignerAccountCommands(chain: Command, context: CommandContext): void {
  chain
    .command('accounts')
    .description('list hot addresses with next nonce, status, balances, floors, and caps')
    .action(() => context.run(printSignerAccounts));
  chain
    .command('reconcile')
    .description('compare the transactions of hot addresses with the database and list differences')
    .action(() =>
      context.run((deps) => reconcileChains(findTargets(context.readEnv('ops')), deps.print)),
    );
}
