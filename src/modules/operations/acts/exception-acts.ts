import { isMoneyCode } from '../../../domain/money/currencies.ts';
import { findExceptionAct } from '../../../db/reconciliation/exception-act-store.ts';
import { findPaymentForOps } from '../../../db/operations/ops-store.ts';
import { hasCustomer } from '../../../db/customers/customer-store.ts';
import { parseAmount } from '../../../domain/money/amount.ts';
import {
  DIFFERENCE_ACCOUNTS,
  EXCEPTION_ACTS,
  type DifferenceAccount,
  type ExceptionAct,
} from '../../../domain/reconciliation/exceptions/exception-act.ts';
import { EXCEPTION_RULES } from '../../../domain/reconciliation/exceptions/exception-rules.ts';
import { ENVIRONMENTS } from '../../../domain/scope.ts';
import { proposeExceptionSet } from '../../reconciliation/exceptions/propose-exception-set.ts';
import { fromExceptionPath } from '../../../domain/reconciliation/exceptions/exception-path.ts';
import {
  findShownException,
  type ShownException,
} from '../../reconciliation/exceptions/find-shown-exception.ts';
import { proposeExceptionAct } from '../../reconciliation/exceptions/propose-exception-act.ts';
import { proposeExceptionReversal } from '../../reconciliation/exceptions/reverse-exception-act.ts';
import { proposeLineTie } from '../../reconciliation/exceptions/tie-line.ts';
import { choicesOf } from './act-input.ts';
import { defineAct, NO_SUBJECT, proposed, refused, type ActSubject } from './operator-act.ts';
import { TRADE_REFERENCE } from './trade-reference.ts';

const EXCEPTION: ActSubject<ShownException> = {
  find: ({ db }, id) => db.system((tx) => findShownException(tx, fromExceptionPath(id))),
  missing: (id) => `There is no exception ${id}.`,
};

export const APPLY_EXCEPTION_ACT = defineAct({
  name: 'exceptions.apply',
  ...{ title: 'Propose to end the exception', submit: 'Propose' },
  summary:
    'Ends an exception of a statement or a payment. ACKNOWLEDGE moves no money. WRITE_OFF books the difference to an account of the platform. CREDIT_RETURN credits a customer with a payment that came back, or that the bank never paid. RECOVER charges a customer for money that left. TIE_TRADE ties a debit to a recorded cover trade.',
  ...{ right: 'decide-reconciliation', decidedBy: 'TWO' },
  inputs: {
    act: {
      ...{ label: 'Act', what: 'the act', lengthMax: 20, choices: choicesOf(EXCEPTION_ACTS) },
      ...{ option: '--act <act>', help: 'what ends it' },
    },
    account: {
      ...{ label: 'Account of the platform', what: 'the account', lengthMax: 20, isOptional: true },
      choices: choicesOf(Object.keys(DIFFERENCE_ACCOUNTS)),
      ...{
        option: '--account <account>',
        help: 'where the amount goes that no customer gets or pays',
      },
    },
    amount: {
      ...{ label: 'Amount', what: 'the amount', lengthMax: 30, isOptional: true },
      ...{ option: '--amount <amount>', help: 'credit or charge only so much, for example 12.50' },
    },
    payment: {
      ...{ label: 'Payment', what: 'the payment', lengthMax: 100, isOptional: true },
      ...{ option: '--payment <id>', help: 'pay_..., where the line names none' },
    },
    customer: {
      ...{ label: 'Customer', what: 'the customer', lengthMax: 100, isOptional: true },
      ...{
        option: '--customer <id>',
        help: 'cus_..., who is charged where the line names no payment',
      },
    },
    bothCame: {
      ...{ label: 'It may be the booking of another line', what: 'the answer', lengthMax: 3 },
      ...{ isOptional: true, choices: [{ value: 'yes', text: 'Both came' }] },
      hint: 'Only for money that may be the booking of another credit or return. Ask the bank first.',
      ...{
        option: '--both-came <yes>',
        help: 'yes: it and the credit or return that it resembles both came',
      },
    },
    trade: { ...TRADE_REFERENCE, isOptional: true, hint: 'Only with TIE_TRADE, and nothing else.' },
  },
  subject: EXCEPTION,
  page: '/reconciliation/exceptions/:id/act',
  command: {
    line: 'exceptions apply',
    id: { option: '<id>', help: 'from `exceptions list`' },
  },
  words: ({ id }, { act = '' }) => `Propose to end exception ${id} by ${act}`,
  refusal: ({ id, endedBy }) =>
    endedBy === null
      ? null
      : refused(`Act ${endedBy} has ended exception ${id}.`, 'No decision is possible'),
  async run(deps, { subject, values, act: by }) {
    const { act, account, amount, payment, customer, trade, bothCame } = values;
    if (act === 'TIE_TRADE' || trade !== '') {
      const others = [account, amount, payment, customer, bothCame];
      if (act !== 'TIE_TRADE' || trade === '' || others.some((other) => other !== '')) {
        return refused(
          'TIE_TRADE takes a cover trade and nothing else, and no other act takes one.',
        );
      }
      return proposed(await proposeLineTie(deps, subject, trade, by), subject.id);
    }
    if (amount !== '' && !isMoneyCode(subject.currency ?? '')) {
      return refused('The exception has no amount of a currency that payments have.');
    }
    const part = amount === '' ? null : parseAmount(amount, subject.currency ?? '');
    if (part !== null && !part.ok)
      return refused('The amount is not valid in the line’s currency.');
    const named =
      payment === '' ? null : await deps.db.system((tx) => findPaymentForOps(tx, payment));
    if (payment !== '' && named === null) return refused(`There is no payment ${payment}.`);
    if (named !== null && named.environment !== subject.environment) {
      return refused(`Payment ${payment} is of the other environment.`);
    }
    if (customer !== '' && !(await deps.db.system((tx) => hasCustomer(tx, customer)))) {
      return refused(`There is no customer ${customer}.`);
    }
    const wanted = {
      ...{ act: act as ExceptionAct, part: part?.minor ?? null, payment: named },
      account: account === '' ? null : (account as DifferenceAccount),
      ...{ customerId: customer === '' ? null : customer, bothCame: bothCame === 'yes' },
    };
    return proposed(await proposeExceptionAct(deps, subject, wanted, by), subject.id);
  },
});

const RULED_KINDS = [...new Set(EXCEPTION_RULES.map(({ kind }) => kind))];

export const PROPOSE_EXCEPTION_SET = defineAct({
  name: 'exceptions.propose',
  ...{ title: 'Propose what the rules suggest', submit: 'Propose' },
  summary:
    'Ends open exceptions of one kind by the acts that rules suggest, at most 200 at once. The proposal lists each exception and its act. Each is judged again when the proposal takes effect, and skipped if it has changed.',
  ...{ right: 'decide-reconciliation', decidedBy: 'TWO' },
  inputs: {
    kind: {
      ...{ label: 'Kind', what: 'the kind', lengthMax: 40, choices: choicesOf(RULED_KINDS) },
      ...{ option: '--kind <kind>', help: 'the kind of the exceptions' },
    },
    environment: {
      ...{ label: 'Environment', what: 'the environment', lengthMax: 4 },
      ...{ choices: choicesOf(ENVIRONMENTS), option: '--environment <name>' },
      help: 'test or live',
    },
    rule: {
      ...{ label: 'Rule', what: 'the rule', lengthMax: 40, isOptional: true },
      choices: choicesOf(EXCEPTION_RULES.map(({ name }) => name)),
      ...{ option: '--rule <name>', help: 'only what this rule suggests' },
    },
  },
  subject: NO_SUBJECT,
  page: '/reconciliation/exceptions/propose',
  command: { line: 'exceptions propose' },
  words: (_none, { kind = '', environment = '', rule = '' }) =>
    `Propose to end ${kind} in ${environment} by ${rule === '' ? 'every rule' : `rule ${rule}`}`,
  async run(deps, { values, act }) {
    const { kind, rule } = values;
    const environment = values.environment === 'live' ? 'live' : 'test';
    const wanted = { environment, kind, rule: rule === '' ? null : rule } as const;
    return proposed(await proposeExceptionSet(deps, wanted, act), `${environment}/${kind}`);
  },
});

export const REVERSE_EXCEPTION_ACT = defineAct({
  name: 'exceptions.reverse',
  ...{ title: 'Propose to reverse the act', submit: 'Propose' },
  summary:
    'Reverses an act that ended an exception, by contra entries. The exception is open again. An act is reversed once.',
  ...{ right: 'decide-reconciliation', decidedBy: 'TWO', inputs: {} },
  subject: {
    find: ({ db }, id) => db.system((tx) => findExceptionAct(tx, id)),
    missing: (id) => `There is no act ${id}.`,
  },
  page: '/reconciliation/exception-acts/:id/reverse',
  command: { line: 'exceptions reverse', id: { option: '<id>', help: 'exa_..., the act' } },
  words: ({ id }) => `Propose to reverse act ${id}`,
  refusal: ({ id, act, isReversed }) =>
    isReversed || act === 'REVERSE'
      ? refused(`Act ${id} is reversed, or is a reversal.`, 'No decision is possible')
      : null,
  run: async (deps, { subject, act }) =>
    proposed(await proposeExceptionReversal(deps, subject, act), subject.id),
});

export const EXCEPTION_DESK_ACTS = [
  ...[APPLY_EXCEPTION_ACT, PROPOSE_EXCEPTION_SET, REVERSE_EXCEPTION_ACT],
] as const;
