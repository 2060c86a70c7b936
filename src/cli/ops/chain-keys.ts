import { summaryOf } from '../../modules/operations/acts/written-out-acts.ts';
import { Option } from '@commander-js/extra-typings';
import { readKeyPlace } from '../../server/config/chain-signers-config.ts';
import { unlimitedNetworks } from '../../server/config/chain-signers-file.ts';
import { NETWORKS } from '../../domain/onchain/network.ts';
import { addActCommands } from './act-commands.ts';
import { addFactoryCommands } from './chain-factory.ts';
import { addGasCommand } from './chain-gas.ts';
import { addSignerAccountCommands } from './chain-accounts.ts';
import { addRecoveryCommand } from './chain-recovery.ts';
import { addStopCommands } from './chain-stops.ts';
import { addChainKey, doesOpen, readChainKeys } from './add-chain-key.ts';
import type { AddCommands } from './command-context.ts';
import { environmentOption } from './option-values.ts';
import { table } from './table.ts';

const networkOption = () =>
  new Option('--network <name...>', 'network that the key signs for; repeatable')
    .choices(NETWORKS)
    .makeOptionMandatory();

/** Commands of keys work on a file of this machine: they open neither database nor Temporal. */
export const addChainCommands: AddCommands = (program, context) => {
  const { readEnv, print } = context;
  const chain = program.command('chain').description('hot addresses and networks');
  addSignerAccountCommands(chain, context);
  addStopCommands(chain, context);
  addFactoryCommands(chain, context);
  addRecoveryCommand(chain, context);
  addGasCommand(chain, context);
  addActCommands(chain, context);
  const keys = chain
    .command('keys')
    .description('keys of hot addresses in TEST_CHAIN_SIGNERS_FILE or LIVE_CHAIN_SIGNERS_FILE');

  keys
    .command('add')
    .description(summaryOf('chain keys add'))
    .addOption(environmentOption().makeOptionMandatory())
    .addOption(networkOption())
    .action(({ environment, network }) => {
      const place = readKeyPlace(readEnv('ops-chain'), environment);
      const networks = NETWORKS.filter((name) => network.includes(name));
      const { address, file } = addChainKey({ environment, place, networks });
      print(address);
      const unlimited = unlimitedNetworks(file);
      if (unlimited.length === 0) return;
      print(
        `The file has no limits for ${unlimited.join(', ')}. See docs/how-to/operate-networks.md.`,
      );
    });

  keys
    .command('list')
    .description('list hot addresses, who holds their keys, and whether sealed keys open')
    .addOption(environmentOption().makeOptionMandatory())
    .action(({ environment }) => {
      const place = readKeyPlace(readEnv('ops-chain'), environment);
      const { keys: held } = readChainKeys(place.path);
      const rows = held.map((key) => {
        const isUsable = key.kind !== 'LOCAL' || doesOpen(place, environment, key);
        return [key.address, isUsable ? key.kind : 'LOCAL, does not open', key.networks.join(', ')];
      });
      print(table(['address', 'held by', 'networks'], rows));
    });
};
