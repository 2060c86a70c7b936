import { Type } from 'typebox';
import { listBlockedDecisions } from '../../../../../db/onchain/deposit-review-store.ts';
import { isUndecided } from '../../../../../modules/onchain/deposits/decide-deposit.ts';
import { Card } from '../../../../kit/parts/card.tsx';
import { Chip } from '../../../../kit/parts/chip.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import { operatorOf } from '../../../../kit/person.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { ConsoleDeps } from '../../../console-deps.ts';
import { ActLinks } from '../../../parts/act-links.tsx';
import { sendConsolePage } from '../../../parts/console-page.tsx';
import { BlockedDecisions, DepositFacts, loadDeposit } from './deposit-parts.tsx';

/** GET /reviews/deposits/{id}: one deposit whose sender is to be looked at, or is on a list. */
export function registerDepositReview(app: WebApp, deps: ConsoleDeps): void {
  const schema = { params: Type.Object({ id: Type.String() }) };
  app.get('/reviews/deposits/:id', { config: { right: 'see' }, schema }, async (request, reply) => {
    const row = await loadDeposit(deps, request.params.id);
    const base = `/reviews/deposits/${row.id}`;
    const right = 'decide-reviews' as const;
    const isOpen = isUndecided(row);
    const isBlocked = row.status === 'BLOCKED';
    const decisions = await deps.db.system((tx) => listBlockedDecisions(tx, row.id));
    const inSuspense = isBlocked || row.status === 'KEPT' || decisions.length > 0;
    return sendConsolePage(request, reply, {
      title: 'Deposit under review',
      current: '/reviews',
      body: (
        <>
          <PageHead
            title="Deposit under review"
            trail={{ href: '/reviews', text: 'Reviews', here: row.id }}
          >
            <Chip
              tone={isOpen || isBlocked ? 'wait' : 'none'}
              text={inSuspense ? row.status : (row.outcome ?? row.review ?? row.status)}
            />
          </PageHead>
          <Card title="Facts">
            <DepositFacts row={row} />
          </Card>
          <BlockedDecisions rows={decisions} />
          <ActLinks
            operator={operatorOf(request)}
            links={[
              ...(isOpen
                ? [
                    { href: `${base}/release`, text: 'Propose a release', right },
                    { href: `${base}/refuse`, text: 'Refuse', right },
                  ]
                : []),
              ...(isBlocked
                ? [
                    { href: `${base}/unblock`, text: 'Propose to credit it', right },
                    { href: `${base}/keep`, text: 'Propose to keep it', right },
                  ]
                : []),
            ]}
          />
        </>
      ),
    });
  });
}
