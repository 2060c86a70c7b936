import {
  findDepositReview,
  type DepositReviewRow,
} from '../../../db/onchain/deposit-review-store.ts';
import type { BlockedDecision } from '../../../domain/onchain/deposits/deposit.ts';
import { proposeBlockedDecision } from '../../onchain/deposits/decide-blocked.ts';
import {
  isUndecided,
  proposeClearance,
  refuseDeposit,
} from '../../onchain/deposits/decide-deposit.ts';
import { defineAct, proposed, refused, type ActRefused, type ActSubject } from './operator-act.ts';
import { BY_REVIEWERS, caseCommand, DECIDED, isDeposit, isRepeat } from './review-act-parts.ts';

const DEPOSIT: ActSubject<DepositReviewRow> = {
  find: ({ db }, id) => db.system((tx) => findDepositReview(tx, id)),
  missing: (id) => `There is no deposit ${id} in review.`,
};
const notHeld = ({ id, outcome, status }: DepositReviewRow): ActRefused =>
  refused(`Deposit ${id} is not held. It is ${outcome ?? status}.`, DECIDED);

export const REFUSE_DEPOSIT = defineAct({
  name: 'deposits.refuse',
  ...{ title: 'Refuse a deposit', submit: 'Refuse', isDangerous: true },
  summary: 'Moves a held deposit to suspense. The deposit is not credited to the customer.',
  ...{ ...BY_REVIEWERS, decidedBy: 'ONE', subject: DEPOSIT },
  page: '/reviews/deposits/:id/refuse',
  command: caseCommand('screening refuse', isDeposit),
  words: ({ id }) => `Refuse deposit ${id}`,
  refusal: (row, by) => (isUndecided(row) || isRepeat(row.outcome, by) ? null : notHeld(row)),
  async run(deps, { subject, act }) {
    if (!(await refuseDeposit(deps, subject, act))) return notHeld(subject);
    const { id, network } = subject;
    return {
      kind: 'DONE',
      text: `Refused: ${id}. The next poll cycle of ${network} moves it to suspense.`,
    };
  },
});

export const RELEASE_DEPOSIT = defineAct({
  name: 'deposits.release',
  ...{ title: 'Propose to release a deposit', submit: 'Propose' },
  summary:
    'Credits a held deposit to the customer. Use it when the review found no problem with the sender.',
  ...{ ...BY_REVIEWERS, decidedBy: 'TWO', subject: DEPOSIT },
  page: '/reviews/deposits/:id/release',
  command: caseCommand('screening release', isDeposit),
  words: ({ id }) => `Propose to release deposit ${id}`,
  refusal: (row) => (isUndecided(row) ? null : notHeld(row)),
  run: async (deps, { subject, act }) =>
    proposed(await proposeClearance(deps, subject, act), subject.id),
});

/** The decision about a deposit in suspense. */
const decideBlocked = (decision: BlockedDecision, title: string) =>
  ({
    ...BY_REVIEWERS,
    decidedBy: 'TWO',
    subject: DEPOSIT,
    title,
    submit: 'Propose',
    words: ({ id }: DepositReviewRow) => `${title}: ${id}`,
    refusal: ({ id, status }: DepositReviewRow) =>
      status === 'BLOCKED' ? null : refused(`Deposit ${id} is not blocked.`, 'It is not blocked'),
    run: async (
      deps: Parameters<typeof proposeBlockedDecision>[0],
      asked: {
        readonly subject: DepositReviewRow;
        readonly act: Parameters<typeof proposeBlockedDecision>[3];
      },
    ) =>
      proposed(
        await proposeBlockedDecision(deps, asked.subject, decision, asked.act),
        asked.subject.id,
      ),
  }) as const;

export const RELEASE_BLOCKED_DEPOSIT = defineAct({
  name: 'deposits.unblock',
  summary:
    'Credits a blocked deposit. Use it when the sender is not the party on the list. The deposit goes to its payment if the payment still waits for it, otherwise to the customer’s balance.',
  ...decideBlocked('RELEASE', 'Propose to credit a blocked deposit'),
  page: '/reviews/deposits/:id/unblock',
  command: caseCommand('screening release', isDeposit),
});

export const KEEP_BLOCKED_DEPOSIT = defineAct({
  name: 'deposits.keep',
  summary:
    'Keeps a blocked deposit in suspense permanently and sweeps its tokens to the treasury. The engine can no longer return or credit it.',
  ...decideBlocked('KEEP', 'Propose to keep a blocked deposit'),
  isDangerous: true,
  page: '/reviews/deposits/:id/keep',
  command: caseCommand('screening keep'),
});

export const DEPOSIT_ACTS = [
  ...[REFUSE_DEPOSIT, RELEASE_DEPOSIT],
  ...[RELEASE_BLOCKED_DEPOSIT, KEEP_BLOCKED_DEPOSIT],
] as const;
