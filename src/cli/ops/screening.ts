import type { OperatorAct } from '../../modules/approvals/propose-approval.ts';
import { listOpenCases } from '../../db/parties/screening-case-store.ts';
import type { Environment } from '../../domain/scope.ts';
import { partyOf } from '../../modules/parties/screening/case-party.ts';
import { actsOf, addActCommands, describeActs } from './act-commands.ts';
import type { AddCommands, OpsDeps } from './command-context.ts';
import { depositReviewTable, isDepositReview, showDepositReview } from './deposit-reviews.ts';
import { environmentOption, operatorOption, readName, reasonOption } from './option-values.ts';
import { showScreeningCase } from './show-screening-case.ts';
import { table } from './table.ts';
import { isWalletReview, showWalletReview, walletReviewTable } from './wallet-reviews.ts';

const LISTED_MAX = 1_000;

/** `screening list|show|refuse|release|keep`: hits in the sanctions list, and wallets and deposits under review. */
export const addScreeningCommands: AddCommands = (program, context) => {
  const screening = program
    .command('screening')
    .description('screening hits, and wallets and deposits in review');

  screening
    .command('list')
    .description('list hits that wait for a decision')
    .addOption(environmentOption())
    .action(({ environment }) => context.run((deps) => list(deps, environment ?? null)));

  screening
    .command('show')
    .description(
      `${describeActs(actsOf('screening show'))} Also shows a wallet or deposit in review.`,
    )
    .requiredOption(
      '--case <id>',
      'scr_..., wrv_... or dep_..., as `screening list` prints it',
      readName,
    )
    .addOption(reasonOption())
    .addOption(operatorOption(context))
    .action(({ case: id, ...act }) => context.run((deps) => show(deps, id, act)));
  addActCommands(screening, context, ['show']);
};

function show(deps: OpsDeps, id: string, act: OperatorAct): Promise<number> {
  if (isDepositReview(id)) return showDepositReview(deps, id);
  return isWalletReview(id) ? showWalletReview(deps, id) : showScreeningCase(deps, id, act);
}

async function list(deps: OpsDeps, environment: Environment | null): Promise<number> {
  const cases = await deps.db.system((tx) => listOpenCases(tx, environment, LISTED_MAX + 1));
  const others = [
    await walletReviewTable(deps, environment, LISTED_MAX),
    await depositReviewTable(deps, environment, LISTED_MAX),
  ].filter((shown) => shown !== null);
  if (cases.length === 0) {
    deps.print(others.length === 0 ? 'No hit is waiting.' : others.join('\n\n'));
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
  for (const shown of others) deps.print(`\n${shown}`);
  return 0;
}
