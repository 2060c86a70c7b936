import {
  ACCEPT_STATEMENT,
  ASSIGN_CREDIT,
  CLOSE_CREDIT,
} from '../../../../modules/operations/acts/reconciliation-acts.ts';
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

export const RECONCILIATION_ACT_PAGES: readonly ActPage[] = [
  actPage(ASSIGN_CREDIT, CREDIT),
  actPage(CLOSE_CREDIT, CREDIT),
  actPage(ACCEPT_STATEMENT, {
    current,
    trail: ({ id }) => ({
      ...{ href: `/statements/${String(id)}`, text: 'Statement', here: String(id) },
    }),
    facts: ({ sequence, status }) => (
      <p>
        Its number is {String(sequence)}, which does not follow the one before. It is {status}.
      </p>
    ),
  }),
];
