import { findKycCheckForOps } from '../../../../../db/parties/kyc-ops-store.ts';
import { OVERRIDE_STATUSES } from '../../../../../modules/parties/kyc/override-kyc.ts';
import { proposeOverride } from '../../../../../modules/parties/kyc/propose-override.ts';
import { noSuchPage } from '../../../../kit/page-refusal.ts';
import { SelectField, TextField } from '../../../../kit/parts/field.tsx';
import type { WebApp } from '../../../../kit/web-deps.ts';
import { proposedPage } from '../../../acts/proposed-page.ts';
import { serveAct } from '../../../acts/serve-act.tsx';
import type { ConsoleDeps } from '../../../console-deps.ts';

const FIELDS = {
  check: { what: 'the id of the check', lengthMax: 100 },
  to: {
    ...{ what: 'a state', lengthMax: 20 },
    check: (text: string) =>
      (OVERRIDE_STATUSES as readonly string[]).includes(text) ? null : 'Choose one of the two.',
  },
} as const;

/** /reviews/kyc-override: proposes the state of a KYC check, which another operator approves. */
export function serveKycOverride(app: WebApp, deps: ConsoleDeps): void {
  const find = (kycCheckId: string) =>
    deps.db.system((tx) => findKycCheckForOps(tx, { kycCheckId }));
  serveAct(app, deps, {
    ...{ path: '/reviews/kyc-override', current: '/reviews', fields: FIELDS },
    ...({ right: 'decide-reviews', actingIn: 'system' } as const),
    load: () => Promise.resolve(null),
    page: (_subject, { check = '', to = '' }) => ({
      ...{ title: 'Propose a KYC override', submit: 'Propose' },
      words: `Propose that KYC check ${check} becomes ${to}`,
      trail: { href: '/reviews', text: 'Reviews', here: 'KYC override' },
      about: <p>The check gets this state once another operator approves.</p>,
    }),
    inputs: (_subject, values, problems) => (
      <>
        <TextField
          name="check"
          label="KYC check"
          hint="kyc_..."
          value={values.check ?? ''}
          problems={problems}
          isRequired
        />
        <SelectField
          name="to"
          label="State"
          value={values.to ?? 'APPROVED'}
          problems={problems}
          options={OVERRIDE_STATUSES.map((value) => ({ value, text: value }))}
        />
      </>
    ),
    check: async (_subject, { check }) =>
      (await find(check)) === null ? [{ field: 'check', message: 'There is no such check.' }] : [],
    async perform({ values, act, deps: acting }) {
      const ref = await find(values.check);
      if (ref === null) throw noSuchPage();
      const to = values.to === 'APPROVED' ? 'APPROVED' : 'REJECTED';
      return proposedPage(await proposeOverride(acting, ref, to, act));
    },
  });
}
