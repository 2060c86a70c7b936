import { findRestoreMode } from '../../db/operations/restore-mode-store.ts';
import { switchRestoreMode } from '../../modules/payments/switch-restore-mode.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import type { AddCommands, OpsDeps } from './command-context.ts';
import { operatorOption, reasonOption } from './option-values.ts';
import { sayWhyReleaseFailed } from './release-failure.ts';

export const addRestoreCommands: AddCommands = (program, context) => {
  const restore = program
    .command('restore')
    .description('after the database was restored to an earlier moment');
  const withDecision = (verb: 'begin' | 'end', description: string, said: string, not: string) =>
    restore
      .command(verb)
      .description(description)
      .addOption(reasonOption())
      .addOption(operatorOption(context))
      .action(({ reason, operator }) =>
        context.run(async (deps) => {
          const decision = { operator, reason };
          const isNew = await switchRestoreMode(deps, verb, decision).catch(sayWhyReleaseFailed);
          if (!isNew) throw new PlainError(not);
          deps.print(said);
          return 0;
        }),
      );

  withDecision(
    'begin',
    'ask the bank before every first send',
    'Restore mode is on: the bank is asked before every first send.',
    'Restore mode is on already. See: npm run ops -- restore status',
  );
  withDecision(
    'end',
    'send without asking first again',
    'Restore mode is off.',
    'Restore mode is not on.',
  );

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
