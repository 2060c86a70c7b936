import { listOpenCases } from '../db/screening-case-store.ts';
import type { Environment } from '../domain/scope.ts';
import { partyOf } from '../screening/case-party.ts';
import type { AddCommands, OpsDeps } from './command-context.ts';
import { environmentOption, operatorOption, readName, reasonOption } from './option-values.ts';
import { proposeScreeningRelease, refuseScreeningCase } from './screening-decisions.ts';
import { showScreeningCase } from './show-screening-case.ts';
import { table } from './table.ts';

const LISTED_MAX = 1_000;

/** `screening list|show|refuse|release`: hits in the sanctions list. */
export const addScreeningCommands: AddCommands = (program, context) => {
  const screening = program.command('screening').description('hits in the sanctions list');

  screening
    .command('list')
    .description('hits that wait for a decision')
    .addOption(environmentOption())
    .action(({ environment }) => context.run((deps) => list(deps, environment ?? null)));

  const withCase = (verb: string, description: string) =>
    screening
      .command(verb)
      .description(description)
      .requiredOption('--case <id>', 'scr_..., as `screening list` prints it', readName)
      .addOption(reasonOption())
      .addOption(operatorOption(context));

  withCase('show', 'one hit with the names; the look is kept in the audit log').action(
    ({ case: id, ...act }) => context.run((deps) => showScreeningCase(deps, id, act)),
  );
  withCase('refuse', "it is the listed one: the party's payments fail").action(
    ({ case: id, ...act }) => context.run((deps) => refuseScreeningCase(deps, id, act)),
  );
  withCase(
    'release',
    'it is another one: propose to let payments go; a second operator approves',
  ).action(({ case: id, ...act }) => context.run((deps) => proposeScreeningRelease(deps, id, act)));
};

async function list(deps: OpsDeps, environment: Environment | null): Promise<number> {
  const cases = await deps.db.system((tx) => listOpenCases(tx, environment, LISTED_MAX + 1));
  if (cases.length === 0) {
    deps.print('No hit waits.');
    return 0;
  }
  deps.print(
    table(
      ['case', 'environment', 'customer', 'party', 'entries', 'since'],
      cases
        .slice(0, LISTED_MAX)
        .map((row) => [
          row.id,
          row.environment,
          row.customerId,
          partyOf(row).id,
          String(row.entryHashes.length),
          row.openedAt.toISOString(),
        ]),
    ),
  );
  if (cases.length > LISTED_MAX) deps.print('There are more.');
  return 0;
}
