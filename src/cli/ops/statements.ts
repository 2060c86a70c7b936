import { addActCommands } from './act-commands.ts';
import type { AddCommands } from './command-context.ts';

/** `statements accept` */
export const addStatementCommands: AddCommands = (program, context) => {
  addActCommands(program.command('statements').description('bank statements'), context);
};
