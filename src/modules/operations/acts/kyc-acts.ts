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
  summary: 'Sets the result of a KYC check, in place of the provider’s.',
  ...{ right: 'decide-reviews', decidedBy: 'TWO' },
  inputs: {
    check: {
      ...{ label: 'KYC check', what: 'the ID of the check', lengthMax: 100, hint: 'kyc_...' },
      ...{ option: '--check <id>', help: 'kyc_...' },
    },
    to: {
      ...{ label: 'Status', what: 'a status', lengthMax: 20 },
      ...{
        choices: choicesOf(OVERRIDE_STATUSES),
        option: '--to <status>',
        help: 'new status of the check',
      },
    },
  },
  subject: NO_SUBJECT,
  page: '/reviews/kyc-override',
  command: { line: 'kyc override' },
  words: (_subject, { check = '', to = '' }) => `Propose to set KYC check ${check} to ${to}`,
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
    'Revokes a KYC approval. Payments of the end-user no longer leave. A new check can be started.',
  ...{ ...BY_REVIEWERS, decidedBy: 'ONE' },
  subject: {
    find: ({ db }, id) => db.system((tx) => findKycCheckForOps(tx, { kycCheckId: id })),
    missing: (id) => `There is no KYC check ${id}.`,
  },
  page: { none: 'The console has no page for KYC checks.' },
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
          ...{ option: '--end-user <id>', help: 'eu_...; selects the newest check' },
        },
      },
      judge({ check = '', endUser = '' }) {
        if (check === '' && endUser === '') return "specify option '--check' or '--end-user'";
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
          ? `There is no KYC check for end-user ${endUser}.`
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
          text: `Revoked: ${kycCheckId} of ${endUserId}. A new check can be started.`,
        }
      : refused(`There is no approval to revoke. ${kycCheckId} is ${found ?? 'gone'}.`);
  },
});

export const KYC_ACTS = [OVERRIDE_KYC, REVOKE_KYC] as const;
