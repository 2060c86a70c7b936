import type { WalletReviewRow } from '../../../../../db/parties/wallet-review-store.ts';
import { refuseWallet } from '../../../../../modules/parties/wallets/refuse-wallet.ts';
import {
  isReleasable,
  proposeWalletRelease,
} from '../../../../../modules/parties/wallets/release-wallet.ts';
import { wakeReview } from '../../../../../modules/parties/wallets/wake-review.ts';
import { PageRefusal } from '../../../../kit/page-refusal.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import { proposedPage } from '../../../acts/proposed-page.ts';
import { serveAct } from '../../../acts/serve-act.tsx';
import type { ConsoleDeps } from '../../../console-deps.ts';
import { loadReview, ReviewFacts } from './wallet.tsx';

const decidedBefore = (outcome: string) =>
  new PageRefusal(409, 'It is decided', `The review is ${outcome}. Nothing was changed.`);

/** /reviews/wallets/{id}/refuse takes one operator, /release two. */
export function serveWalletActs(app: WebApp, deps: ConsoleDeps): void {
  const common = {
    ...{ current: '/reviews', fields: {} },
    ...({ right: 'decide-reviews', actingIn: 'system' } as const),
  };
  const loadOpen = async ({ id }: { readonly id: string }) => {
    const row = await loadReview(deps, id);
    if (row.outcome !== null) throw decidedBefore(row.outcome);
    return row;
  };
  serveAct(app, deps, {
    ...{ ...common, path: '/reviews/wallets/:id/refuse', load: loadOpen },
    page: (row: WalletReviewRow) => ({
      ...pageOf(row, 'Refuse a wallet', 'Refuse', 'It is not paid any more: payments to it fail.'),
      isDangerous: true,
    }),
    async perform({ subject, act, deps: acting }) {
      if (!(await refuseWallet(acting, subject, act))) throw decidedBefore('decided');
      // A wake that gets lost is no harm: a payment that waits looks again by itself.
      await wakeReview(deps, subject).catch(() => undefined);
      return `/reviews/wallets/${subject.id}`;
    },
  });
  serveAct(app, deps, {
    ...{ ...common, path: '/reviews/wallets/:id/release' },
    async load(asked) {
      const row = await loadOpen(asked);
      if (isReleasable(row)) return row;
      const text = 'A blocked address, and a wallet that is not in use, are not released.';
      throw new PageRefusal(409, 'It cannot be released', text);
    },
    page: (row: WalletReviewRow) =>
      pageOf(
        row,
        'Propose to release a wallet',
        'Propose',
        'What was found is nothing. Once another operator approves, the wallet is paid.',
      ),
    perform: async ({ subject, act, deps: acting }) =>
      proposedPage(await proposeWalletRelease(acting, subject, act)),
  });
}

const pageOf = (row: WalletReviewRow, title: string, submit: string, text: string) => ({
  ...{ title, submit, words: `${title}: ${row.id}` },
  trail: { href: `/reviews/wallets/${row.id}`, text: 'Review', here: row.id },
  about: (
    <>
      <p>{text}</p>
      <ReviewFacts row={row} />
    </>
  ),
});
