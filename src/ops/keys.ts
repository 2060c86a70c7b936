import { randomBytes } from 'node:crypto';
import { Option } from '@commander-js/extra-typings';
import { createApiKey } from '../customers/create-api-key.ts';
import type { Actor } from '../domain/actor.ts';
import { PUBLIC_ID_BYTES, SECRET_BYTES } from '../customers/api-key-token.ts';
import { READ_PERMISSIONS } from '../domain/keys/permissions.ts';
import type { KeyScope } from '../domain/keys/permissions.ts';
import type { Scope } from '../domain/scope.ts';
import { PlainError } from '../runtime/plain-error.ts';
import type { AddCommands, OpsDeps } from './command-context.ts';
import {
  customerOption,
  environmentOption,
  operatorOption,
  readName,
  scopeOption,
} from './option-values.ts';

export const addKeyCommands: AddCommands = (program, context) => {
  const keys = program.command('keys').description('give out API keys');

  keys
    .command('add')
    .description('create an API key; its token is shown once')
    .addOption(customerOption().makeOptionMandatory())
    .addOption(environmentOption().makeOptionMandatory())
    .requiredOption('--name <text>', 'what the key is for', readName)
    .option('--allow <cidr>', 'an address range it works from; may be repeated', append, [])
    .addOption(scopeOption())
    .addOption(
      new Option('--read-only', 'every scope that only reads').conflicts('scope').default(false),
    )
    .addOption(operatorOption(context))
    .action(({ customer, environment, name, allow, scope: picked, readOnly, operator }) =>
      context.run(async (deps) => {
        const scope = { customerId: customer, environment };
        const approvedBy = { kind: 'OPERATOR', name: operator } as const;
        const scopes = readOnly ? READ_PERMISSIONS : picked;
        await addKey(deps, scope, { name, scopes, approvedRanges: allow, approvedBy });
        return 0;
      }),
    );
};

const append = (range: string, before: readonly string[]): readonly string[] => [...before, range];

/** Creates an API key and shows its token, this once. */
async function addKey(
  deps: OpsDeps,
  scope: Scope,
  key: {
    readonly name: string;
    readonly scopes: readonly KeyScope[] | undefined;
    readonly approvedRanges: readonly string[];
    readonly approvedBy: Actor;
  },
): Promise<void> {
  const random = { publicId: randomBytes(PUBLIC_ID_BYTES), secret: randomBytes(SECRET_BYTES) };
  const token = await createApiKey(deps, scope, { ...key, random }).catch((error: unknown) => {
    if (error instanceof RangeError) throw new PlainError(error.message);
    throw error;
  });
  deps.print(`${token}\nThis is the only time that it is shown.`);
}
