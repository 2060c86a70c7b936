import { hasCustomer } from '../../../db/customers/customer-store.ts';
import {
  findIncomingCredit,
  type IncomingCreditRow,
} from '../../../db/ledger/incoming-credit-store.ts';
import {
  findStatement,
  findStatementByBankId,
} from '../../../db/reconciliation/statement-store.ts';
import { PLATFORM_ACCOUNT } from '../../../domain/platform-account.ts';
import { ENVIRONMENTS } from '../../../domain/scope.ts';
import { proposeAssignment } from '../../ledger/funding/assign-credit.ts';
import { proposeClosing } from '../../ledger/funding/close-credit.ts';
import { acceptRefusedStatement } from '../../reconciliation/accept-refused-statement.ts';
import { choicesOf } from './act-input.ts';
import { defineAct, proposed, refused, type ActRefused, type ActSubject } from './operator-act.ts';

type ShownCredit = IncomingCreditRow & { readonly bankStatementId: string };

const CREDIT: ActSubject<ShownCredit> = {
  find: ({ db }, id) => db.system((tx) => findIncomingCredit(tx, id)),
  missing: (id) => `There is no credit ${id}.`,
};
const CREDIT_ID = { option: '<id>', help: 'fc_..., as `credits list` prints it' };

function refuseDecided({ id, outcome, minor }: ShownCredit): ActRefused | null {
  const title = 'Nothing can be decided here';
  if (outcome !== null) return refused(`Credit ${id} was decided before: ${outcome}.`, title);
  return minor === null ? refused(`Credit ${id} has no amount that we can hold.`, title) : null;
}

export const ASSIGN_CREDIT = defineAct({
  name: 'credits.assign',
  ...{ title: 'Propose whose the credit is', submit: 'Propose' },
  summary: "Decide that an unmatched credit is a customer's.",
  ...{ right: 'decide-reconciliation', decidedBy: 'TWO' },
  inputs: {
    customer: {
      ...{ label: 'Customer', what: 'the customer’s id', lengthMax: 100 },
      hint: 'cus_..., as Customers shows it.',
      option: '--customer <id>',
      help: 'cus_..., as customers add printed it',
    },
  },
  subject: CREDIT,
  page: '/reconciliation/credits/:id/assign',
  command: { line: 'credits assign', id: CREDIT_ID },
  words: ({ id }, { customer = '' }) => `Propose that credit ${id} is of customer ${customer}`,
  refusal: refuseDecided,
  check: async ({ db }, _credit, { customer }) =>
    // Ours keeps what is unmatched: assigned to us it would be unmatched again.
    customer !== PLATFORM_ACCOUNT && (await db.system((tx) => hasCustomer(tx, customer)))
      ? []
      : [{ field: 'customer', message: `There is no customer ${customer}.` }],
  run: async (deps, { subject, values, act }) =>
    proposed(await proposeAssignment(deps, subject, values.customer, act), subject.id),
});

const LINES_MAX = 10_000_000;

export const CLOSE_CREDIT = defineAct({
  name: 'credits.close',
  ...{ title: 'Propose that the credit left again', submit: 'Propose' },
  summary: 'Decide that an unmatched credit was sent back at the bank by hand.',
  ...{ right: 'decide-reconciliation', decidedBy: 'TWO' },
  inputs: {
    statement: {
      label: 'Statement that shows it leave',
      ...{ what: 'the bank’s id of the statement', lengthMax: 100 },
      option: '--statement <id>',
      help: "the bank's id of the statement that shows it leave",
    },
    line: {
      ...{ label: 'Line of it', what: 'the number of the line', lengthMax: 8 },
      ...{ hint: 'A debit of the same amount.', keyboard: 'numeric' },
      check: (text) =>
        /^[1-9][0-9]*$/.test(text) && Number(text) <= LINES_MAX
          ? null
          : `It must be a number from 1 to ${String(LINES_MAX)}.`,
      option: '--line <number>',
      help: 'the line of it, a debit of the same amount',
    },
  },
  subject: CREDIT,
  page: '/reconciliation/credits/:id/close',
  command: { line: 'credits close', id: CREDIT_ID },
  words: ({ id }, { statement = '', line = '' }) =>
    `Propose that credit ${id} left the bank with line ${line} of statement ${statement}`,
  refusal: refuseDecided,
  check: async ({ db }, credit, { statement }) =>
    (await db.system((tx) => findStatementByBankId(tx, credit, statement))) === null
      ? [{ field: 'statement', message: `There is no statement ${statement} of that bank.` }]
      : [],
  async run(deps, { subject, values, act }) {
    const { statement, line } = values;
    const found = await deps.db.system((tx) => findStatementByBankId(tx, subject, statement));
    if (found === null) return refused(`There is no statement ${statement} of that bank.`);
    const where = { statementId: found.id, line: Number(line) };
    return proposed(await proposeClosing(deps, subject, where, act), subject.id);
  },
});

export const ACCEPT_STATEMENT = defineAct({
  name: 'statements.accept',
  ...{ title: 'Accept the number of a statement', submit: 'Accept' },
  summary:
    'Read a statement whose number was refused (SEQUENCE_JUMP), once the bank has confirmed the number. It is read with the next fetch.',
  ...{ right: 'decide-reconciliation', decidedBy: 'ONE', inputs: {} },
  subject: {
    find: async ({ db }, id) =>
      /^[0-9]{1,18}$/.test(id) ? db.system((tx) => findStatement(tx, BigInt(id))) : null,
    missing: (id) => `There is no statement ${id}.`,
  },
  page: '/statements/:id/accept',
  command: {
    line: 'statements accept',
    locator: {
      inputs: {
        id: {
          ...{ label: 'Statement', what: 'the statement', lengthMax: 100 },
          ...{ option: '<id>', help: "the bank's id of the statement" },
        },
        environment: {
          ...{ label: 'Environment', what: 'the environment', lengthMax: 4 },
          ...{ choices: choicesOf(ENVIRONMENTS), option: '--environment <name>' },
          help: 'test or live',
        },
        connector: {
          ...{ label: 'Bank', what: 'the bank', lengthMax: 100, preset: 'http-bank' },
          ...{ option: '--connector <name>', help: 'whose statement' },
        },
      },
      find: ({ db }, { id = '', environment, connector = '' }) =>
        db.system((tx) =>
          findStatementByBankId(
            tx,
            { environment: environment === 'live' ? 'live' : 'test', connector },
            id,
          ),
        ),
      missing: ({ id = '', environment = '', connector = '' }) =>
        `No statement ${id} of ${connector} (${environment}) was refused.`,
    },
  },
  words: ({ id }) => `Accept statement ${String(id)}`,
  async run(deps, { subject, act }) {
    const { bankStatementId: id, connector, environment, status } = subject;
    if (await acceptRefusedStatement(deps, subject, id, act)) {
      return { kind: 'DONE', text: `Statement ${id} is read with the next fetch.` };
    }
    return refused(
      `No statement ${id} of ${connector} (${environment}) was refused: it is ${status}.`,
      'Nothing to accept',
    );
  },
});

export const RECONCILIATION_ACTS = [ASSIGN_CREDIT, CLOSE_CREDIT, ACCEPT_STATEMENT] as const;
