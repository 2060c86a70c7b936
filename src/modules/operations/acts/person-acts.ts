import { findOperator, type OperatorRow } from '../../../db/customers/operator-list-store.ts';
import { countPasskeys } from '../../../db/customers/passkey-store.ts';
import { findPersonCustomer } from '../../../db/customers/person-store.ts';
import { findUser, type UserRow } from '../../../db/customers/user-store.ts';
import type { SystemTransaction } from '../../../db/client/database.ts';
import { APPROVAL_RIGHTS } from '../../../domain/approvals/approval-rights.ts';
import {
  ADDRESS_LENGTH_MAX,
  readEmailAddress,
} from '../../../domain/customers/access/email-address.ts';
import { OPERATOR_ROLES } from '../../../domain/customers/access/operator-rights.ts';
import { ID_PREFIXES, isId } from '../../../domain/ids.ts';
import { addOperatorByCommand } from '../../customers/access/add-operator.ts';
import { confirmOperator } from '../../customers/access/confirm-operator.ts';
import { disableOperator, type Disabling } from '../../customers/access/disable-operator.ts';
import type { OperatorAct } from '../../approvals/propose-approval.ts';
import { proposePasskeyRemoval } from '../../customers/access/remove-passkeys.ts';
import {
  defineAct,
  NO_SUBJECT,
  proposed,
  refused,
  type ActCommand,
  type ActDeps,
  type ActInputs,
  type ActOutcome,
  type ActRefused,
  type ActSubject,
} from './operator-act.ts';

const OPERATOR: ActSubject<OperatorRow> = {
  find: ({ db }, id) => db.system((tx) => findOperator(tx, id)),
  missing: (id) => `There is no active operator ${id}.`,
};

export const ADD_OPERATOR = defineAct({
  name: 'operators.add',
  ...{ title: 'Add an operator', submit: 'Add' },
  summary:
    'Adds an operator, who can log in immediately with a code sent to the address. An admin must confirm the operator in the console before the operator can approve anything.',
  ...{ right: 'write-operators', decidedBy: 'ONE', isReasonAsked: false, subject: NO_SUBJECT },
  inputs: {
    address: {
      ...{ label: 'Email address', what: 'the email address', lengthMax: ADDRESS_LENGTH_MAX },
      keyboard: 'email',
      check: (text) =>
        readEmailAddress(text) === null
          ? 'Enter an email address, for example name@example.com.'
          : null,
      ...{ option: '--address <address>', help: 'email address that receives login codes' },
    },
    name: {
      ...{ label: 'Name', what: 'the name', lengthMax: 100 },
      ...{ option: '--name <text>', help: 'name of the operator' },
    },
    role: {
      ...{ label: 'Role', what: 'the role', lengthMax: 20 },
      choices: OPERATOR_ROLES.map((value) => ({ value, word: value.toLowerCase() })),
      ...{ option: '--role <role>', help: 'role of the operator' },
    },
  },
  page: { none: 'The first operator must be added from the command line.' },
  command: { line: 'operators add' },
  words: () => 'Add an operator',
  async run(deps, { values, act: { operator } }) {
    const role = OPERATOR_ROLES.find((one) => one === values.role) ?? 'SUPPORT';
    const data = { address: readEmailAddress(values.address) ?? '', name: values.name, role };
    const added = await addOperatorByCommand(deps, data, operator);
    if (added === null) return refused('Another operator already has this address.');
    const more = added.isConfirmed
      ? ''
      : ' An admin must confirm the operator in the console before the operator can approve anything.';
    return { kind: 'DONE', text: `Operator ${added.id}, ${role.toLowerCase()}.${more}` };
  },
});

const notDisabled = (id: string, became: Exclude<Disabling, 'DONE'>): ActRefused =>
  refused(
    {
      NOT_ACTIVE: `There is no active operator ${id}.`,
      OWN: 'You cannot disable your own account.',
      LAST_ADMIN: `${id} is the last admin. Add another admin and have the account confirmed first.`,
    }[became],
  );

export const DISABLE_OPERATOR = defineAct({
  name: 'operators.disable',
  ...{ title: 'Disable an operator', submit: 'Disable', isDangerous: true },
  summary:
    'Ends all sessions of the operator immediately and prevents new logins. Open proposals of the operator can no longer be approved.',
  ...{ right: 'write-operators', decidedBy: 'ONE', inputs: {}, subject: OPERATOR },
  page: '/operators/:id/disable',
  command: { line: 'operators disable', id: { option: '<id>', help: 'opr_...' } },
  words: ({ id }) => `Disable operator ${id}`,
  async run(deps, { subject: { id }, act }) {
    const became = await disableOperator(deps, id, act);
    return became === 'DONE'
      ? { kind: 'DONE', text: `${id} is disabled.` }
      : notDisabled(id, became);
  },
});

export const CONFIRM_OPERATOR = defineAct({
  name: 'operators.confirm',
  ...{ title: 'Confirm an operator', submit: 'Confirm' },
  summary:
    'Confirms an operator who was added from the command line. The operator can then approve proposals of other operators. Verify the person’s identity first.',
  ...{ right: 'write-operators', decidedBy: 'ONE', inputs: {}, subject: OPERATOR },
  page: '/operators/:id/confirm',
  command: { none: 'An admin confirms operators in the console.' },
  words: ({ id }) => `Confirm operator ${id}`,
  run: async (deps, { subject: { id }, act }) =>
    (await confirmOperator(deps, id, act))
      ? { kind: 'DONE', text: `${id} is confirmed.` }
      : refused('The account is already confirmed, is not active, or is your own.'),
});

/** Of a person who may have lost their passkeys. */
interface Losable {
  readonly id: string;
  readonly status: string;
  readonly hasPasskeys: boolean;
}

const hasPasskeys = async (tx: SystemTransaction, id: string): Promise<boolean> =>
  (await countPasskeys(tx, [id])).size > 0;

const noPerson = (id: string): string => `There is no person ${id}.`;

/** Refuses where the person may not log in anyway, or has no passkey. */
function refuseUnlosable(person: Losable): ActRefused | null {
  const title = 'Not possible';
  if (person.status !== 'ACTIVE') return refused('The account is not active.', title);
  return person.hasPasskeys ? null : refused('The account has no passkey.', title);
}

const REMOVE_PASSKEYS = {
  ...{ title: 'Propose to remove lost passkeys', submit: 'Propose', isDangerous: true },
  summary:
    'Removes all passkeys of a person who lost them and ends all their sessions. Until the person adds a new passkey, the email inbox alone opens the account. An attacker who took over the inbox would request exactly this, so call the person back on a number that you already had.',
  right: APPROVAL_RIGHTS.REMOVE_PASSKEYS,
  decidedBy: 'TWO',
  inputs: {},
  words: ({ id }: Losable) => `Propose to remove all passkeys of ${id}`,
  async run(
    deps: ActDeps,
    asked: { readonly subject: Losable; readonly act: OperatorAct },
  ): Promise<ActOutcome> {
    const { id } = asked.subject;
    const came = await proposePasskeyRemoval(deps, id, asked.act);
    return came === 'NO_PERSON' ? refused(noPerson(id)) : proposed(came.proposalId, id);
  },
} as const;

const personId = <Subject>(
  takes: (id: string) => boolean,
  find?: (deps: ActDeps, id: string) => Promise<Subject | null>,
): ActCommand<Subject> => ({
  line: 'passkeys remove',
  id: { option: '<person>', help: 'usr_... or opr_...', takes, find },
});

export const REMOVE_OPERATOR_PASSKEYS = defineAct<OperatorRow & Losable, ActInputs>({
  name: 'operators.remove-passkeys',
  ...REMOVE_PASSKEYS,
  subject: {
    find: ({ db }, id) =>
      db.system(async (tx) => {
        const found = await findOperator(tx, id);
        return found && { ...found, hasPasskeys: await hasPasskeys(tx, id) };
      }),
    missing: noPerson,
  },
  page: '/operators/:id/lost-passkeys',
  command: personId((id) => isId(ID_PREFIXES.operator, id)),
  refusal: (person, { operator }) =>
    person.id === operator
      ? refused('Manage your own passkeys under Settings.', 'Not possible')
      : refuseUnlosable(person),
});

const findLosableUser = ({ db }: ActDeps, id: string): Promise<(UserRow & Losable) | null> =>
  db.system(async (tx) => {
    const customerId = await findPersonCustomer(tx, id);
    const found = customerId === null ? null : await findUser(tx, customerId, id);
    return found && { ...found, hasPasskeys: await hasPasskeys(tx, id) };
  });

export const REMOVE_OWNER_PASSKEYS = defineAct<UserRow & Losable, ActInputs>({
  name: 'owners.remove-passkeys',
  ...REMOVE_PASSKEYS,
  subject: {
    async find(deps, id) {
      const found = await findLosableUser(deps, id);
      // Other users have an owner who knows them. The command is for when the pages cannot be used.
      return found?.role === 'OWNER' ? found : null;
    },
    missing: noPerson,
  },
  page: '/owners/:id/lost-passkeys',
  command: personId((id) => !isId(ID_PREFIXES.operator, id), findLosableUser),
  refusal: refuseUnlosable,
});

export const PERSON_ACTS = [
  ...[ADD_OPERATOR, DISABLE_OPERATOR, CONFIRM_OPERATOR],
  ...[REMOVE_OPERATOR_PASSKEYS, REMOVE_OWNER_PASSKEYS],
] as const;
