import {
  ACCEPT_STATEMENT,
  ACCEPT_SUMS,
  ASSIGN_CREDIT,
  CLOSE_CREDIT,
  DISMISS_CREDIT,
  TIE_CREDIT,
} from '../../../../modules/operations/acts/reconciliation-acts.ts';
import type { StatementRow } from '../../../../db/reconciliation/statement-store.ts';
import { actPage, type ActPage } from '../../acts/act-page.tsx';
import { CreditFacts, type ShownCredit } from './credit.tsx';

const current = '/reconciliation';

const CREDIT = {
  current,
  trail: ({ id }: ShownCredit) => ({
    ...{ href: `/reconciliation/credits/${id}`, text: 'Credit', here: id },
  }),
  facts: (credit: ShownCredit) => <CreditFacts credit={credit} />,
};

const STATEMENT = {
  current,
  trail: ({ id }: StatementRow) => ({
    ...{ href: `/statements/${String(id)}`, text: 'Statement', here: String(id) },
  }),
};

export const RECONCILIATION_ACT_PAGES: readonly ActPage[] = [
  actPage(ASSIGN_CREDIT, CREDIT),
  actPage(CLOSE_CREDIT, CREDIT),
  actPage(DISMISS_CREDIT, CREDIT),
  actPage(TIE_CREDIT, CREDIT),
  actPage(ACCEPT_SUMS, {
    ...STATEMENT,
    facts: ({ problems }) => (
      <p>
        Its lines do not add up: {[...new Set(problems.map(({ code }) => code))].join(', ')}. The
        proposal says which sums were expected.
      </p>
    ),
  }),
  actPage(ACCEPT_STATEMENT, {
    ...STATEMENT,
    facts: ({ sequence, status }) => (
      <p>
        Its number is {String(sequence)}, which does not follow the one before. It is {status}.
      </p>
    ),
  }),
];
