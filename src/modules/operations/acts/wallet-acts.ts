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
  missing: (id) => `There is no review ${id}.`,
};
const reviewDecided = ({ id }: WalletReviewRow, outcome: string): ActRefused =>
  refused(`Review ${id} was decided before: ${outcome}.`, DECIDED);

export const REFUSE_WALLET = defineAct({
  name: 'wallets.refuse',
  ...{ title: 'Refuse a wallet', submit: 'Refuse', isDangerous: true },
  summary: 'Refuse a wallet: it is not paid any more, and payments to it fail.',
  ...{ ...BY_REVIEWERS, decidedBy: 'ONE', subject: REVIEW },
  page: '/reviews/wallets/:id/refuse',
  command: caseCommand('screening refuse', isWalletReview),
  words: ({ id }) => `Refuse a wallet: ${id}`,
  refusal: (row, by) =>
    row.outcome === null || isRepeat(row.outcome, by) ? null : reviewDecided(row, row.outcome),
  async run(deps, { subject, act }) {
    if (subject.outcome === null && !(await refuseWallet(deps, subject, act))) {
      return refused(`Review ${subject.id} was decided meanwhile.`, DECIDED);
    }
    // Of one that was refused before, the wallet is rejected where that was cut off.
    await rejectReviewed(deps, subject);
    return {
      kind: 'DONE',
      text: `Refused: ${subject.id}. Whatever has not left fails.`,
      after: () => wakeReview(deps, subject),
    };
  },
});

export const RELEASE_WALLET = defineAct({
  name: 'wallets.release',
  ...{ title: 'Propose to release a wallet', submit: 'Propose' },
  summary: 'Release a wallet, where what was found is nothing: it is paid.',
  ...{ ...BY_REVIEWERS, decidedBy: 'TWO', subject: REVIEW },
  page: '/reviews/wallets/:id/release',
  command: caseCommand('screening release', isWalletReview),
  words: ({ id }) => `Propose to release a wallet: ${id}`,
  refusal(row) {
    if (row.outcome !== null) return reviewDecided(row, row.outcome);
    if (isReleasable(row)) return null;
    return refused(
      `Review ${row.id} is not released: a blocked address, and a wallet that is not in use, are not.`,
      'It cannot be released',
    );
  },
  run: async (deps, { subject, act }) =>
    proposed(await proposeWalletRelease(deps, subject, act), subject.id),
});

export const WALLET_ACTS = [REFUSE_WALLET, RELEASE_WALLET] as const;
