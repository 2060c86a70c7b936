import { addActCommands } from './act-commands.ts';
import type { AddCommands } from './command-context.ts';
import { showFxPositions } from './fx-positions.ts';
import { environmentOption } from './option-values.ts';

/** `fx positions|cover`: what we are exposed to in each currency, and what was traded against it. */
export const addFxCommands: AddCommands = (program, context) => {
  const fx = program.command('fx').description('positions in currencies, and trades against them');

  fx.command('positions')
    .description(
      'what we have of each currency and asset: settled, promised to payments, promised by quotes',
    )
    .addOption(environmentOption().default('live' as const))
    .action(({ environment }) => context.run((deps) => showFxPositions(deps, environment)));

  addActCommands(fx, context);
};
