import { addActCommands } from './act-commands.ts';
import type { AddCommands } from './command-context.ts';
import { showFxPositions } from './fx-positions.ts';
import { environmentOption } from './option-values.ts';

/** `fx positions|cover`: what we are exposed to in each currency, and what was traded against it. */
export const addFxCommands: AddCommands = (program, context) => {
  const fx = program.command('fx').description('currency positions and cover trades');

  fx.command('positions')
    .description(
      'show the position in each currency and asset: settled, reserved by payments, and quoted',
    )
    .addOption(environmentOption().default('live' as const))
    .action(({ environment }) => context.run((deps) => showFxPositions(deps, environment)));

  addActCommands(fx, context);
};
