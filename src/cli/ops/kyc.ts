import { addActCommands } from './act-commands.ts';
import type { AddCommands } from './command-context.ts';

/** `kyc revoke` takes one operator, for it narrows; `kyc override` takes two. */
export const addKycCommands: AddCommands = (program, context) => {
  addActCommands(program.command('kyc').description('override or revoke KYC checks'), context);
};
