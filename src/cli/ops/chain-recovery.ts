import { Argument, Option, type Command } from '@commander-js/extra-typings';
import { findWatchedAddress } from '../../db/parties/watched-address-store.ts';
import { readAddress } from '../../domain/onchain/address.ts';
import { cloneSalt, forwarderAddress } from '../../domain/onchain/create2.ts';
import { hexOf } from '../../domain/onchain/factory-deployment.ts';
import { encodeSweepCall } from '../../domain/onchain/sweep-call.ts';
import { ENVIRONMENTS } from '../../domain/scope.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import type { CommandContext } from './command-context.ts';

/** In a sweep it stands for the network's own coin. */
const COIN = `0x${'0'.repeat(40)}`;

/** `chain recover`: what came to an address of deposits and is no listed token. */
export function addRecoveryCommand(chain: Command, context: CommandContext): void {
  chain
    .command('recover')
    .description('print the transaction that sends funds at a deposit address to the treasury')
    .addArgument(new Argument('<environment>').choices(ENVIRONMENTS))
    .argument('<address>', 'deposit address')
    .addOption(
      new Option('--token <contract>', 'token contract (default: the coin of the network)'),
    )
    .action((environment, given, { token }) =>
      context.run(async ({ db, chains, print }) => {
        const address = addressOf(given);
        const factory = chains[environment][0]?.factory;
        if (factory === undefined) throw new PlainError(`${environment} has no networks.`);
        const found = await db.system((tx) => findWatchedAddress(tx, environment, address));
        const owner = found === null ? null : (found.paymentId ?? found.depositAddressId);
        if (owner === null || forwarderAddress(factory, environment, owner) !== address) {
          throw new PlainError(`${address} is not a deposit address of ${environment}.`);
        }
        const salts = [hexOf(cloneSalt(environment, owner))];
        const asset = token === undefined ? COIN : addressOf(token);
        const data = encodeSweepCall({ salts, token: asset });
        print(
          'Send this transaction on the network of the funds, from any address except a signer account. It pays only',
        );
        print('the treasury.');
        print(`to ${factory}\nvalue 0\ndata ${hexOf(data)}`);
        return 0;
      }),
    );
}

function addressOf(text: string): string {
  const read = readAddress(text);
  if (read.ok) return read.address;
  throw new PlainError(`${text} is not an address: ${read.rule}.`);
}
