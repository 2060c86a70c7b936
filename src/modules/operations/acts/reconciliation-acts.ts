import { hasCustomer } from '../../../db/customers/customer-store.ts';
import {
  findIncomingCredit,
  isMarkedReturn,
  type IncomingCreditRow,
} from '../../../db/ledger/incoming-credit-store.ts';
import {
  findStatement,
  findStatementByBankId,
  type StatementRow,
} from '../../../db/reconciliation/statement-store.ts';
import {
  findDecidedAlike,
  findShownReturn,
} from '../../../db/reconciliation/booking-twin-store.ts';
import { PLATFORM_ACCOUNT } from '../../../domain/platform-account.ts';
import { ENVIRONMENTS } from '../../../domain/scope.ts';
import { proposeAssignment } from '../../ledger/funding/assign-credit.ts';
import { proposeClosing, proposeDismissal } from '../../ledger/funding/close-credit.ts';
import { proposeSums } from '../../reconciliation/accept-sums.ts';
import { acceptRefusedStatement } from '../../reconciliation/accept-refused-statement.ts';
import { proposeCreditTie } from '../../reconciliation/exceptions/tie-credit.ts';
import { choicesOf } from './act-input.ts';
import { BOTH_CAME, refuseAlike } from './both-came.ts';
import {
  defineAct,
  proposed,
  refused,
  type ActRefused,
  type ActSubject,
  type CommandLocator,
} from './operator-act.ts';
import { TRADE_REFERENCE } from './trade-reference.ts';

type ShownCredit = IncomingCreditRow & { readonly bankStatementId: string };

const CREDIT: ActSubject<ShownCredit> = {
  find: ({ db }, id) => db.system((tx) => findIncomingCredit(tx, id)),
  missing: (id) => `There is no credit ${id}.`,
};
const CREDIT_ID = { option: '<id>', help: 'fc_..., from `credits list`' };

function refuseDecided({ id, outcome, minor }: ShownCredit): ActRefused | null {
  const title = 'No decision is possible';
  if (outcome !== null) return refused(`Credit ${id} was already decided: ${outcome}.`, title);
  return minor === null
    ? refused(`Credit ${id} has no amount that a balance can hold.`, title)
    : null;
}

export const ASSIGN_CREDIT = defineAct({
  name: 'credits.assign',
  ...{ title: 'Propose to assign the credit', submit: 'Propose' },
  summary:
    'Assigns an unmatched credit to a customer and adds it to the customer’s balance. A credit that the bank marks as a return is assigned only if you state that it is none.',
  ...{ right: 'decide-reconciliation', decidedBy: 'TWO' },
  inputs: {
    customer: {
      ...{ label: 'Customer', what: 'the customer’s ID', lengthMax: 100 },
      hint: 'cus_..., from the Customers page.',
      option: '--customer <id>',
      help: 'cus_..., the customer that receives the credit',
    },
    notReturn: {
      ...{ label: 'The bank marks it as a return', what: 'the answer', lengthMax: 3 },
      ...{ isOptional: true, choices: [{ value: 'yes', text: 'It is no return of a payment' }] },
      hint: 'Only for a credit that the bank marks as a return. Ask the bank first.',
      option: '--not-return <yes>',
      help: 'yes: it is no return, although the bank marks it as one',
    },
    bothCame: BOTH_CAME,
  },
  subject: CREDIT,
  page: '/reconciliation/credits/:id/assign',
  command: { line: 'credits assign', id: CREDIT_ID },
  words: ({ id }, { customer = '' }) => `Propose to assign credit ${id} to customer ${customer}`,
  refusal: refuseDecided,
  async check({ db }, { id }, { customer, notReturn }) {
    // Ours keeps what is unmatched: assigned to us it would be unmatched again.
    const isKnown =
      customer !== PLATFORM_ACCOUNT && (await db.system((tx) => hasCustomer(tx, customer)));
    if (!isKnown) return [{ field: 'customer', message: `There is no customer ${customer}.` }];
    const isMarked = await db.system((tx) => isMarkedReturn(tx, id));
    if (isMarked === (notReturn === 'yes')) return [];
    const message = isMarked
      ? `The bank marks credit ${id} as a return. State that it is none, or end its exception as the return of a payment or by a write-off.`
      : `The bank does not mark credit ${id} as a return. Leave the answer out.`;
    return [{ field: 'notReturn', message }];
  },
  run: async (deps, { subject, values: { customer, notReturn, bothCame }, act }) => {
    const shown = await deps.db.system((tx) => findShownReturn(tx, subject.id));
    if (shown !== null) return refused(shown);
    const alike = await refuseAlike(deps, subject.id, bothCame);
    if (alike !== null) return alike;
    const wanted = {
      ...{ customerId: customer, isNoReturn: notReturn === 'yes', bothCame: bothCame === 'yes' },
    };
    return proposed(await proposeAssignment(deps, subject, wanted, act), subject.id);
  },
});

const LINES_MAX = 10_000_000;

const checkNumber = (text: string): string | null =>
  /^[1-9][0-9]*$/.test(text) && Number(text) <= LINES_MAX
    ? null
    : `Enter a number from 1 to ${String(LINES_MAX)}.`;

export const CLOSE_CREDIT = defineAct({
  name: 'credits.close',
  ...{ title: 'Propose to close the credit', submit: 'Propose' },
  summary:
    'Closes an unmatched credit that you sent back at the bank. You need the statement line that shows the money leave. A credit is also closed by the line of another report that shows it as the return of a payment: both are one booking.',
  ...{ right: 'decide-reconciliation', decidedBy: 'TWO' },
  inputs: {
    statement: {
      label: 'Statement',
      ...{ what: 'the bank’s ID of the statement', lengthMax: 100 },
      option: '--statement <id>',
      help: "the bank's ID of the statement that shows the money leave",
    },
    line: {
      ...{ label: 'Line', what: 'the number of the line', lengthMax: 8 },
      ...{ hint: 'A debit of the same amount, or the same return.', keyboard: 'numeric' },
      check: checkNumber,
      option: '--line <number>',
      help: 'line of the statement: a debit of the same amount, or the same return',
    },
  },
  subject: CREDIT,
  page: '/reconciliation/credits/:id/close',
  command: { line: 'credits close', id: CREDIT_ID },
  words: ({ id }, { statement = '', line = '' }) =>
    `Propose to close credit ${id} by line ${line} of statement ${statement}`,
  refusal: refuseDecided,
  check: async ({ db }, credit, { statement }) =>
    (await db.system((tx) => findStatementByBankId(tx, credit, statement))) === null
      ? [{ field: 'statement', message: `This bank has no statement ${statement}.` }]
      : [],
  async run(deps, { subject, values, act }) {
    const { statement, line } = values;
    const found = await deps.db.system((tx) => findStatementByBankId(tx, subject, statement));
    if (found === null) return refused(`This bank has no statement ${statement}.`);
    const where = { statementId: found.id, line: Number(line) };
    return proposed(await proposeClosing(deps, subject, where, act), subject.id);
  },
});

/** Its `resemblesCreditId` is also the later credit that resembles it, where that is decided. */
const ALIKE_CREDIT: ActSubject<ShownCredit> = {
  ...CREDIT,
  find: ({ db }, id) =>
    db.system(async (tx) => {
      const credit = await findIncomingCredit(tx, id);
      if (credit?.resemblesCreditId !== null) return credit;
      const alike = await findDecidedAlike(tx, id);
      return { ...credit, resemblesCreditId: alike?.id ?? null };
    }),
};

/** What it resembles; null where it is no possible duplicate. */
const resembled = (credit: ShownCredit) => {
  const { resemblesCreditId } = credit;
  return resemblesCreditId === null ? null : { ...credit, resemblesCreditId };
};

export const DISMISS_CREDIT = defineAct({
  name: 'credits.dismiss',
  ...{ title: 'Propose to dismiss the credit', submit: 'Propose' },
  summary:
    'Closes a possible duplicate (POSSIBLE_DUPLICATE) as the same booking as the earlier credit that it resembles. Where the later one is decided, it closes the earlier one. Ask the bank first: a dismissed credit is never credited.',
  ...{ right: 'decide-reconciliation', decidedBy: 'TWO', inputs: {} },
  subject: ALIKE_CREDIT,
  page: '/reconciliation/credits/:id/dismiss',
  command: { line: 'credits dismiss', id: CREDIT_ID },
  words: (credit) =>
    `Propose to dismiss credit ${credit.id} as the same booking as ${credit.resemblesCreditId ?? 'none'}`,
  refusal: (credit) =>
    resembled(credit) === null
      ? refused(`Credit ${credit.id} is not a possible duplicate.`, 'No decision is possible')
      : refuseDecided(credit),
  async run(deps, { subject, act }) {
    const credit = resembled(subject);
    if (credit === null) return refused(`Credit ${subject.id} is not a possible duplicate.`);
    return proposed(await proposeDismissal(deps, credit, act), subject.id);
  },
});

export const TIE_CREDIT = defineAct({
  name: 'credits.tie',
  ...{ title: 'Propose to tie the credit to a trade', submit: 'Propose' },
  summary:
    'Ties an unmatched credit to the recorded cover trade that bought it. It credits no customer.',
  ...{ right: 'decide-reconciliation', decidedBy: 'TWO' },
  inputs: { trade: TRADE_REFERENCE, bothCame: BOTH_CAME },
  subject: CREDIT,
  page: '/reconciliation/credits/:id/tie',
  command: { line: 'credits tie', id: CREDIT_ID },
  words: ({ id }, { trade = '' }) => `Propose to tie credit ${id} to cover trade ${trade}`,
  refusal: refuseDecided,
  async run(deps, { subject, values: { trade, bothCame }, act }) {
    const alike = await refuseAlike(deps, subject.id, bothCame);
    if (alike !== null) return alike;
    const wanted = { reference: trade, bothCame: bothCame === 'yes' };
    return proposed(await proposeCreditTie(deps, subject, wanted, act), subject.id);
  },
});

const STATEMENT: ActSubject<StatementRow> = {
  find: async ({ db }, id) =>
    /^[0-9]{1,18}$/.test(id) ? db.system((tx) => findStatement(tx, BigInt(id))) : null,
  missing: (id) => `There is no statement ${id}.`,
};

/** How commands name a statement: by the bank’s id of it. `what`: in the sentence that there is none. */
const statementLocator = (what: string): CommandLocator<StatementRow> => ({
  inputs: {
    id: {
      ...{ label: 'Statement', what: 'the statement', lengthMax: 100 },
      ...{ option: '<id>', help: "the bank's ID of the statement" },
    },
    environment: {
      ...{ label: 'Environment', what: 'the environment', lengthMax: 4 },
      ...{ choices: choicesOf(ENVIRONMENTS), option: '--environment <name>' },
      help: 'test or live',
    },
    connector: {
      ...{ label: 'Bank', what: 'the bank', lengthMax: 100, preset: 'http-bank' },
      ...{ option: '--connector <name>', help: 'name of the bank connector' },
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
    `There is no ${what} ${id} of ${connector} (${environment}).`,
});

export const ACCEPT_STATEMENT = defineAct({
  name: 'statements.accept',
  ...{ title: 'Accept the statement number', submit: 'Accept' },
  summary:
    'Accepts a statement that was refused because of its number (SEQUENCE_JUMP). Confirm the number with the bank first. The next fetch reads the statement.',
  ...{ right: 'decide-reconciliation', decidedBy: 'ONE', inputs: {} },
  subject: STATEMENT,
  page: '/statements/:id/accept',
  command: { line: 'statements accept', locator: statementLocator('refused statement') },
  words: ({ id }) => `Accept statement ${String(id)}`,
  async run(deps, { subject, act }) {
    const { bankStatementId: id, connector, environment, status } = subject;
    if (await acceptRefusedStatement(deps, subject, id, act)) {
      return { kind: 'DONE', text: `The next fetch reads statement ${id}.` };
    }
    return refused(
      `Statement ${id} of ${connector} (${environment}) was not refused. Its status is ${status}.`,
      'Nothing to accept',
    );
  },
});

export const ACCEPT_SUMS = defineAct({
  name: 'statements.accept-sums',
  ...{ title: 'Propose to accept the sums', submit: 'Propose' },
  summary:
    'Credits the lines of a statement that wait because its sums do not add up (UNPROVEN_SUM), as the lines say. Confirm the amounts with the bank first. The next fetch applies the lines.',
  ...{ right: 'decide-reconciliation', decidedBy: 'TWO' },
  inputs: {
    entry: {
      ...{ label: 'Entry', what: 'the number of the entry', lengthMax: 8, isOptional: true },
      hint: 'Leave it empty to accept the whole statement.',
      keyboard: 'numeric',
      check: checkNumber,
      option: '--entry <number>',
      help: 'only this entry of the statement',
    },
  },
  subject: STATEMENT,
  page: '/statements/:id/accept-sums',
  command: { line: 'statements accept-sums', locator: statementLocator('statement') },
  words: ({ bankStatementId }, { entry = '' }) =>
    entry === ''
      ? `Propose to accept the sums of statement ${bankStatementId}`
      : `Propose to accept the sums of entry ${entry} of statement ${bankStatementId}`,
  run: async (deps, { subject, values, act }) => {
    const entry = values.entry === '' ? null : Number(values.entry);
    return proposed(await proposeSums(deps, subject, entry, act), subject.bankStatementId);
  },
});

export const RECONCILIATION_ACTS = [
  ...[ASSIGN_CREDIT, CLOSE_CREDIT, DISMISS_CREDIT, TIE_CREDIT],
  ...[ACCEPT_STATEMENT, ACCEPT_SUMS],
] as const;
