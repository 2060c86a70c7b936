import {
  findPaymentForOps,
  readAttemptsForOps,
  type OpsAttempt,
  type OpsPayment,
} from '../../../../db/operations/ops-store.ts';
import type { ConfirmedOutcome } from '../../../../domain/payments/confirm-outcome.ts';
import { formatAmount } from '../../../../domain/money/amount.ts';
import { proposeConfirmation } from '../../../../modules/payments/confirm-outcome.ts';
import type { FieldProblem, FormRules } from '../../../kit/forms/form-rules.ts';
import { noSuchPage } from '../../../kit/page-refusal.ts';
import { SelectField, TextField } from '../../../kit/parts/field.tsx';
import type { WebApp } from '../../../kit/web-deps.ts';
import { proposedPage } from '../../acts/proposed-page.ts';
import { serveAct } from '../../acts/serve-act.tsx';
import type { ConsoleDeps } from '../../console-deps.ts';
import { AttemptsTable } from './attempts.tsx';

interface Subject {
  readonly payment: OpsPayment;
  readonly attempts: readonly OpsAttempt[];
}

const checkCode = (text: string): string | null =>
  /^[A-Za-z0-9][A-Za-z0-9 ./:_-]*$/.test(text)
    ? null
    : 'Enter a number or code, of letters, digits and . / : _ -';

const FIELDS = {
  attempt: { what: 'the attempt', lengthMax: 35 },
  evidence: { what: 'where the bank says so', lengthMax: 70, check: checkCode },
} as const satisfies FormRules;

const WITH_BANK_REFERENCE = {
  ...FIELDS,
  bankReference: { what: 'the bank’s reference', lengthMax: 70, check: checkCode },
} as const satisfies FormRules;

/** What each of the two does, for who proposes it. */
const WORDS: Readonly<Record<ConfirmedOutcome, { readonly title: string; readonly does: string }>> =
  {
    SETTLED: {
      title: 'Propose that the bank paid it',
      does: 'It is COMPLETED and its funds leave the balance, as if the bank had reported it. Nothing is sent.',
    },
    FAILED: {
      title: 'Propose that the bank did not pay it',
      does: 'It is FAILED, its funds go back at once, and its partner may send the money anew: if the bank has paid it or still pays it, it is paid twice. Have it from the bank in writing that it has not and will not.',
    },
  };

/** /payments/{id}/confirm-settled and confirm-failed, which another operator approves. */
export function serveConfirmActs(app: WebApp, deps: ConsoleDeps): void {
  const common = {
    ...({ current: '/payments', right: 'decide-payments', actingIn: 'system' } as const),
    load: ({ id }: { readonly id: string }) => load(deps, id),
  };
  serveAct(app, deps, {
    ...{ ...common, path: '/payments/:id/confirm-settled', fields: WITH_BANK_REFERENCE },
    page: (subject) => pageOf(subject, 'SETTLED'),
    inputs: (subject, values, problems) => (
      <>
        <Inputs {...{ subject, values, problems }} />
        <TextField
          name="bankReference"
          label="The bank’s reference of the transfer"
          hint="The partner reads it."
          value={values.bankReference ?? ''}
          problems={problems}
          isRequired
        />
      </>
    ),
    async perform({ subject: { payment }, values, act, deps: acting }) {
      const { attempt: reference, evidence, bankReference } = values;
      const said = { outcome: 'SETTLED', reference, evidence, bankReference } as const;
      return proposedPage(
        await proposeConfirmation(acting, scopeOf(payment), payment.id, said, act),
      );
    },
  });
  serveAct(app, deps, {
    ...{ ...common, path: '/payments/:id/confirm-failed', fields: FIELDS },
    page: (subject) => pageOf(subject, 'FAILED'),
    inputs: (subject, values, problems) => <Inputs {...{ subject, values, problems }} />,
    async perform({ subject: { payment }, values, act, deps: acting }) {
      const { attempt: reference, evidence } = values;
      const said = { outcome: 'FAILED', reference, evidence, bankReference: null } as const;
      return proposedPage(
        await proposeConfirmation(acting, scopeOf(payment), payment.id, said, act),
      );
    },
  });
}

const scopeOf = ({ customerId, environment }: OpsPayment) => ({ customerId, environment });

function load({ db }: ConsoleDeps, id: string): Promise<Subject> {
  return db.system(async (tx) => {
    const payment = await findPaymentForOps(tx, id);
    if (payment === null) throw noSuchPage();
    return { payment, attempts: await readAttemptsForOps(tx, id) };
  });
}

const pageOf = ({ payment, attempts }: Subject, outcome: ConfirmedOutcome) => ({
  ...{ title: WORDS[outcome].title, submit: 'Propose', isDangerous: outcome === 'FAILED' },
  trail: { href: `/payments/${payment.id}`, text: 'Payment', here: payment.id },
  words: `${WORDS[outcome].title}: ${payment.id}`,
  about: (
    <>
      <p>
        {formatAmount(payment.amount, payment.currency)} {payment.currency}, {payment.status} /{' '}
        {payment.statusDetail}. {WORDS[outcome].does} Another operator approves it.
      </p>
      <AttemptsTable attempts={attempts} />
    </>
  ),
});

const Inputs = ({
  subject: { attempts },
  values,
  problems,
}: {
  readonly subject: Subject;
  readonly values: { readonly attempt?: string; readonly evidence?: string };
  readonly problems: readonly FieldProblem[];
}) => (
  <>
    <SelectField
      name="attempt"
      label="Attempt"
      hint="Our reference, under which the bank knows it."
      value={values.attempt ?? attempts.at(-1)?.reference ?? ''}
      problems={problems}
      options={attempts.map(({ reference }) => ({ value: reference, text: reference }))}
    />
    <TextField
      name="evidence"
      label="Where the bank says so"
      hint="The number of its letter, message or case. It names no end-user."
      value={values.evidence ?? ''}
      problems={problems}
      isRequired
    />
  </>
);
