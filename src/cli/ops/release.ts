import { listReleaseStops, type ReleaseFilter } from '../../db/operations/release-stop-store.ts';
import { addActCommands } from './act-commands.ts';
import type { AddCommands, OpsDeps } from './command-context.ts';
import { table } from './table.ts';

const LISTED_MAX = 1_000;

/** `release stop|resume|list` */
export const addReleaseCommands: AddCommands = (program, context) => {
  const release = program.command('release').description('stop and resume payments');
  addActCommands(release, context);
  release
    .command('list')
    .description('list active stops')
    .action(() => context.run(list));
};

async function list(deps: OpsDeps): Promise<number> {
  const stops = await deps.db.system((tx) => listReleaseStops(tx, LISTED_MAX + 1));
  if (stops.length === 0) {
    deps.print('No stop is active.');
    return 0;
  }
  deps.print(
    table(
      ['stopped', 'since', 'by', 'reason'],
      stops
        .slice(0, LISTED_MAX)
        .map((each) => [describe(each), each.stoppedAt.toISOString(), each.stoppedBy, each.reason]),
    ),
  );
  if (stops.length > LISTED_MAX) deps.print('There are more.');
  return 0;
}

function describe({ environment, rail, customerId }: ReleaseFilter): string {
  const parts = [environment, rail, customerId].filter((part) => part !== null);
  return parts.length === 0 ? 'everything' : parts.join(' ');
}
