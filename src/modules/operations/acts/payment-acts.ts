import { findTransferForOps } from '../../../db/onchain/chain-transfer-store.ts';
import {
  findPaymentForOps,
  readAttemptsForOps,
  type OpsAttempt,
  type OpsPayment,
} from '../../../db/operations/ops-store.ts';
import { findLateReturn } from '../../../db/payments/late-return-store.ts';
import type { ConfirmedOutcome } from '../../../domain/payments/confirm-outcome.ts';
import { askVoid, isVoidable } from '../../onchain/ask-void.ts';
import { proposeConfirmation } from '../../payments/confirm-outcome.ts';
import { retryInTime } from '../../payments/retry-held-payment.ts';
import { proposeLateReturn } from '../../payments/settle-late-return.ts';
import { defineAct, proposed, refused, type ActInput, type ActSubject } from './operator-act.ts';

const PAYMENT = { option: '<id>', help: 'pay_...' };

export const RETRY_PAYMENT = defineAct({
  name: 'payments.retry',
  ...{ title: 'Retry the payment', submit: 'Retry' },
  summary:
    'Take a held payment up again. The bank is asked first; if it never saw the payment, it is sent again.',
  ...{ right: 'decide-payments', decidedBy: 'ONE', needsTemporal: true, inputs: {} },
  subject: {
    find: ({ db }, id) => db.system((tx) => findPaymentForOps(tx, id)),
    missing: (id) => `There is no payment ${id}.`,
  },
  page: '/payments/:id/retry',
  command: { line: 'payments retry', id: PAYMENT },
  words: ({ id }) => `Retry payment ${id}`,
  async run(deps, { subject, act }) {
    const outcome = await retryInTime(deps, subject, act);
    if (outcome.kind === 'TAKEN') {
      return {
        kind: 'DONE',
        text: `Payment ${subject.id} is being retried: the bank is asked first. See: npm run ops -- payments show ${subject.id}`,
      };
    }
    return outcome.kind === 'NO_ANSWER'
      ? { kind: 'NO_ANSWER', why: outcome.why, isWritten: true }
      : refused(outcome.why, 'It was not retried');
  },
});

export const SETTLE_LATE_RETURN = defineAct({
  name: 'payments.settle-late-return',
  ...{ title: 'Propose what becomes of the money', submit: 'Propose' },
  summary: 'Decide what becomes of money that came back after its payment was final.',
  ...{ right: 'decide-payments', decidedBy: 'TWO' },
  inputs: {
    as: {
      ...{ label: 'What becomes of it', what: 'what becomes of it', lengthMax: 10 },
      choices: [
        { value: 'CREDIT', text: 'Credit it to the customer', word: 'credit' },
        { value: 'KEEP', text: 'Keep it in suspense', word: 'keep' },
      ],
      option: '--as <what>',
      help: 'credit: to the customer; keep: it stays in suspense',
    },
  },
  subject: {
    find: ({ db }, id) => db.system((tx) => findLateReturn(tx, id)),
    missing: (id) => `The bank says of no payment ${id} that it came back late.`,
  },
  page: '/payments/:id/late-return',
  command: { line: 'payments settle-late-return', id: PAYMENT },
  words: ({ paymentId }, { as }) =>
    `Propose ${as === 'CREDIT' ? 'to credit to the customer' : 'to keep in suspense'} what came back late of payment ${paymentId}`,
  async run(deps, { subject: { customerId, environment, paymentId }, values, act }) {
    const scope = { customerId, environment };
    const decision = values.as === 'CREDIT' ? 'CREDIT' : 'KEEP';
    return proposed(await proposeLateReturn(deps, scope, paymentId, decision, act), paymentId);
  },
});

/** A payment whose outcome the bank has told, and what it was asked. */
export interface AttemptedPayment {
  readonly payment: OpsPayment;
  readonly attempts: readonly OpsAttempt[];
}

const ATTEMPTED: ActSubject<AttemptedPayment> = {
  find: ({ db }, id) =>
    db.system(async (tx) => {
      const payment = await findPaymentForOps(tx, id);
      return payment === null ? null : { payment, attempts: await readAttemptsForOps(tx, id) };
    }),
  missing: (id) => `There is no payment ${id}.`,
};

const checkCode = (text: string): string | null =>
  /^[A-Za-z0-9][A-Za-z0-9 ./:_-]*$/.test(text)
    ? null
    : 'Enter a number or code, of letters, digits and . / : _ -';

const EVIDENCE = {
  attempt: {
    ...{ label: 'Attempt', what: 'the attempt', lengthMax: 35 },
    hint: 'Our reference, under which the bank knows it.',
    option: '--attempt <reference>',
    help: 'our reference of the attempt, as payments show prints it',
  },
  evidence: {
    ...{ label: 'Where the bank says so', what: 'where the bank says so', lengthMax: 70 },
    check: checkCode,
    hint: 'The number of its letter, message or case. It names no end-user.',
    option: '--evidence <number>',
    help: "the number of the bank's letter, message or case; it names no end-user",
  },
} as const satisfies Readonly<Record<string, ActInput>>;

const confirmWords = (title: string, { payment }: AttemptedPayment): string =>
  `${title}: ${payment.id}`;

const scopeOf = ({ customerId, environment }: OpsPayment) => ({ customerId, environment });

const SETTLED_TITLE = 'Propose that the bank paid it';
const FAILED_TITLE = 'Propose that the bank did not pay it';

export const CONFIRM_SETTLED = defineAct({
  name: 'payments.confirm-settled',
  ...{ title: SETTLED_TITLE, submit: 'Propose' },
  summary:
    'Confirm that the bank paid a payment. It is COMPLETED and its funds leave the balance, as if the bank had reported it. Nothing is sent.',
  ...{ right: 'decide-payments', decidedBy: 'TWO' },
  inputs: {
    ...EVIDENCE,
    bankReference: {
      label: 'The bank’s reference of the transfer',
      ...{ what: 'the bank’s reference', lengthMax: 70, check: checkCode },
      hint: 'The partner reads it.',
      option: '--bank-reference <reference>',
      help: "the bank's reference of the transfer; the partner reads it",
    },
  },
  subject: ATTEMPTED,
  page: '/payments/:id/confirm-settled',
  command: { line: 'payments confirm-settled', id: PAYMENT },
  words: (subject) => confirmWords(SETTLED_TITLE, subject),
  async run(deps, { subject: { payment }, values, act }) {
    const { attempt: reference, evidence, bankReference } = values;
    const outcome: ConfirmedOutcome = 'SETTLED';
    const said = { outcome, reference, evidence, bankReference };
    const proposal = proposeConfirmation(deps, scopeOf(payment), payment.id, said, act);
    return proposed(await proposal, payment.id);
  },
});

export const CONFIRM_FAILED = defineAct({
  name: 'payments.confirm-failed',
  ...{ title: FAILED_TITLE, submit: 'Propose', isDangerous: true },
  summary:
    'Confirm that the bank did not pay a payment. It is FAILED, its funds go back at once, and its partner may send the money anew: if the bank has paid it or still pays it, it is paid twice. Have it from the bank in writing that it has not and will not.',
  ...{ right: 'decide-payments', decidedBy: 'TWO', inputs: EVIDENCE },
  subject: ATTEMPTED,
  page: '/payments/:id/confirm-failed',
  command: { line: 'payments confirm-failed', id: PAYMENT },
  words: (subject) => confirmWords(FAILED_TITLE, subject),
  async run(deps, { subject: { payment }, values, act }) {
    const { attempt: reference, evidence } = values;
    const outcome: ConfirmedOutcome = 'FAILED';
    const said = { outcome, reference, evidence, bankReference: null };
    const proposal = proposeConfirmation(deps, scopeOf(payment), payment.id, said, act);
    return proposed(await proposal, payment.id);
  },
});

/** A transfer, by its reference or its payment's id. */
export const TRANSFER = {
  transfer: {
    ...{ label: 'Transfer', what: 'the transfer', lengthMax: 100 },
    ...{ option: '<reference|paymentId>', help: 'of the transfer' },
  },
} as const satisfies Readonly<Record<string, ActInput>>;

export const VOID_TRANSFER = defineAct({
  name: 'chain.void',
  ...{ title: 'Give the transfer up', submit: 'Give up', isDangerous: true },
  summary:
    'Give up a transfer over a chain that is not settled. What has not been sent fails at once, and its funds go back. Of what was sent the nonce is used up by a transaction that moves nothing: what is mined decides, so it may still be paid. While its network may have paid what is not known here, what has not been sent is noted as given up: it is never sent, and fails once every hot address of the network is open or given up, and none is found to have paid it.',
  ...{ right: 'decide-payments', decidedBy: 'ONE', needsTemporal: true, inputs: {} },
  subject: {
    async find({ db }, id) {
      const transfer = await db.system((tx) => findTransferForOps(tx, id));
      return transfer?.paymentId === id ? transfer : null;
    },
    missing: (id) => `There is no transfer over a chain of ${id}.`,
  },
  page: '/payments/:id/void',
  command: {
    line: 'chain void',
    locator: {
      inputs: TRANSFER,
      find: ({ db }, { transfer = '' }) => db.system((tx) => findTransferForOps(tx, transfer)),
      missing: ({ transfer = '' }) => `There is no transfer over a chain of ${transfer}.`,
    },
  },
  words: ({ reference, paymentId }) => `Give up transfer ${reference} of payment ${paymentId}`,
  refusal: (transfer) =>
    isVoidable(transfer)
      ? null
      : refused(
          `${transfer.reference} is not given up: it is settled, over, or noted as given up.`,
          'It was not given up',
        ),
  async run(deps, { subject, act }) {
    const { reference, paymentId, network } = subject;
    const outcome = await askVoid(deps, subject, act);
    if ('why' in outcome) {
      return outcome.kind === 'NO_ANSWER'
        ? { kind: 'NO_ANSWER', why: outcome.why, isWritten: true }
        : refused(outcome.why, 'It was not given up');
    }
    const rest =
      outcome.kind === 'GIVEN_UP'
        ? 'is given up; what is mined decides.'
        : `is noted as given up: it is not sent, and fails once every hot address of ${network} is open or given up, and none is found to have paid it.`;
    return { kind: 'DONE', text: `${reference} of payment ${paymentId} ${rest}` };
  },
});

export const PAYMENT_ACTS = [
  ...[RETRY_PAYMENT, SETTLE_LATE_RETURN],
  ...[CONFIRM_SETTLED, CONFIRM_FAILED, VOID_TRANSFER],
] as const;
