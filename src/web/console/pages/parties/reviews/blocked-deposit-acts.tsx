import type { DepositReviewRow } from '../../../../../db/onchain/deposit-review-store.ts';
import { proposeBlockedDecision } from '../../../../../modules/onchain/deposits/decide-blocked.ts';
import type { BlockedDecision } from '../../../../../domain/onchain/deposits/deposit.ts';
import type { FormRules } from '../../../../kit/forms/form-rules.ts';
import { PageRefusal } from '../../../../kit/page-refusal.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { Acting } from '../../../acts/act.ts';
import { proposedPage } from '../../../acts/proposed-page.ts';
import { serveAct } from '../../../acts/serve-act.tsx';
import type { ConsoleDeps } from '../../../console-deps.ts';
import { depositActPage, loadDeposit } from './deposit-parts.tsx';

type Performed = Pick<Acting<FormRules, DepositReviewRow>, 'subject' | 'act' | 'deps'>;

/** /reviews/deposits/{id}/unblock and /keep propose what becomes of a blocked deposit; another operator approves it. */
export function serveBlockedDepositActs(app: WebApp, deps: ConsoleDeps): void {
  const common = (decision: BlockedDecision) => ({
    ...{ current: '/reviews', fields: {} },
    ...({ right: 'decide-reviews', actingIn: 'system' } as const),
    async load({ id }: { readonly id: string }) {
      const row = await loadDeposit(deps, id);
      if (row.status === 'BLOCKED') return row;
      const text = 'It is not in suspense as BLOCKED. Nothing was changed.';
      throw new PageRefusal(409, 'It is not blocked', text);
    },
    perform: async ({ subject, act, deps: acting }: Performed) =>
      proposedPage(await proposeBlockedDecision(acting, subject, decision, act)),
  });
  serveAct(app, deps, {
    ...{ ...common('RELEASE'), path: '/reviews/deposits/:id/unblock' },
    page: (row: DepositReviewRow) =>
      depositActPage(
        row,
        'Propose to credit a blocked deposit',
        'Propose',
        'Its sender is not the one on the list. Once another operator approves, it is credited: to its payment, where that still waits for it, else to the balance of the customer.',
      ),
  });
  serveAct(app, deps, {
    ...{ ...common('KEEP'), path: '/reviews/deposits/:id/keep' },
    page: (row: DepositReviewRow) => ({
      ...depositActPage(
        row,
        'Propose to keep a blocked deposit',
        'Propose',
        'Once another operator approves, it stays in suspense for good, and its tokens are swept to the treasury. It is not given back by this engine any more.',
      ),
      isDangerous: true,
    }),
  });
}
