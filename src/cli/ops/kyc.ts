import { Option } from '@commander-js/extra-typings';
import { ApprovalRefused } from '../../modules/approvals/decide-approval.ts';
import type { OperatorAct } from '../../modules/approvals/propose-approval.ts';
import { findKycCheckForOps } from '../../db/parties/kyc-ops-store.ts';
import type { KycCheckRef } from '../../domain/workflows/work-refs.ts';
import { OVERRIDE_STATUSES, type OverrideStatus } from '../../modules/parties/kyc/override-kyc.ts';
import { proposeOverride } from '../../modules/parties/kyc/propose-override.ts';
import { revokeKyc } from '../../modules/parties/kyc/revoke-kyc.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import type { AddCommands, OpsDeps } from './command-context.ts';
import { handedIn } from './handed-in.ts';
import { operatorOption, readName, reasonOption } from './option-values.ts';

/** `kyc revoke` takes one operator, for it narrows; `kyc override` takes two. */
export const addKycCommands: AddCommands = (program, context) => {
  const kyc = program.command('kyc').description('what operators decide of KYC checks');
  const checkOption = () => new Option('--check <id>', 'kyc_...').argParser(readName);
  kyc
    .command('revoke')
    .description('take an approval back; no payment of the end-user leaves once the command ends')
    .addOption(checkOption().conflicts('endUser'))
    .addOption(new Option('--end-user <id>', 'eu_...: their newest check').argParser(readName))
    .addOption(reasonOption())
    .addOption(operatorOption(context))
    .action(({ check, endUser, ...act }, command) => {
      if (check === undefined && endUser === undefined) {
        return command.error("error: option '--check' not specified, nor --end-user");
      }
      const wanted = check === undefined ? { endUserId: endUser ?? '' } : { kycCheckId: check };
      return context.run(async (deps) => revoke(deps, await findCheck(deps, wanted), act));
    });

  kyc
    .command('override')
    .description('propose a state that two operators then approve in the console')
    .addOption(checkOption().makeOptionMandatory())
    .addOption(
      new Option('--to <status>', 'the state').choices(OVERRIDE_STATUSES).makeOptionMandatory(),
    )
    .addOption(reasonOption())
    .addOption(operatorOption(context))
    .action(({ check, to, ...act }) =>
      context.run(async (deps) => {
        const ref = await findCheck(deps, { kycCheckId: check });
        return propose(deps, ref, to, act);
      }),
    );
};

async function findCheck(
  deps: OpsDeps,
  wanted: Parameters<typeof findKycCheckForOps>[1],
): Promise<KycCheckRef> {
  const check = await deps.db.system((tx) => findKycCheckForOps(tx, wanted));
  if (check !== null) return check;
  throw new PlainError(
    'kycCheckId' in wanted
      ? `There is no KYC check ${wanted.kycCheckId}.`
      : `There is no KYC check of an end-user ${wanted.endUserId}.`,
  );
}

async function revoke(deps: OpsDeps, check: KycCheckRef, act: OperatorAct): Promise<number> {
  const { kycCheckId, endUserId, customerId, environment } = check;
  const scope = { customerId, environment };
  const found = await deps.db.write(scope, (tx) =>
    revokeKyc(tx, scope, check, act, deps.clock.now()),
  );
  if (found !== 'APPROVED') {
    throw new PlainError(`${kycCheckId} is ${found ?? 'gone'}: there is no approval to take back.`);
  }
  deps.print(`Revoked: ${kycCheckId} of ${endUserId}. A new check may be started.`);
  return 0;
}

async function propose(
  deps: OpsDeps,
  check: KycCheckRef,
  to: OverrideStatus,
  act: OperatorAct,
): Promise<number> {
  const { kycCheckId } = check;
  const id = await proposeOverride(deps, check, to, act).catch(sayWhyRefused);
  if (id === null) {
    throw new PlainError(
      `A proposal about ${kycCheckId} waits already. See: npm run ops -- approvals list`,
    );
  }
  deps.print(`${handedIn(id)}\nThen ${kycCheckId} becomes ${to}.`);
  return 0;
}

function sayWhyRefused(error: unknown): never {
  throw error instanceof ApprovalRefused ? new PlainError(error.message) : error;
}
