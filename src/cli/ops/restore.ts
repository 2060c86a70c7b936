import { findRestoreMode } from '../../db/operations/restore-mode-store.ts';
import { addActCommands } from './act-commands.ts';
import type { AddCommands, OpsDeps } from './command-context.ts';

export const addRestoreCommands: AddCommands = (program, context) => {
  const restore = program
    .command('restore')
    .description('restore mode, after you restored the database to an earlier time');
  addActCommands(restore, context);
  restore
    .command('status')
    .description('show whether restore mode is on')
    .action(() => context.run(showStatus));
};

async function showStatus(deps: OpsDeps): Promise<number> {
  const mode = await deps.db.system(findRestoreMode);
  deps.print(
    mode === null
      ? 'Restore mode is off.'
      : `Restore mode has been on since ${mode.begunAt.toISOString()}, by ${mode.begunBy}: ${mode.reason}`,
  );
  return 0;
}
