import type { Command } from '@commander-js/extra-typings';
import { OPS_ROLES, type DatabaseRoles } from '../../db/schema/database-roles.ts';
import {
  createCommandProgram,
  runCommandProgram,
  type CommandOutput,
} from '../../server/runtime/command-program.ts';
import { addApprovalCommands } from './approvals.ts';
import { addAuditCommands } from './audit.ts';
import { addChainCommands } from './chain-keys.ts';
import type { CommandContext, OpsDeps, ReadOpsEnv } from './command-context.ts';
import { addCreditCommands } from './credits.ts';
import { addCustomerCommands } from './customers.ts';
import { addErasureCommands } from './erasures.ts';
import { addExceptionCommands } from './exceptions.ts';
import { addFxCommands } from './fx.ts';
import { addIdempotencyKeyCommands } from './idempotency-keys.ts';
import { addKeyCommands } from './keys.ts';
import { addKycCommands } from './kyc.ts';
import { addTermsCommands } from './live-terms.ts';
import { addMailCommands } from './mails.ts';
import { addOperatorCommands } from './operators.ts';
import { addPasskeyCommands } from './passkeys.ts';
import { addPaymentCommands } from './payments.ts';
import { addReleaseCommands } from './release.ts';
import { addRestoreCommands } from './restore.ts';
import { addScreeningCommands } from './screening.ts';
import { addSecretCommands } from './secrets.ts';
import { addStatementCommands } from './statements.ts';

/** Where a command line runs. */
export interface CommandLineDeps {
  readonly defaultOperator: string | undefined;
  readonly readEnv: ReadOpsEnv;
  /** Is called once, and only for a command line that is sound. */
  readonly open: (
    roles: DatabaseRoles,
  ) => Promise<OpsDeps & { readonly close: () => Promise<void> }>;
  readonly output: CommandOutput;
}

/**
 * Runs one command and answers its exit code: 0 it is done, 1 it is not, 2 the command line is wrong
 * (what is wrong was then written to `error`), 3 what it waited for was not approved. Throws what the command throws.
 */
export async function runCommandLine(
  args: readonly string[],
  deps: CommandLineDeps,
): Promise<number> {
  let exitCode = 0;
  const run: CommandContext['run'] = async (work, roles = OPS_ROLES) => {
    const opened = await deps.open(roles);
    try {
      exitCode = await work(opened);
    } finally {
      await opened.close();
    }
  };
  const { defaultOperator, readEnv, output } = deps;
  const print = (line: string) => {
    output.out(`${line}\n`);
  };
  const program = createProgram({ defaultOperator, readEnv, print, run }, output);
  return (await runCommandProgram(program, args)) ?? exitCode;
}

/** Every command, by noun. */
export function createProgram(context: CommandContext, output: CommandOutput): Command {
  // Before the commands: they take it over as it is when they are added.
  const program = createCommandProgram('npm run ops --', output)
    .showHelpAfterError("Add --help for the command's options.")
    .addHelpText('after', TARGETS);
  addPaymentCommands(program, context);
  addTermsCommands(program, context);
  addReleaseCommands(program, context);
  addRestoreCommands(program, context);
  addStatementCommands(program, context);
  addCreditCommands(program, context);
  addExceptionCommands(program, context);
  addScreeningCommands(program, context);
  addCustomerCommands(program, context);
  addMailCommands(program, context);
  addOperatorCommands(program, context);
  addPasskeyCommands(program, context);
  addKeyCommands(program, context);
  addKycCommands(program, context);
  addApprovalCommands(program, context);
  addAuditCommands(program, context);
  addErasureCommands(program, context);
  addIdempotencyKeyCommands(program, context);
  addSecretCommands(program, context);
  addFxCommands(program, context);
  addChainCommands(program, context);
  return program;
}

const TARGETS = `
Where the database and Temporal are: DATABASE_URL and TEMPORAL_ADDRESS, else the local run whose
state.json is in DATA_DIR (.dev). Exit codes: 0 done, 1 failed, 2 the command line is wrong, 3 with --wait: not
approved.`;
