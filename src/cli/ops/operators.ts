import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { addOperator } from '../../modules/customers/access/add-person.ts';
import { disableOperator } from '../../modules/customers/access/disable-operator.ts';
import type { OperatorAct } from '../../modules/approvals/propose-approval.ts';
import { recordAudit } from '../../db/operations/audit-store.ts';
import { findOperator } from '../../db/customers/operator-list-store.ts';
import { listOperators } from '../../db/customers/operator-store.ts';
import { readEmailAddress } from '../../domain/customers/access/email-address.ts';
import {
  OPERATOR_ROLES,
  type OperatorRole,
} from '../../domain/customers/access/operator-rights.ts';
import { tellOperators } from '../../modules/customers/mail/tell-operators.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import type { AddCommands, OpsDeps } from './command-context.ts';
import { operatorOption, readName, reasonOption } from './option-values.ts';
import { table } from './table.ts';

const LISTED_MAX = 1_000;

export function readAddress(text: string): string {
  const address = readEmailAddress(text);
  if (address === null) throw new InvalidArgumentError('It must be an address, as name@host.tld.');
  return address;
}

/** `operators add|disable|list`: there is no account before the first one is added here. */
export const addOperatorCommands: AddCommands = (program, context) => {
  const operators = program
    .command('operators')
    .description("who may log in to the operators' console");

  operators
    .command('add')
    .description('add an operator, who can log in at once: a code goes to the address')
    .requiredOption('--address <address>', 'the e-mail address that codes go to', readAddress)
    .requiredOption('--name <text>', 'as they are called', readName)
    .addOption(
      new Option('--role <role>', 'what they may do')
        .choices(OPERATOR_ROLES.map((role) => role.toLowerCase()))
        .makeOptionMandatory(),
    )
    .addOption(operatorOption(context))
    .action(({ address, name, role, operator }) =>
      context.run(async (deps) => {
        const data = { address, name, role: role.toUpperCase() as OperatorRole };
        const { id, isConfirmed } = await add(deps, data, operator);
        const more = isConfirmed ? '' : ' An admin confirms it in the console before it approves.';
        deps.print(`Operator ${id}, ${role}.${more}`);
        return 0;
      }),
    );

  operators
    .command('disable')
    .description('disable an operator; their sessions end at once')
    .argument('<id>', 'opr_...', readName)
    .addOption(reasonOption())
    .addOption(operatorOption(context))
    .action((id, { reason, operator }) =>
      context.run(async (deps) => {
        await disable(deps, id, { reason, operator });
        deps.print(`${id} is disabled.`);
        return 0;
      }),
    );

  operators
    .command('list')
    .description('operators by id, without names and addresses')
    .action(() => context.run(list));
};

function add(
  deps: OpsDeps,
  data: { readonly address: string; readonly name: string; readonly role: OperatorRole },
  operator: string,
): Promise<{ readonly id: string; readonly isConfirmed: boolean }> {
  return deps.db.system(async (tx) => {
    const id = await addOperator(deps, tx, data);
    if (id === null) throw new PlainError('An operator has this address already.');
    await recordAudit(tx, {
      at: deps.clock.now(),
      actor: { kind: 'OPERATOR', name: operator },
      action: 'operator.add',
      scope: { customerId: null, environment: null },
      subject: id,
      details: { role: data.role },
    });
    const confirmed = (await findOperator(tx, id))?.confirmedAt ?? null;
    const facts = {
      ...{ operatorId: id, role: data.role, isConfirmed: confirmed !== null },
      url: `${deps.opsUrl}/operators`,
    };
    // Who has a shell must not make a second operator unseen. The sweep sends the mails.
    const watching = { roles: ['ADMIN', 'COMPLIANCE'], but: id };
    await tellOperators(deps, tx, watching, { kind: 'OPS_OPERATOR_ADDED', facts });
    return { id, isConfirmed: confirmed !== null };
  });
}

async function disable(deps: OpsDeps, id: string, act: OperatorAct): Promise<void> {
  const became = await disableOperator(deps, id, act);
  if (became === 'LAST_ADMIN') {
    throw new PlainError(
      `${id} is the last admin: no one could confirm another one. Add one, and have it confirmed first.`,
    );
  }
  if (became !== 'DONE') throw new PlainError(`There is no active operator ${id}.`);
}

async function list(deps: OpsDeps): Promise<number> {
  const rows = await deps.db.system((tx) => listOperators(tx, LISTED_MAX));
  if (rows.length === 0) {
    deps.print('There is no operator: npm run ops -- operators add');
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
