import { addActCommands } from './act-commands.ts';
import type { AddCommands } from './command-context.ts';

/** `passkeys remove`: for a person who has lost them all. */
export const addPasskeyCommands: AddCommands = (program, context) => {
  addActCommands(
    program.command('passkeys').description('passkeys of users and operators'),
    context,
  );
};
