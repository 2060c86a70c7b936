import { readFileSync } from 'node:fs';
import { summaryOf } from '../../modules/operations/acts/written-out-acts.ts';
import type { AddCommands } from './command-context.ts';
import { operatorOption, readName } from './option-values.ts';
import { readWitnesses } from './read-witnesses.ts';
import { recloseKey } from './reclose-key.ts';

/** `idempotency-keys reclose FILE` after a restore: what partners were told stays true. */
export const addIdempotencyKeyCommands: AddCommands = (program, context) => {
  program
    .command('idempotency-keys')
    .description('close idempotency keys again after a restore')
    .command('reclose')
    .description(summaryOf('idempotency-keys reclose'))
    .argument('<file>', 'log of the API processes, as JSON lines', readName)
    .addOption(operatorOption(context))
    .action((file, { operator }) =>
      context.run(async (deps) => {
        const counts = { CLOSED: 0, KNOWN: 0, FAILED: 0 };
        for (const witness of readWitnesses(readFileSync(file, 'utf8'))) {
          const outcome = await recloseKey(deps, witness, operator);
          counts[outcome.kind] += 1;
          if (outcome.kind === 'FAILED') {
            const { customerId, environment, keyHash } = witness;
            deps.print(`${customerId} ${environment} ${keyHash} is not closed: ${outcome.why}`);
          }
        }
        const { CLOSED, KNOWN, FAILED } = counts;
        deps.print(
          `${String(CLOSED)} closed again, ${String(KNOWN)} closed already, ${String(FAILED)} not closed.`,
        );
        return FAILED === 0 ? 0 : 1;
      }),
    );
};
