import type { Command } from '@commander-js/extra-typings';
import { listChainStops, type ChainStop } from '../../db/onchain/chain-stop-store.ts';
import { listDust } from '../../db/onchain/dust-store.ts';
import { formatAmount } from '../../domain/money/amount.ts';
import { listSetAside } from '../../db/ledger/set-aside-store.ts';
import type { CommandContext, OpsDeps } from './command-context.ts';
import { table } from './table.ts';

const LISTED_MAX = 100;

/** `chain stops|set-aside|dust`: what of a network is not booked, and why. */
export function addStopCommands(chain: Command, context: CommandContext): void {
  chain
    .command('stops')
    .description('list networks that reverted a final block, and their reverted deposits')
    .action(() => context.run(listStops));
  chain
    .command('set-aside')
    .description('list deposits that could not be booked; the engine retries them')
    .action(() => context.run(listAside));
  chain
    .command('dust')
    .description(
      'list what lies at deposit addresses below the floor of its asset, the largest sums first',
    )
    .action(() => context.run(listSums));
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

async function listSums({ db, print }: OpsDeps): Promise<number> {
  const rows = await db.system((tx) => listDust(tx, LISTED_MAX));
  if (rows.length === 0) {
    print('Nothing lies below the floor of its asset.');
    return 0;
  }
  print(
    table(
      ['environment', 'network', 'address', 'amount', 'transfers', 'deposits not before'],
      rows.map(({ environment, network, address, asset, amount, transfers, nextAt }) => [
        ...[environment, network, address, `${formatAmount(amount, asset)} ${asset}`],
        ...[transfers.toString(), nextAt.toISOString()],
      ]),
    ),
  );
  return 0;
}
