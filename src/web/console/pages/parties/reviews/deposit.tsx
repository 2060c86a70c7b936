import { Type } from 'typebox';
import {
  listBlockedDecisions,
  type DepositReviewRow,
} from '../../../../../db/onchain/deposit-review-store.ts';
import {
  KEEP_BLOCKED_DEPOSIT,
  REFUSE_DEPOSIT,
  RELEASE_BLOCKED_DEPOSIT,
  RELEASE_DEPOSIT,
} from '../../../../../modules/operations/acts/deposit-acts.ts';
import { readCustomerNames } from '../../../../../db/customers/customer-status-store.ts';
import { isUndecided } from '../../../../../modules/onchain/deposits/decide-deposit.ts';
import { Card } from '../../../../kit/parts/card.tsx';
import { Chip } from '../../../../kit/parts/chip.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import { operatorOf } from '../../../../kit/person.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { ConsoleDeps } from '../../../console-deps.ts';
import { sendConsolePage } from '../../../parts/console-page.tsx';
import { Lead } from '../../../parts/lead.tsx';
import { stepOf, stepOutside, WhatToDo } from '../../../parts/what-to-do.tsx';
import { depositChip, depositSentences } from '../../../words/deposit-words.ts';
import { outcomeWords } from '../../../words/review-words.ts';
import { BlockedDecisions, DepositFacts, loadDeposit } from './deposit-parts.tsx';

/** GET /reviews/deposits/{id}: one deposit whose sender is to be looked at, or is on a list. */
export function registerDepositReview(app: WebApp, deps: ConsoleDeps): void {
  const schema = { params: Type.Object({ id: Type.String() }) };
  app.get('/reviews/deposits/:id', { config: { right: 'see' }, schema }, async (request, reply) => {
    const row = await loadDeposit(deps, request.params.id);
    const isOpen = isUndecided(row);
    const isBlocked = row.status === 'BLOCKED';
    const { decisions, names } = await deps.db.system(async (tx) => ({
      decisions: await listBlockedDecisions(tx, row.id),
      names: await readCustomerNames(tx, [row.customerId]),
    }));
    return sendConsolePage(request, reply, {
      title: 'Deposit under review',
      current: '/reviews',
      body: (
        <>
          <PageHead
            title="Deposit under review"
            trail={{ href: '/reviews', text: 'Reviews', here: row.id }}
          >
            <Chip {...depositChip(row)} />
          </PageHead>
          <Lead sentences={sentencesOf(row)} />
          <WhatToDo
            operator={operatorOf(request)}
            recommended={isOpen || isBlocked ? LOOK_UP : null}
            others={[
              ...(isOpen ? [stepOf(RELEASE_DEPOSIT, row.id), stepOf(REFUSE_DEPOSIT, row.id)] : []),
              ...(isBlocked
                ? [stepOf(RELEASE_BLOCKED_DEPOSIT, row.id), stepOf(KEEP_BLOCKED_DEPOSIT, row.id)]
                : []),
            ]}
          />
          <Card title="Details">
            <DepositFacts row={row} name={names.get(row.customerId)} />
          </Card>
          <BlockedDecisions rows={decisions} />
        </>
      ),
    });
  });
}

/** Where it stands; a decision that the deposit does not show yet says so. */
const sentencesOf = (row: DepositReviewRow): readonly string[] =>
  row.status === 'SEEN' && row.outcome !== null
    ? [
        `The review is decided: ${outcomeWords(row.outcome).toLowerCase()}.`,
        'The engine applies the decision with its next poll of the network.',
      ]
    : depositSentences(row);

const LOOK_UP = stepOutside(
  'Look up the sender at the screening provider',
  'Open the list entry at the provider and compare it with the sender. Do not credit the deposit because the customer is waiting: credited money can be paid out at once.',
);
