import type { OperatorAct } from '../../modules/approvals/propose-approval.ts';
import { listOpenCases } from '../../db/parties/screening-case-store.ts';
import type { Environment } from '../../domain/scope.ts';
import { partyOf } from '../../modules/parties/screening/case-party.ts';
import type { AddCommands, OpsDeps } from './command-context.ts';
import {
  depositReviewTable,
  isDepositReview,
  proposeDepositKeeping,
  proposeDepositRelease,
  refuseDepositReview,
  showDepositReview,
} from './deposit-reviews.ts';
import { environmentOption, operatorOption, readName, reasonOption } from './option-values.ts';
import { proposeScreeningRelease, refuseScreeningCase } from './screening-decisions.ts';
import { showScreeningCase } from './show-screening-case.ts';
import { table } from './table.ts';
import {
  isWalletReview,
  proposeReviewRelease,
  refuseWalletReview,
  showWalletReview,
  walletReviewTable,
} from './wallet-reviews.ts';

const LISTED_MAX = 1_000;

/** What is done with a case of each kind: a hit of a name, a wallet's review, or a deposit. */
type CaseCommand = (deps: OpsDeps, id: string, act: OperatorAct) => Promise<number>;

const byKind =
  (ofName: CaseCommand, ofWallet: CaseCommand, ofDeposit: CaseCommand): CaseCommand =>
  (deps, id, act) => {
    if (isDepositReview(id)) return ofDeposit(deps, id, act);
    return (isWalletReview(id) ? ofWallet : ofName)(deps, id, act);
  };
const show = byKind(showScreeningCase, showWalletReview, showDepositReview);
const refuse = byKind(refuseScreeningCase, refuseWalletReview, refuseDepositReview);
const release = byKind(proposeScreeningRelease, proposeReviewRelease, proposeDepositRelease);

/** `screening list|show|refuse|release|keep`: hits in the sanctions list, and wallets and deposits under review. */
export const addScreeningCommands: AddCommands = (program, context) => {
  const screening = program
    .command('screening')
    .description('hits in the sanctions list, and wallets and deposits under review');

  screening
    .command('list')
    .description('hits that wait for a decision')
    .addOption(environmentOption())
    .action(({ environment }) => context.run((deps) => list(deps, environment ?? null)));

  const withCase = (verb: string, description: string) =>
    screening
      .command(verb)
      .description(description)
      .requiredOption(
        '--case <id>',
        'scr_..., wrv_... or dep_..., as `screening list` prints it',
        readName,
      )
      .addOption(reasonOption())
      .addOption(operatorOption(context));

  withCase('show', 'one case, a hit with the names; that look is kept in the audit log').action(
    ({ case: id, ...act }) => context.run((deps) => show(deps, id, act)),
  );
  withCase('refuse', 'it is the listed one: payments fail, and a deposit is blocked').action(
    ({ case: id, ...act }) => context.run((deps) => refuse(deps, id, act)),
  );
  withCase(
    'release',
    'it is another one: propose to let payments go, or to credit a deposit; a second operator approves',
  ).action(({ case: id, ...act }) => context.run((deps) => release(deps, id, act)));
  withCase(
    'keep',
    'a blocked deposit stays in suspense for good: propose it; a second operator approves',
  ).action(({ case: id, ...act }) => context.run((deps) => proposeDepositKeeping(deps, id, act)));
};

async function list(deps: OpsDeps, environment: Environment | null): Promise<number> {
  const cases = await deps.db.system((tx) => listOpenCases(tx, environment, LISTED_MAX + 1));
  const others = [
    await walletReviewTable(deps, environment, LISTED_MAX),
    await depositReviewTable(deps, environment, LISTED_MAX),
  ].filter((shown) => shown !== null);
  if (cases.length === 0) {
    deps.print(others.length === 0 ? 'No hit waits.' : others.join('\n\n'));
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
