import type { Command } from '@commander-js/extra-typings';
import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { NETWORKS } from '../../domain/onchain/network.ts';
import { proposeForeign } from '../../modules/onchain/foreign-nonce.ts';
import { freezeLaneByHand, proposeForFrozen } from '../../modules/onchain/thaw-lane.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import type { CommandContext, OpsDeps } from './command-context.ts';
import { addForeignPaymentCommands, hashOption } from './foreign-payments.ts';
import { handedIn } from './handed-in.ts';
import { environmentOption, operatorOption, reasonOption } from './option-values.ts';
import { printLanes } from './list-lanes.ts';
import { reconcileChains } from './reconcile-chains.ts';
import { voidTransfer } from './void-transfer.ts';

const networkOption = () =>
  new Option('--network <name>', 'its network').choices(NETWORKS).makeOptionMandatory();

/** `chain lanes|freeze|thaw|retire|foreign|paid|not-paid|void|reconcile`: the hot addresses that pay. */
export function addLaneCommands(chain: Command, context: CommandContext): void {
  chain
    .command('lanes')
    .description(
      'every hot address that has paid: its next nonce, whether it pays, what it holds, floors and caps',
    )
    .action(() => context.run(printLanes));
  chain
    .command('reconcile')
    .description(
      'hold what hot addresses did on their chains against the rows; tells what does not fit',
    )
    .action(() => context.run((deps) => reconcileChains(context.env, deps.print)));
  const aboutLane = (verb: 'freeze' | 'thaw' | 'retire' | 'foreign', description: string) =>
    chain
      .command(verb)
      .description(description)
      .argument('<address>', 'in the mixed case of EIP-55')
      .addOption(environmentOption().makeOptionMandatory())
      .addOption(networkOption())
      .addOption(reasonOption())
      .addOption(operatorOption(context));

  aboutLane('freeze', 'stop a hot address at once: it signs nothing new').action(
    (address, { environment, network, ...act }) =>
      context.run(async (deps) => {
        const isFrozen = await freezeLaneByHand(deps, { environment, network, address }, act);
        if (!isFrozen) throw new PlainError(`${address} is no lane of ${network}, or is frozen.`);
        deps.print(`Frozen: ${address}. What it has sent may still be mined.`);
        return 0;
      }),
  );
  for (const [verb, action, description] of [
    ['thaw', 'LANE_THAW', 'hand in that a frozen hot address pay again; two operators approve it'],
    [
      'retire',
      'LANE_RETIRE',
      'hand in that a frozen hot address be given up for ever, or that one which may still pay cannot; the same',
    ],
  ] as const) {
    aboutLane(verb, description).action((address, { environment, network, ...act }) =>
      context.run(async (deps) => {
        const lane = { environment, network, address };
        const proposed = await proposeForFrozen(deps, action, lane, act);
        if (proposed === 'NOT_FROZEN') throw new PlainError(`${address} is not frozen.`);
        return sayHandedIn(deps, address, proposed.proposalId);
      }),
    );
  }
  aboutLane('foreign', 'hand in that what used a nonce of it is no payment of ours; the same')
    .addOption(
      new Option('--nonce <number>', 'the nonce').argParser(readNonce).makeOptionMandatory(),
    )
    .addOption(hashOption())
    .action((address, { environment, network, nonce, hash, ...act }) =>
      context.run(async (deps) => {
        const key = { environment, network, address, nonce };
        const proposed = await proposeForeign(deps, key, hash, act);
        if (proposed === 'NO_LANE') throw new PlainError(`${address} is no lane of ${network}.`);
        return sayHandedIn(deps, address, proposed.proposalId);
      }),
    );
  addForeignPaymentCommands(chain, context);
  chain
    .command('void')
    .description('give up a transfer that is not settled; what is mined decides')
    .argument('<reference|paymentId>', 'of the transfer')
    .addOption(reasonOption())
    .addOption(operatorOption(context))
    .action((subject, act) =>
      context.run(async (deps) => {
        await voidTransfer(deps, subject, act);
        return 0;
      }),
    );
}

function readNonce(text: string): bigint {
  if (!/^[0-9]{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return BigInt(text);
}

function sayHandedIn(deps: OpsDeps, address: string, proposalId: string | null): number {
  if (proposalId === null) throw new PlainError(`A proposal about ${address} waits already.`);
  deps.print(handedIn(proposalId));
  return 0;
}
