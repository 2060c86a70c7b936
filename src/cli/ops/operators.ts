import { listOperatorKeys, listUnsignedApprovals } from '../../db/approvals/operator-key-store.ts';
import type { OperatorKeysFile } from '../../server/config/operator-keys-config.ts';
import { listOperators } from '../../db/customers/operator-store.ts';
import { addActCommands } from './act-commands.ts';
import type { AddCommands, OpsDeps } from './command-context.ts';
import { table } from './table.ts';
import { writeNewFile } from './write-new-file.ts';

const LISTED_MAX = 1_000;

/** `operators add|disable|list`: there is no account before the first one is added here. */
export const addOperatorCommands: AddCommands = (program, context) => {
  const operators = program
    .command('operators')
    .description('people who can log in to the operator console');

  addActCommands(operators, context);
  operators
    .command('list')
    .description('list operators by ID, without names and addresses')
    .action(() => context.run(list));
  operators
    .command('init')
    .description('write the file of the keys that operators sign decisions with')
    .requiredOption('--file <path>', 'the new file, for OPERATOR_KEYS_FILE')
    .option(
      '--with-unsigned',
      'list the approvals that took effect unsigned: once, when decisions or their reasons begin to be signed',
    )
    .action(({ file, withUnsigned }) =>
      context.run((deps) => writeKeys(deps, file, withUnsigned === true)),
    );
};

/**
 * Writes the passkeys of all who may decide now. Who puts the file in place vouches for each of them. Unsigned approvals
 * are listed only where that is asked for: later, one of them can only be forged.
 */
async function writeKeys(deps: OpsDeps, path: string, withUnsigned: boolean): Promise<number> {
  const { keys, before } = await deps.db.system(async (tx) => ({
    keys: await listOperatorKeys(tx),
    before: withUnsigned ? await listUnsignedApprovals(tx) : [],
  }));
  const file: OperatorKeysFile = {
    origin: deps.opsUrl,
    keys: keys.map(({ operatorId, role, credentialId, publicKey }) => ({
      ...{ operator: operatorId, role, credentialId: credentialId.toString('base64url') },
      publicKey: publicKey.toString('base64url'),
    })),
    ...(withUnsigned
      ? {
          before: before.map(({ id, customerId, environment, contentHash }) => ({
            ...{ approval: id, customer: customerId, environment },
            contentHash: contentHash.toString('hex'),
          })),
        }
      : {}),
  };
  writeNewFile(path, `${JSON.stringify(file, null, 2)}\n`);
  deps.print(
    `${path} names ${String(keys.length)} passkeys of ${String(new Set(keys.map(({ operatorId }) => operatorId)).size)} operators${withUnsigned ? `, and ${String(before.length)} approvals that nobody signed with a reason` : ''}.`,
  );
  deps.print(
    'Check each operator and role with the person. Copy `fileKeys` and `before` from the file in use. Then replace that file.',
  );
  return 0;
}

async function list(deps: OpsDeps): Promise<number> {
  const rows = await deps.db.system((tx) => listOperators(tx, LISTED_MAX));
  if (rows.length === 0) {
    deps.print('There is no operator. Add one: npm run ops -- operators add');
    return 0;
  }
  deps.print(
    table(
      ['operator', 'role', 'status', 'passkeys', 'since'],
      rows.map(({ id, role, status, passkeys, createdAt }) => [
        ...[id, role.toLowerCase(), status, String(passkeys)],
        createdAt.toISOString(),
      ]),
    ),
  );
  return 0;
}
