import { findRestoreMode } from '../../db/operations/restore-mode-store.ts';
import { addActCommands } from './act-commands.ts';
import type { AddCommands, OpsDeps } from './command-context.ts';

export const addRestoreCommands: AddCommands = (program, context) => {
  const restore = program
    .command('restore')
    .description('after the database was restored to an earlier moment');
  addActCommands(restore, context);
  restore
    .command('status')
    .description('whether restore mode is on')
    .action(() => context.run(showStatus));
};

async function showStatus(deps: OpsDeps): Promise<number> {
  const mode = await deps.db.system(findRestoreMode);
  deps.print(
    mode === null
      ? 'Restore mode is off.'
      : `Restore mode is on since ${mode.begunAt.toISOString()}, by ${mode.begunBy}: ${mode.reason}`,
  );
  return 0;
}
