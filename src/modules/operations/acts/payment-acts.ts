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
    'Continues a held payment. The engine asks the bank first. It sends the payment again only if the bank never saw it.',
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
        text: `Retrying payment ${subject.id}. The engine asks the bank first. See: npm run ops -- payments show ${subject.id}`,
      };
    }
    return outcome.kind === 'NO_ANSWER'
      ? { kind: 'NO_ANSWER', why: outcome.why, isWritten: true }
      : refused(outcome.why, 'The payment was not retried');
  },
});

export const SETTLE_LATE_RETURN = defineAct({
  name: 'payments.settle-late-return',
  ...{ title: 'Propose how to settle a late return', submit: 'Propose' },
  summary:
    'Credits money that came back after its payment was final to the customer, or keeps it in suspense.',
  ...{ right: 'decide-payments', decidedBy: 'TWO' },
  inputs: {
    as: {
      ...{ label: 'Decision', what: 'the decision', lengthMax: 10 },
      choices: [
        { value: 'CREDIT', text: 'Credit it to the customer', word: 'credit' },
        { value: 'KEEP', text: 'Keep it in suspense', word: 'keep' },
      ],
      option: '--as <decision>',
      help: 'credit: to the customer; keep: in suspense',
    },
  },
  subject: {
    find: ({ db }, id) => db.system((tx) => findLateReturn(tx, id)),
    missing: (id) => `Payment ${id} has no late return.`,
  },
  page: '/payments/:id/late-return',
  command: { line: 'payments settle-late-return', id: PAYMENT },
  words: ({ paymentId }, { as }) =>
    `Propose to ${as === 'CREDIT' ? 'credit the late return to the customer' : 'keep the late return in suspense'}: payment ${paymentId}`,
  async run(deps, { subject: { customerId, environment, paymentId }, values, act }) {
    const scope = { customerId, environment };
    const decision = values.as === 'CREDIT' ? 'CREDIT' : 'KEEP';
    return proposed(await proposeLateReturn(deps, scope, paymentId, decision, act), paymentId);
  },
});

/** A payment and its attempts. */
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
    : 'Enter a number or code. Use letters, digits, spaces, and the characters . / : _ -';

const EVIDENCE = {
  attempt: {
    ...{ label: 'Attempt', what: 'the attempt', lengthMax: 35 },
    hint: 'Our reference of the attempt. The bank knows the payment by it.',
    option: '--attempt <reference>',
    help: 'our reference of the attempt, from `payments show`',
  },
  evidence: {
    ...{ label: 'Evidence', what: 'the evidence', lengthMax: 70 },
    check: checkCode,
    hint: 'The number of the bank’s letter, message, or case. Do not name an end-user.',
    option: '--evidence <number>',
    help: "number of the bank's letter, message, or case; do not name an end-user",
  },
} as const satisfies Readonly<Record<string, ActInput>>;

const confirmWords = (title: string, { payment }: AttemptedPayment): string =>
  `${title}: ${payment.id}`;

const scopeOf = ({ customerId, environment }: OpsPayment) => ({ customerId, environment });

const SETTLED_TITLE = 'Propose to confirm as paid';
const FAILED_TITLE = 'Propose to confirm as not paid';

export const CONFIRM_SETTLED = defineAct({
  name: 'payments.confirm-settled',
  ...{ title: SETTLED_TITLE, submit: 'Propose' },
  summary:
    'Marks the payment COMPLETED, as if the bank had reported it. The reserved funds leave the balance. Nothing is sent to the bank. Get the bank’s confirmation in writing first.',
  ...{ right: 'decide-payments', decidedBy: 'TWO' },
  inputs: {
    ...EVIDENCE,
    bankReference: {
      label: 'Bank reference',
      ...{ what: 'the bank’s reference', lengthMax: 70, check: checkCode },
      hint: 'The bank’s reference of the transfer. The partner sees it.',
      option: '--bank-reference <reference>',
      help: "the bank's reference of the transfer; the partner sees it",
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
    'Marks the payment FAILED and returns its funds immediately. The partner may then send the money again. If the bank has paid the payment or still pays it, the money is paid twice. Get the bank’s confirmation in writing that it has not paid and will not pay.',
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
    ...{ option: '<reference|paymentId>', help: 'reference of the transfer, or ID of its payment' },
  },
} as const satisfies Readonly<Record<string, ActInput>>;

export const VOID_TRANSFER = defineAct({
  name: 'chain.void',
  ...{ title: 'Void the blockchain transfer', submit: 'Void', isDangerous: true },
  summary:
    'Voids a blockchain transfer that has not settled. A transfer that was not sent fails immediately, and its funds are returned. For a transfer that was sent, the engine uses its nonce for a transaction that moves nothing. The mined transaction decides, so the payment can still be paid. After a restore, a transfer that was not sent is marked as voided and is never sent. It fails when every hot address of the network is open or retired and none of them paid it.',
  ...{ right: 'decide-payments', decidedBy: 'ONE', needsTemporal: true, inputs: {} },
  subject: {
    async find({ db }, id) {
      const transfer = await db.system((tx) => findTransferForOps(tx, id));
      return transfer?.paymentId === id ? transfer : null;
    },
    missing: (id) => `There is no blockchain transfer of ${id}.`,
  },
  page: '/payments/:id/void',
  command: {
    line: 'chain void',
    locator: {
      inputs: TRANSFER,
      find: ({ db }, { transfer = '' }) => db.system((tx) => findTransferForOps(tx, transfer)),
      missing: ({ transfer = '' }) => `There is no blockchain transfer of ${transfer}.`,
    },
  },
  words: ({ reference, paymentId }) => `Void transfer ${reference} of payment ${paymentId}`,
  refusal: (transfer) =>
    isVoidable(transfer)
      ? null
      : refused(
          `${transfer.reference} cannot be voided. It is settled, ended, or already voided.`,
          'It was not voided',
        ),
  async run(deps, { subject, act }) {
    const { reference, paymentId, network } = subject;
    const outcome = await askVoid(deps, subject, act);
    if ('why' in outcome) {
      return outcome.kind === 'NO_ANSWER'
        ? { kind: 'NO_ANSWER', why: outcome.why, isWritten: true }
        : refused(outcome.why, 'It was not voided');
    }
    const rest =
      outcome.kind === 'GIVEN_UP'
        ? 'is being voided. The mined transaction decides.'
        : `is marked as voided and is never sent. It fails when every hot address of ${network} is open or retired and none of them paid it.`;
    return { kind: 'DONE', text: `${reference} of payment ${paymentId} ${rest}` };
  },
});

export const PAYMENT_ACTS = [
  ...[RETRY_PAYMENT, SETTLE_LATE_RETURN],
  ...[CONFIRM_SETTLED, CONFIRM_FAILED, VOID_TRANSFER],
] as const;
