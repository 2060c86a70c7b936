import type { Command } from '@commander-js/extra-typings';
import { listSpentGas } from '../../db/onchain/chain-gas-store.ts';
import type { CommandContext } from './command-context.ts';
import { coinText } from './signer-account-balances.ts';
import { table } from './table.ts';

/** `chain gas`: what transactions of hot addresses cost. */
export function addGasCommand(chain: Command, context: CommandContext): void {
  chain
    .command('gas')
    .description('show the gas cost of mined transactions by network, month, and kind')
    .action(() =>
      context.run(async ({ db, print }) => {
        const rows = await db.system(listSpentGas);
        if (rows.length === 0) {
          print('No transaction of a hot address is mined yet.');
          return 0;
        }
        print(
          table(
            ['environment', 'network', 'month', 'kind', 'transactions', 'coins'],
            rows.map(({ environment, network, month, kind, count, fee }) => [
              ...[environment, network, month, kind, String(count), coinText(BigInt(fee))],
            ]),
          ),
        );
        return 0;
      }),
    );
}
