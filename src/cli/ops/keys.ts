import { summaryOf } from '../../modules/operations/acts/written-out-acts.ts';
import { randomBytes } from 'node:crypto';
import { Option } from '@commander-js/extra-typings';
import { createApiKey, type KeyOrder } from '../../modules/customers/create-api-key.ts';
import { KeyRefused } from '../../modules/customers/key-refused.ts';
import { PUBLIC_ID_BYTES, SECRET_BYTES } from '../../modules/customers/api-key-token.ts';
import { READ_PERMISSIONS } from '../../domain/customers/keys/permissions.ts';
import type { Scope } from '../../domain/scope.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import type { AddCommands, OpsDeps } from './command-context.ts';
import {
  customerOption,
  environmentOption,
  operatorOption,
  readName,
  scopeOption,
} from './option-values.ts';

export const addKeyCommands: AddCommands = (program, context) => {
  const keys = program.command('keys').description('create API keys');

  keys
    .command('add')
    .description(summaryOf('keys add'))
    .addOption(customerOption().makeOptionMandatory())
    .addOption(environmentOption().makeOptionMandatory())
    .requiredOption('--name <text>', 'what the key is for', readName)
    .option(
      '--allow <cidr>',
      'allowed address range; repeatable; two operators approve it for a live key',
      append,
      [],
    )
    .addOption(scopeOption())
    .addOption(new Option('--read-only', 'all read scopes').conflicts('scope').default(false))
    .addOption(operatorOption(context))
    .action(({ customer, environment, name, allow, scope: picked, readOnly, operator }) =>
      context.run(async (deps) => {
        const scope = { customerId: customer, environment };
        const scopes = readOnly ? READ_PERMISSIONS : picked;
        const by = { kind: 'OPERATOR', name: operator } as const;
        await addKey(deps, scope, { name, ranges: allow, by, ...(scopes && { scopes }) });
        return 0;
      }),
    );
};

const append = (range: string, before: readonly string[]): readonly string[] => [...before, range];

/** Creates an API key and shows its token, this once. Owners are mailed by the reconciler. */
async function addKey(deps: OpsDeps, scope: Scope, order: Omit<KeyOrder, 'random'>): Promise<void> {
  const random = { publicId: randomBytes(PUBLIC_ID_BYTES), secret: randomBytes(SECRET_BYTES) };
  const { token, id } = await deps.db
    .system((tx) => createApiKey(deps, tx, scope, { ...order, random }))
    .catch((error: unknown) => {
      throw error instanceof KeyRefused ? new PlainError(error.message) : error;
    });
  deps.print(`${token}\nThe token is shown only once.`);
  if (scope.environment === 'test') return;
  const waits =
    order.ranges === undefined || order.ranges.length === 0
      ? 'No address is on its list yet'
      : 'Its addresses wait for two operators, in the console under Requests';
  deps.print(`${id} is refused from every address for now. ${waits}.`);
}
