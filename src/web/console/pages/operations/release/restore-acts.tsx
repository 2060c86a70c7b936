import { switchRestoreMode } from '../../../../../modules/payments/switch-restore-mode.ts';
import { PageRefusal } from '../../../../kit/page-refusal.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import { serveAct } from '../../../acts/serve-act.tsx';
import type { ConsoleDeps } from '../../../console-deps.ts';
import { sayWhenBusy } from './busy.ts';

const TEXTS = {
  begin: 'The bank is asked before every first send: payments take longer, and none is sent twice.',
  end: 'Payments are sent without asking first again. All that the database before the restore may have sent must be known by then.',
} as const;

/** /release/restore-begin and /release/restore-end. */
export function serveRestoreActs(app: WebApp, deps: ConsoleDeps): void {
  for (const to of ['begin', 'end'] as const) {
    const title = to === 'begin' ? 'Begin restore mode' : 'End restore mode';
    serveAct(app, deps, {
      ...{ path: `/release/restore-${to}`, current: '/release', fields: {} },
      ...({ right: 'decide-payments', actingIn: 'system' } as const),
      load: () => Promise.resolve(null),
      page: () => ({
        ...{ title, submit: to === 'begin' ? 'Begin' : 'End', words: title },
        trail: { href: '/release', text: 'Release', here: 'restore mode' },
        about: <p>{TEXTS[to]}</p>,
      }),
      async perform({ act, deps: acting }) {
        if (await switchRestoreMode(acting, to, act).catch(sayWhenBusy)) return '/release';
        throw new PageRefusal(409, 'It is so already', 'Nothing was changed.');
      },
    });
  }
}
