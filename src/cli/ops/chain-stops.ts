import type { Command } from '@commander-js/extra-typings';
import { listChainStops, type ChainStop } from '../../db/onchain/chain-stop-store.ts';
import { listSetAside } from '../../db/ledger/set-aside-store.ts';
import type { CommandContext, OpsDeps } from './command-context.ts';
import { table } from './table.ts';

const LISTED_MAX = 100;

/** `chain stops|set-aside`: what keeps deposits of a network from being booked. */
export function addStopCommands(chain: Command, context: CommandContext): void {
  chain
    .command('stops')
    .description('list networks that reverted a final block, and their reverted deposits')
    .action(() => context.run(listStops));
  chain
    .command('set-aside')
    .description('list deposits that could not be booked; the engine retries them')
    .action(() => context.run(listAside));
}

async function listStops({ db, print }: OpsDeps): Promise<number> {
  const stops = await db.system((tx) => listChainStops(tx, LISTED_MAX));
  if (stops.length === 0) {
    print('No network is stopped.');
    return 0;
  }
  print(
    table(
      ['environment', 'network', 'missing block', 'since', 'state', 'taken back'],
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
  return `resumes at ${resumeBlock.toString()}${proved}`;
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
