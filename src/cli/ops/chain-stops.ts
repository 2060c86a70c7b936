import { Argument, Option, type Command } from '@commander-js/extra-typings';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { proposeResumption } from '../../modules/onchain/resume-network.ts';
import { listChainStops, type ChainStop } from '../../db/onchain/chain-stop-store.ts';
import { listSetAside } from '../../db/ledger/set-aside-store.ts';
import type { BlockRef } from '../../domain/onchain/chain-facts.ts';
import { NETWORKS } from '../../domain/onchain/network.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import type { CommandContext, OpsDeps } from './command-context.ts';
import { handedIn } from './handed-in.ts';
import { environmentOption, operatorOption, reasonOption } from './option-values.ts';
import { table } from './table.ts';

const LISTED_MAX = 100;

/** `chain stops|resume|set-aside`: what keeps deposits of a network from being booked. */
export function addStopCommands(chain: Command, context: CommandContext): void {
  chain
    .command('stops')
    .description('networks that went back behind a final block, and deposits that were taken back')
    .action(() => context.run(listStops));
  chain
    .command('set-aside')
    .description('deposits that could not be booked; they are tried again by themselves')
    .action(() => context.run(listAside));
  chain
    .command('resume')
    .description('hand in that a stopped network go on at a final block; two operators approve it')
    .addArgument(new Argument('<network>', 'its name').choices(NETWORKS))
    .addOption(environmentOption().makeOptionMandatory())
    .addOption(
      new Option('--block <number:hash>', 'a final block behind the one that is gone')
        .argParser(readBlock)
        .makeOptionMandatory(),
    )
    .addOption(reasonOption())
    .addOption(operatorOption(context))
    .action((network, { environment, block, ...act }) =>
      context.run(async (deps) => {
        const proposed = await proposeResumption(deps, { environment, network }, block, act);
        if (proposed === 'NOT_STOPPED') throw new PlainError(`${network} is not stopped.`);
        if (proposed === 'NOT_BEHIND') {
          throw new PlainError(
            'The block must lie behind the one that is gone. Wait for a later one.',
          );
        }
        if (proposed.proposalId === null) {
          throw new PlainError(`A proposal about ${network} waits already.`);
        }
        deps.print(handedIn(proposed.proposalId));
        return 0;
      }),
    );
}

function readBlock(text: string): BlockRef {
  const [, number, hash] = /^([0-9]{1,15}):(0x[0-9a-f]{64})$/.exec(text) ?? [];
  if (number === undefined || hash === undefined) {
    throw new InvalidArgumentError('It must be a number, a colon, and the hash in lower case.');
  }
  return { number: BigInt(number), hash };
}

async function listStops({ db, print }: OpsDeps): Promise<number> {
  const stops = await db.system((tx) => listChainStops(tx, LISTED_MAX));
  if (stops.length === 0) {
    print('No network was stopped.');
    return 0;
  }
  print(
    table(
      ['environment', 'network', 'block that is gone', 'since', 'state', 'taken back'],
      stops.map((stop) => [
        ...[stop.environment, stop.network, `${stop.block.toString()}:${stop.hash}`],
        ...[stop.stoppedAt.toISOString(), stateOf(stop), stop.takenBack.join(' ') || '-'],
      ]),
    ),
  );
  return 0;
}

function stateOf({ liftedAt, resumeBlock, provedBlock }: ChainStop): string {
  if (liftedAt !== null) return `lifted ${liftedAt.toISOString()}`;
  if (resumeBlock === null) return 'STOPPED';
  const proved = provedBlock === null ? '' : `, proved again up to ${provedBlock.toString()}`;
  return `goes on at ${resumeBlock.toString()}${proved}`;
}

async function listAside({ db, print }: OpsDeps): Promise<number> {
  const rows = await db.system((tx) => listSetAside(tx, LISTED_MAX));
  if (rows.length === 0) {
    print('No deposit is set aside.');
    return 0;
  }
  print(
    table(
      [
        'environment',
        'network',
        'transaction',
        'place',
        'to',
        'SQLSTATE',
        'tries',
        'since',
        'next try',
      ],
      rows.map(({ environment, network, txHash, ordinal, to, why, tries, since, nextAt }) => [
        ...[environment, network, txHash, String(ordinal), to, why, String(tries)],
        ...[since.toISOString(), nextAt.toISOString()],
      ]),
    ),
  );
  return 0;
}
