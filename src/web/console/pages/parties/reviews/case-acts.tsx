import type { ScreeningCaseRow } from '../../../../../db/parties/screening-case-store.ts';
import { lookAtCase } from '../../../../../modules/parties/screening/look-at-case.ts';
import { refuseCase } from '../../../../../modules/parties/screening/refuse-case.ts';
import { proposeRelease } from '../../../../../modules/parties/screening/release-case.ts';
import { wakeCase } from '../../../../../modules/parties/screening/wake-case.ts';
import { PageRefusal } from '../../../../kit/page-refusal.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import { proposedPage } from '../../../acts/proposed-page.ts';
import { serveAct } from '../../../acts/serve-act.tsx';
import type { ConsoleDeps } from '../../../console-deps.ts';
import { CaseFacts, loadCase } from './case.tsx';
import { CaseNames } from './case-names.tsx';

const decidedBefore = (outcome: string) =>
  new PageRefusal(409, 'It is decided', `The case is ${outcome}. Nothing was changed.`);

/** /reviews/{id}/refuse takes one operator, /release two, /names a reason. */
export function serveCaseActs(app: WebApp, deps: ConsoleDeps): void {
  const common = { current: '/reviews', fields: {}, actingIn: 'system' as const };
  const loadOpen = async ({ id }: { readonly id: string }) => {
    const row = await loadCase(deps, id);
    if (row.outcome !== null) throw decidedBefore(row.outcome);
    return row;
  };
  serveAct(app, deps, {
    ...common,
    ...{ path: '/reviews/:id/refuse', right: 'decide-reviews', load: loadOpen },
    page: (row: ScreeningCaseRow) => ({
      ...pageOf(
        row,
        'Refuse a party',
        'Refuse',
        'It is the listed one: payments of the party fail.',
      ),
      isDangerous: true,
    }),
    async perform({ subject, act, deps: acting }) {
      if (!(await refuseCase(acting, subject, act))) throw decidedBefore('decided');
      // A wake that gets lost is no harm: a payment that waits looks again by itself.
      await wakeCase(deps, subject).catch(() => undefined);
      return `/reviews/${subject.id}`;
    },
  });
  serveAct(app, deps, {
    ...common,
    ...{ path: '/reviews/:id/release', right: 'decide-reviews', load: loadOpen },
    page: (row: ScreeningCaseRow) =>
      pageOf(
        row,
        'Propose to release a hit',
        'Propose',
        'It is another one. Once another operator approves, payments that it holds go on.',
      ),
    perform: async ({ subject, act, deps: acting }) =>
      proposedPage(await proposeRelease(acting, subject, act)),
  });
  serveAct(app, deps, {
    ...common,
    ...{ path: '/reviews/:id/names', right: 'unmask-personal-data' },
    load: ({ id }) => loadCase(deps, id),
    page: (row: ScreeningCaseRow) =>
      pageOf(row, 'Show the names of a case', 'Show', 'Who looks, and why, is in the audit log.'),
    async perform({ subject, act, deps: acting }) {
      const seen = await lookAtCase(acting, subject, act);
      return { title: 'Names of a case', body: <CaseNames id={subject.id} seen={seen} /> };
    },
  });
}

const pageOf = (row: ScreeningCaseRow, title: string, submit: string, text: string) => ({
  ...{ title, submit, words: `${title}: ${row.id}` },
  trail: { href: `/reviews/${row.id}`, text: 'Case', here: row.id },
  about: (
    <>
      <p>{text}</p>
      <CaseFacts row={row} />
    </>
  ),
});
