import { setDisplay } from '../../modules/customers/access/own-display.ts';
import { setPasskeyRule } from '../../modules/customers/access/passkey-rule.ts';
import { THEMES, type Theme } from '../../domain/customers/access/person.ts';
import { readForm } from '../kit/forms/read-form.ts';
import { userOf } from '../kit/person.ts';
import { proveAct } from '../kit/step-up.tsx';
import type { WebApp } from '../kit/web-deps.ts';
import type { AccessPageDeps } from './access-page-deps.ts';
import { sendSettings } from './send-settings.tsx';
import { sentFormOf } from '../kit/sent-form-of.ts';
import { personOf } from '../kit/person.ts';
import { TIME_ZONES } from './time-zones.ts';

const DISPLAY = {
  timeZone: {
    what: 'a time zone',
    lengthMax: 64,
    check: (text: string) =>
      TIME_ZONES.includes(text) ? null : 'Choose a time zone from the list.',
  },
  theme: {
    what: 'a theme',
    lengthMax: 10,
    check: (text: string) =>
      (THEMES as readonly string[]).includes(text) ? null : 'Choose a theme from the list.',
  },
} as const;

const RULE = {
  required: {
    what: 'yes or no',
    lengthMax: 3,
    check: (text: string) => (text === 'yes' || text === 'no' ? null : 'Choose yes or no.'),
  },
} as const;

/** GET /settings, POST /settings/display; on the dashboard POST /settings/require-passkeys. */
export function registerSettings(app: WebApp, deps: AccessPageDeps): void {
  // The right that also who must add a passkey first has.
  app.get('/settings', { config: { right: 'write-own-sessions' } }, (request, reply) =>
    sendSettings(deps, request, reply),
  );

  app.post(
    '/settings/display',
    { config: { right: 'any-person', form: DISPLAY } },
    async (request, reply) => {
      const form = sentFormOf(request);
      const { values, problems } = readForm(DISPLAY, form.texts);
      if (problems.length > 0) {
        const refused = { action: '/settings/display', values, problems };
        return sendSettings(deps, request, reply, refused);
      }
      const display = { timeZone: values.timeZone, theme: values.theme as Theme };
      await setDisplay(deps, personOf(request), display, form.use);
      return reply.redirect('/settings', 303);
    },
  );

  if (deps.surface !== 'dashboard') return;
  app.post(
    '/settings/require-passkeys',
    { config: { right: 'require-passkeys', form: RULE } },
    async (request, reply) => {
      const form = sentFormOf(request);
      const { values, problems } = readForm(RULE, form.texts);
      if (problems.length > 0) {
        const refused = { action: '/settings/require-passkeys', values, problems };
        return sendSettings(deps, request, reply, refused);
      }
      const isRequired = values.required === 'yes';
      const act = isRequired
        ? 'Require a passkey of every user of your company'
        : 'Let users of your company log in without a passkey';
      if (!(await proveAct(request, reply, act))) return reply;
      await setPasskeyRule(deps, userOf(request), isRequired, form.use);
      return reply.redirect('/settings', 303);
    },
  );
}
