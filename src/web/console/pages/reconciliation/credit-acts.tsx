import { hasCustomer } from '../../../../db/customers/customer-store.ts';
import { findStatementByBankId } from '../../../../db/reconciliation/statement-store.ts';
import { PLATFORM_ACCOUNT } from '../../../../domain/platform-account.ts';
import { proposeAssignment } from '../../../../modules/ledger/funding/assign-credit.ts';
import { proposeClosing } from '../../../../modules/ledger/funding/close-credit.ts';
import { PageRefusal } from '../../../kit/page-refusal.ts';
import { TextField } from '../../../kit/parts/field.tsx';
import type { WebApp } from '../../../kit/web-deps.ts';
import { proposedPage } from '../../acts/proposed-page.ts';
import { serveAct } from '../../acts/serve-act.tsx';
import type { ConsoleDeps } from '../../console-deps.ts';
import { CreditFacts, loadCredit, type ShownCredit } from './credit.tsx';

const CUSTOMER = { customer: { what: 'the customer’s id', lengthMax: 100 } } as const;
const LINE = {
  statement: { what: 'the bank’s id of the statement', lengthMax: 100 },
  line: {
    what: 'the number of the line',
    lengthMax: 8,
    check: (text: string) => (/^[1-9][0-9]*$/.test(text) ? null : 'Enter a whole number.'),
  },
} as const;

/** Assigning and closing an unmatched credit: proposals that another operator approves. */
export function serveCreditActs(app: WebApp, deps: ConsoleDeps): void {
  const common = {
    current: '/reconciliation',
    ...({ right: 'decide-reconciliation', actingIn: 'system' } as const),
    load: ({ id }: { readonly id: string }) => loadOpen(deps, id),
  };
  serveAct(app, deps, {
    ...common,
    ...{ path: '/reconciliation/credits/:id/assign', fields: CUSTOMER },
    page: (credit: ShownCredit, { customer = '' }) => ({
      ...pageOf(credit, 'Propose whose the credit is'),
      words: `Propose that credit ${credit.id} is of customer ${customer}`,
    }),
    inputs: (_credit, values, problems) => (
      <TextField
        name="customer"
        label="Customer"
        hint="cus_..., as Customers shows it."
        value={values.customer ?? ''}
        problems={problems}
        isRequired
      />
    ),
    check: async (_credit, { customer }) =>
      // Ours keeps what is unmatched: assigned to us it would be unmatched again.
      customer !== PLATFORM_ACCOUNT && (await deps.db.system((tx) => hasCustomer(tx, customer)))
        ? []
        : [{ field: 'customer', message: 'There is no such customer.' }],
    perform: async ({ subject, values, act, deps: acting }) =>
      proposedPage(await proposeAssignment(acting, subject, values.customer, act)),
  });
  serveAct(app, deps, {
    ...common,
    ...{ path: '/reconciliation/credits/:id/close', fields: LINE },
    page: (credit: ShownCredit, { statement = '', line = '' }) => ({
      ...pageOf(credit, 'Propose that the credit left again'),
      words: `Propose that credit ${credit.id} left the bank with line ${line} of statement ${statement}`,
    }),
    inputs: (_credit, values, problems) => (
      <>
        <TextField
          name="statement"
          label="Statement that shows it leave"
          value={values.statement ?? ''}
          problems={problems}
          isRequired
        />
        <TextField
          name="line"
          label="Line of it"
          hint="A debit of the same amount."
          inputMode="numeric"
          value={values.line ?? ''}
          problems={problems}
          isRequired
        />
      </>
    ),
    check: async (credit, { statement }) =>
      (await deps.db.system((tx) => findStatementByBankId(tx, credit, statement))) === null
        ? [{ field: 'statement', message: 'There is no such statement of that bank.' }]
        : [],
    async perform({ subject, values, act, deps: acting }) {
      const found = await deps.db.system((tx) =>
        findStatementByBankId(tx, subject, values.statement),
      );
      const where = { statementId: found?.id ?? 0n, line: Number(values.line) };
      return proposedPage(await proposeClosing(acting, subject, where, act));
    },
  });
}

async function loadOpen(deps: ConsoleDeps, id: string): Promise<ShownCredit> {
  const credit = await loadCredit(deps, id);
  if (credit.outcome === null && credit.minor !== null) return credit;
  const why =
    credit.outcome === null ? 'It has no amount that we can hold.' : `It is ${credit.outcome}.`;
  throw new PageRefusal(409, 'Nothing can be decided here', why);
}

const pageOf = (credit: ShownCredit, title: string) => ({
  ...{ title, submit: 'Propose' },
  trail: { href: `/reconciliation/credits/${credit.id}`, text: 'Credit', here: credit.id },
  about: (
    <>
      <p>Another operator approves it before anything moves.</p>
      <CreditFacts credit={credit} />
    </>
  ),
});
