import {
  findDepositReview,
  type DepositReviewRow,
} from '../../../db/onchain/deposit-review-store.ts';
import { findKycCheckForOps } from '../../../db/parties/kyc-ops-store.ts';
import {
  findScreeningCase,
  type ScreeningCaseRow,
} from '../../../db/parties/screening-case-store.ts';
import { findWalletReview, type WalletReviewRow } from '../../../db/parties/wallet-review-store.ts';
import { ID_PREFIXES, isId } from '../../../domain/ids.ts';
import type { BlockedDecision } from '../../../domain/onchain/deposits/deposit.ts';
import { proposeBlockedDecision } from '../../onchain/deposits/decide-blocked.ts';
import {
  isUndecided,
  proposeClearance,
  refuseDeposit,
} from '../../onchain/deposits/decide-deposit.ts';
import { OVERRIDE_STATUSES } from '../../parties/kyc/override-kyc.ts';
import { proposeOverride } from '../../parties/kyc/propose-override.ts';
import { revokeKyc } from '../../parties/kyc/revoke-kyc.ts';
import { lookAtCase } from '../../parties/screening/look-at-case.ts';
import { refuseCase } from '../../parties/screening/refuse-case.ts';
import { proposeRelease } from '../../parties/screening/release-case.ts';
import { wakeCase } from '../../parties/screening/wake-case.ts';
import { refuseWallet, rejectReviewed } from '../../parties/wallets/refuse-wallet.ts';
import { isReleasable, proposeWalletRelease } from '../../parties/wallets/release-wallet.ts';
import { wakeReview } from '../../parties/wallets/wake-review.ts';
import { choicesOf } from './act-input.ts';
import {
  defineAct,
  NO_SUBJECT,
  proposed,
  refused,
  type ActBy,
  type ActCommand,
  type ActRefused,
  type ActSubject,
} from './operator-act.ts';

/** One command is about cases of every kind: the id tells which. */
const caseCommand = (line: string, takes?: (id: string) => boolean): ActCommand<never> => ({
  line,
  id: {
    option: '--case <id>',
    help: 'scr_..., wrv_... or dep_..., as `screening list` prints it',
    takes,
  },
});
const isWallet = (id: string) => isId(ID_PREFIXES.walletReview, id);
const isDeposit = (id: string) => isId(ID_PREFIXES.deposit, id);
const isName = (id: string) => !isWallet(id) && !isDeposit(id);

const BY_REVIEWERS = { right: 'decide-reviews', inputs: {} } as const;
const DECIDED = 'It is decided';
const isRepeat = (outcome: string | null, { mayRepeat }: ActBy): boolean =>
  mayRepeat && outcome === 'REFUSED';

const CASE: ActSubject<ScreeningCaseRow> = {
  find: ({ db }, id) => db.system((tx) => findScreeningCase(tx, id)),
  missing: (id) => `There is no screening case ${id}.`,
};
const caseDecided = ({ id }: ScreeningCaseRow, outcome: string): ActRefused =>
  refused(`Case ${id} was decided before: ${outcome}.`, DECIDED);

export const REFUSE_CASE = defineAct({
  name: 'screening.refuse',
  ...{ title: 'Refuse a party', submit: 'Refuse', isDangerous: true },
  summary: 'Refuse a party that is the listed one: its payments fail.',
  ...{ ...BY_REVIEWERS, decidedBy: 'ONE', subject: CASE },
  page: '/reviews/:id/refuse',
  command: caseCommand('screening refuse', isName),
  words: ({ id }) => `Refuse a party: ${id}`,
  refusal: (row, by) =>
    row.outcome === null || isRepeat(row.outcome, by) ? null : caseDecided(row, row.outcome),
  async run(deps, { subject, act }) {
    // Of one that was refused before, the payments are woken once more.
    if (subject.outcome === null && !(await refuseCase(deps, subject, act))) {
      return refused(`Case ${subject.id} was decided meanwhile.`, DECIDED);
    }
    return {
      kind: 'DONE',
      text: `Refused: ${subject.id}. Whatever has not left fails.`,
      after: () => wakeCase(deps, subject),
    };
  },
});

export const RELEASE_CASE = defineAct({
  name: 'screening.release',
  ...{ title: 'Propose to release a hit', submit: 'Propose' },
  summary: 'Release a hit that is not the listed party: payments that it holds go on.',
  ...{ ...BY_REVIEWERS, decidedBy: 'TWO', subject: CASE },
  page: '/reviews/:id/release',
  command: caseCommand('screening release', isName),
  words: ({ id }) => `Propose to release a hit: ${id}`,
  refusal: (row) => (row.outcome === null ? null : caseDecided(row, row.outcome)),
  run: async (deps, { subject, act }) =>
    proposed(await proposeRelease(deps, subject, act), subject.id),
});

export const SHOW_CASE = defineAct({
  name: 'screening.show',
  ...{ title: 'Show the names of a case', submit: 'Show' },
  summary: 'Show a case with its names. Who looks, and why, is in the audit log.',
  ...{ right: 'unmask-personal-data', inputs: {}, decidedBy: 'ONE', subject: CASE },
  page: '/reviews/:id/names',
  command: caseCommand('screening show', isName),
  words: ({ id }) => `Show the names of a case: ${id}`,
  run: async (deps, { subject, act }) => ({
    kind: 'SHOWN',
    shown: await lookAtCase(deps, subject, act),
  }),
});

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
  command: caseCommand('screening refuse', isWallet),
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
  command: caseCommand('screening release', isWallet),
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

const DEPOSIT: ActSubject<DepositReviewRow> = {
  find: ({ db }, id) => db.system((tx) => findDepositReview(tx, id)),
  missing: (id) => `There is no deposit ${id} under review.`,
};
const notHeld = ({ id, outcome, status }: DepositReviewRow): ActRefused =>
  refused(`Deposit ${id} is not held: ${outcome ?? status}.`, DECIDED);

export const REFUSE_DEPOSIT = defineAct({
  name: 'deposits.refuse',
  ...{ title: 'Refuse a deposit', submit: 'Refuse', isDangerous: true },
  summary: 'Refuse a held deposit: it is put in suspense, and not credited.',
  ...{ ...BY_REVIEWERS, decidedBy: 'ONE', subject: DEPOSIT },
  page: '/reviews/deposits/:id/refuse',
  command: caseCommand('screening refuse', isDeposit),
  words: ({ id }) => `Refuse a deposit: ${id}`,
  refusal: (row, by) => (isUndecided(row) || isRepeat(row.outcome, by) ? null : notHeld(row)),
  async run(deps, { subject, act }) {
    if (!(await refuseDeposit(deps, subject, act))) return notHeld(subject);
    const { id, network } = subject;
    return { kind: 'DONE', text: `Refused: ${id}. The next poll of ${network} blocks it.` };
  },
});

export const RELEASE_DEPOSIT = defineAct({
  name: 'deposits.release',
  ...{ title: 'Propose to release a deposit', submit: 'Propose' },
  summary: 'Release a held deposit, where nothing is wrong with its sender: it is credited.',
  ...{ ...BY_REVIEWERS, decidedBy: 'TWO', subject: DEPOSIT },
  page: '/reviews/deposits/:id/release',
  command: caseCommand('screening release', isDeposit),
  words: ({ id }) => `Propose to release a deposit: ${id}`,
  refusal: (row) => (isUndecided(row) ? null : notHeld(row)),
  run: async (deps, { subject, act }) =>
    proposed(await proposeClearance(deps, subject, act), subject.id),
});

/** What becomes of a deposit in suspense. */
const decideBlocked = (decision: BlockedDecision, title: string) =>
  ({
    ...BY_REVIEWERS,
    decidedBy: 'TWO',
    subject: DEPOSIT,
    title,
    submit: 'Propose',
    words: ({ id }: DepositReviewRow) => `${title}: ${id}`,
    refusal: ({ id, status }: DepositReviewRow) =>
      status === 'BLOCKED'
        ? null
        : refused(`Deposit ${id} is not blocked, or not any more.`, 'It is not blocked'),
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
    'Credit a blocked deposit, where its sender is not the one on the list: to its payment, where that still waits for it, else to the balance of the customer.',
  ...decideBlocked('RELEASE', 'Propose to credit a blocked deposit'),
  page: '/reviews/deposits/:id/unblock',
  command: caseCommand('screening release', isDeposit),
});

export const KEEP_BLOCKED_DEPOSIT = defineAct({
  name: 'deposits.keep',
  summary:
    'Keep a blocked deposit in suspense for good. Its tokens are swept to the treasury, and this engine does not give it back any more.',
  ...decideBlocked('KEEP', 'Propose to keep a blocked deposit'),
  isDangerous: true,
  page: '/reviews/deposits/:id/keep',
  command: caseCommand('screening keep'),
});

export const OVERRIDE_KYC = defineAct({
  name: 'kyc.override',
  ...{ title: 'Propose a KYC override', submit: 'Propose' },
  summary: 'Give a KYC check a state.',
  ...{ right: 'decide-reviews', decidedBy: 'TWO' },
  inputs: {
    check: {
      ...{ label: 'KYC check', what: 'the id of the check', lengthMax: 100, hint: 'kyc_...' },
      ...{ option: '--check <id>', help: 'kyc_...' },
    },
    to: {
      ...{ label: 'State', what: 'a state', lengthMax: 20 },
      ...{ choices: choicesOf(OVERRIDE_STATUSES), option: '--to <status>', help: 'the state' },
    },
  },
  subject: NO_SUBJECT,
  page: '/reviews/kyc-override',
  command: { line: 'kyc override' },
  words: (_subject, { check = '', to = '' }) => `Propose that KYC check ${check} becomes ${to}`,
  check: async ({ db }, _subject, { check }) =>
    (await db.system((tx) => findKycCheckForOps(tx, { kycCheckId: check }))) === null
      ? [{ field: 'check', message: `There is no KYC check ${check}.` }]
      : [],
  async run(deps, { values, act }) {
    const { check } = values;
    const ref = await deps.db.system((tx) => findKycCheckForOps(tx, { kycCheckId: check }));
    if (ref === null) return refused(`There is no KYC check ${check}.`);
    const to = values.to === 'APPROVED' ? 'APPROVED' : 'REJECTED';
    return proposed(await proposeOverride(deps, ref, to, act), check);
  },
});

export const REVOKE_KYC = defineAct({
  name: 'kyc.revoke',
  ...{ title: 'Revoke a KYC approval', submit: 'Revoke', isDangerous: true },
  summary:
    'Take a KYC approval back. No payment of the end-user leaves once this is done; a new check may be started.',
  ...{ ...BY_REVIEWERS, decidedBy: 'ONE' },
  subject: {
    find: ({ db }, id) => db.system((tx) => findKycCheckForOps(tx, { kycCheckId: id })),
    missing: (id) => `There is no KYC check ${id}.`,
  },
  page: { none: 'The console has no page of KYC checks.' },
  command: {
    line: 'kyc revoke',
    locator: {
      inputs: {
        check: {
          ...{ label: 'KYC check', what: 'the check', lengthMax: 100, isOptional: true },
          ...{ option: '--check <id>', help: 'kyc_...' },
        },
        endUser: {
          ...{ label: 'End-user', what: 'the end-user', lengthMax: 100, isOptional: true },
          ...{ option: '--end-user <id>', help: 'eu_...: their newest check' },
        },
      },
      judge({ check = '', endUser = '' }) {
        if (check === '' && endUser === '') return "option '--check' not specified, nor --end-user";
        return check !== '' && endUser !== ''
          ? "option '--check' cannot be used with option '--end-user'"
          : null;
      },
      find: ({ db }, { check = '', endUser = '' }) =>
        db.system((tx) =>
          findKycCheckForOps(tx, check === '' ? { endUserId: endUser } : { kycCheckId: check }),
        ),
      missing: ({ check = '', endUser = '' }) =>
        check === ''
          ? `There is no KYC check of an end-user ${endUser}.`
          : `There is no KYC check ${check}.`,
    },
  },
  words: ({ kycCheckId }) => `Revoke KYC check ${kycCheckId}`,
  async run(deps, { subject, act }) {
    const { kycCheckId, endUserId, customerId, environment } = subject;
    const scope = { customerId, environment };
    const found = await deps.db.write(scope, (tx) =>
      revokeKyc(tx, scope, subject, act, deps.clock.now()),
    );
    return found === 'APPROVED'
      ? {
          kind: 'DONE',
          text: `Revoked: ${kycCheckId} of ${endUserId}. A new check may be started.`,
        }
      : refused(`${kycCheckId} is ${found ?? 'gone'}: there is no approval to take back.`);
  },
});

export const PARTY_ACTS = [
  ...[REFUSE_CASE, RELEASE_CASE, SHOW_CASE],
  ...[REFUSE_WALLET, RELEASE_WALLET],
  ...[REFUSE_DEPOSIT, RELEASE_DEPOSIT, RELEASE_BLOCKED_DEPOSIT, KEEP_BLOCKED_DEPOSIT],
  ...[OVERRIDE_KYC, REVOKE_KYC],
] as const;
