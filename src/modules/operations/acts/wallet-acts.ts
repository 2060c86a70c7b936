import { findWalletReview, type WalletReviewRow } from '../../../db/parties/wallet-review-store.ts';
import { refuseWallet, rejectReviewed } from '../../parties/wallets/refuse-wallet.ts';
import { isReleasable, proposeWalletRelease } from '../../parties/wallets/release-wallet.ts';
import { wakeReview } from '../../parties/wallets/wake-review.ts';
import { defineAct, proposed, refused, type ActRefused, type ActSubject } from './operator-act.ts';
import {
  BY_REVIEWERS,
  caseCommand,
  DECIDED,
  isRepeat,
  isWalletReview,
} from './review-act-parts.ts';

const REVIEW: ActSubject<WalletReviewRow> = {
  find: ({ db }, id) => db.system((tx) => findWalletReview(tx, id)),
  missing: (id) => `There is no wallet review ${id}.`,
};
const reviewDecided = ({ id }: WalletReviewRow, outcome: string): ActRefused =>
  refused(`Review ${id} was already decided: ${outcome}.`, DECIDED);

export const REFUSE_WALLET = defineAct({
  name: 'wallets.refuse',
  ...{ title: 'Refuse a wallet', submit: 'Refuse', isDangerous: true },
  summary: 'Rejects the wallet. Payments to it fail, and it can no longer be paid.',
  ...{ ...BY_REVIEWERS, decidedBy: 'ONE', subject: REVIEW },
  page: '/reviews/wallets/:id/refuse',
  command: caseCommand('screening refuse', isWalletReview),
  words: ({ id }) => `Refuse the wallet of review ${id}`,
  refusal: (row, by) =>
    row.outcome === null || isRepeat(row.outcome, by) ? null : reviewDecided(row, row.outcome),
  async run(deps, { subject, act }) {
    if (subject.outcome === null && !(await refuseWallet(deps, subject, act))) {
      return refused(`Another operator decided review ${subject.id}.`, DECIDED);
    }
    // If the review was refused before and the run was cut off, the wallet is rejected now.
    await rejectReviewed(deps, subject);
    return {
      kind: 'DONE',
      text: `Refused: ${subject.id}. Payments that have not left fail.`,
      after: () => wakeReview(deps, subject),
    };
  },
});

export const RELEASE_WALLET = defineAct({
  name: 'wallets.release',
  ...{ title: 'Propose to release a wallet', submit: 'Propose' },
  summary:
    'Releases the wallet so that it can be paid. Use it when the findings are not a concern.',
  ...{ ...BY_REVIEWERS, decidedBy: 'TWO', subject: REVIEW },
  page: '/reviews/wallets/:id/release',
  command: caseCommand('screening release', isWalletReview),
  words: ({ id }) => `Propose to release the wallet of review ${id}`,
  refusal(row) {
    if (row.outcome !== null) return reviewDecided(row, row.outcome);
    if (isReleasable(row)) return null;
    return refused(
      `Review ${row.id} cannot be released. A blocked address cannot be released, and neither can a wallet that is not in use.`,
      'It cannot be released',
    );
  },
  run: async (deps, { subject, act }) =>
    proposed(await proposeWalletRelease(deps, subject, act), subject.id),
});

export const WALLET_ACTS = [REFUSE_WALLET, RELEASE_WALLET] as const;
