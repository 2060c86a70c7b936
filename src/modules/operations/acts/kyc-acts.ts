import { findKycCheckForOps } from '../../../db/parties/kyc-ops-store.ts';
import { OVERRIDE_STATUSES } from '../../parties/kyc/override-kyc.ts';
import { proposeOverride } from '../../parties/kyc/propose-override.ts';
import { revokeKyc } from '../../parties/kyc/revoke-kyc.ts';
import { choicesOf } from './act-input.ts';
import { defineAct, NO_SUBJECT, proposed, refused } from './operator-act.ts';
import { BY_REVIEWERS } from './review-act-parts.ts';

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

export const KYC_ACTS = [OVERRIDE_KYC, REVOKE_KYC] as const;
