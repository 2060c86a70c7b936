import { proposePasskeyRemoval } from '../../modules/customers/access/remove-passkeys.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import type { AddCommands } from './command-context.ts';
import { operatorOption, readName, reasonOption } from './option-values.ts';

/** `passkeys remove`: for a person who has lost them all. */
export const addPasskeyCommands: AddCommands = (program, context) => {
  program
    .command('passkeys')
    .description('of users and operators')
    .command('remove')
    .description('propose that all passkeys of a person be removed; a second operator approves it')
    .argument('<person>', 'usr_... or opr_...', readName)
    .addOption(reasonOption())
    .addOption(operatorOption(context))
    .action((personId, act) =>
      context.run(async (deps) => {
        const proposed = await proposePasskeyRemoval(deps, personId, act);
        if (proposed === 'NO_PERSON') throw new PlainError(`There is no person ${personId}.`);
        const id = proposed.proposalId;
        if (id === null) throw new PlainError(`A proposal about ${personId} waits already.`);
        deps.print(`Proposed: ${id}. Another operator approves it.`);
        return 0;
      }),
    );
};
