import type { FastifyReply, FastifyRequest } from 'fastify';
import { readDevice } from '../../modules/customers/access/devices.ts';
import { logIn, type LoginOutcome } from '../../modules/customers/access/log-in.ts';
import { providerBrowser } from '../../modules/customers/access/log-in-by-provider.ts';
import type { OpenedLogin } from '../../modules/customers/access/open-login.ts';
import { ANSWER_LENGTH_MAX } from '../../modules/customers/access/passkey-answer.ts';
import { passkeyRequest } from '../../modules/customers/access/passkeys.ts';
import { browserName } from '../../domain/customers/access/browser-name.ts';
import { deviceCookie, setDeviceCookie } from '../kit/device-cookie.ts';
import type { FieldProblem } from '../kit/forms/form-rules.ts';
import { readForm } from '../kit/forms/read-form.ts';
import { clearVisitor } from '../kit/forms/visitor.ts';
import { loginIsOver } from '../kit/page-refusal.ts';
import { sendPage } from '../kit/send-page.ts';
import { setSessionCookie } from '../kit/session-cookie.ts';
import type { WebApp } from '../kit/web-deps.ts';
import type { AccessPageDeps } from './access-page-deps.ts';
import { choicePage, codePage, passkeyPage } from './login-pages.tsx';
import { browserOf, clearLoginState, readLoginState, type LoginState } from './login-state.ts';
import { sentFormOf } from '../kit/sent-form-of.ts';

const PATH = '/login/code';
const FIELDS = {
  code: { what: 'the 8 digits from the mail', lengthMax: 40 },
  user: { what: 'an account', lengthMax: 40, isOptional: true },
  passkey: { what: 'a passkey', lengthMax: ANSWER_LENGTH_MAX, isOptional: true },
} as const;

/** GET and POST /login/code: from a code to a session. */
export function registerLoginCode(app: WebApp, deps: AccessPageDeps): void {
  app.get(PATH, { config: { right: 'public' } }, async (request, reply) => {
    const state = readLoginState(deps.vault, request);
    // Nobody types the code that stands for a provider's word.
    const isMailed = state !== null && state.provider === undefined;
    return isMailed ? show(reply, '', []) : reply.redirect('/login', 303);
  });

  app.post(
    PATH,
    { config: { right: 'public', form: FIELDS, share: 'CODES' } },
    async (request, reply) => {
      const state = readLoginState(deps.vault, request);
      const { values, problems } = readForm(FIELDS, sentFormOf(request).texts);
      if (problems.length > 0) return show(reply, values.code, problems);
      // Without the cookie of this login there is no address that a code could be for.
      if (state === null || !isOpenTo(state)) return show(reply, '', problemsOf({ kind: 'OVER' }));
      const outcome = await judge(request, state, values);
      return sendOutcome(deps, reply, state, values.code, outcome);
    },
  );

  /** Where a provider is the only login, no code by mail is good, whoever sent it. */
  const isOpenTo = ({ provider }: LoginState): boolean =>
    provider !== undefined || deps.provider?.isOnly !== true;

  function judge(
    request: FastifyRequest,
    { address, provider }: LoginState,
    { code, user, passkey }: Readonly<Record<'code' | 'user' | 'passkey', string>>,
  ): Promise<LoginOutcome> {
    const form = sentFormOf(request);
    const challenge = form.challenge('login', user);
    // One that came too late is no answer to anything.
    const answered = { text: challenge === null ? '' : passkey, challenge: challenge ?? '' };
    const own = browserOf(request);
    const browser = provider === undefined ? own : providerBrowser(own);
    return logIn(
      deps,
      {
        ...{ address, browser, surface: deps.surface },
        ...{ code, provider, personId: user, passkey: passkey === '' ? null : answered },
        device: readDevice(deviceCookie(request)),
        ...{ network: request.network, wideNetwork: request.wideNetwork },
        browserName: browserName(request.headers['user-agent']),
      },
      form.use,
    );
  }
}

/** What a login by code has come to: the page that its person asked for, or the next step. */
export async function sendOutcome(
  deps: AccessPageDeps,
  reply: FastifyReply,
  { next, provider }: LoginState,
  code: string,
  outcome: LoginOutcome,
) {
  if (outcome.kind === 'IN') return letIn(deps, reply, next, outcome);
  if (outcome.kind === 'CHOOSE') {
    const body = choicePage({ token: reply.newForm(PATH), code, people: outcome.people });
    return sendPage(reply, { title: 'Choose an account', body });
  }
  if (outcome.kind === 'PASSKEY') return askForPasskey(deps, reply, code, outcome);
  if (provider !== undefined) throw loginIsOver();
  return show(reply, '', problemsOf(outcome));
}

/** Gives the browser its session, and sends it to the page that was asked for. */
export function letIn(
  { surface }: Pick<AccessPageDeps, 'surface'>,
  reply: FastifyReply,
  next: string,
  { token, device }: OpenedLogin,
) {
  setSessionCookie(reply, surface, token);
  setDeviceCookie(reply, device);
  clearLoginState(reply);
  clearVisitor(reply);
  return reply.redirect(next, 303);
}

async function askForPasskey(
  deps: AccessPageDeps,
  reply: FastifyReply,
  code: string,
  { personId, passkeys, isRefused }: Extract<LoginOutcome, { kind: 'PASSKEY' }>,
) {
  const token = reply.newForm(PATH);
  const challenge = reply.newChallenge(token, 'login', personId);
  const options = await passkeyRequest(deps, passkeys, challenge);
  const problems = isRefused
    ? [{ field: 'passkey', message: 'This is not one of your passkeys, or it took too long.' }]
    : [];
  const body = passkeyPage({ token, code, personId, options, problems });
  return sendPage(reply.code(isRefused ? 422 : 200), { title: 'Use your passkey', body });
}

function show(reply: FastifyReply, code: string, problems: readonly FieldProblem[]) {
  const tokens = { token: reply.newForm(PATH), anotherToken: reply.newForm('/login/another') };
  const body = codePage({ ...tokens, code, problems });
  return sendPage(reply.code(problems.length > 0 ? 422 : 200), { title: 'Enter your code', body });
}

type NotIn = Extract<LoginOutcome, { kind: 'OVER' | 'NO_CODE' | 'WRONG' }>;

function problemsOf(outcome: NotIn): readonly FieldProblem[] {
  const field = 'code';
  if (outcome.kind === 'NO_CODE') return [{ field, message: 'Enter the 8 digits from the email.' }];
  if (outcome.kind === 'OVER') {
    return [{ field, message: 'This code was used or expired.', more: 'Request a new one.' }];
  }
  const { triesLeft } = outcome;
  const more = triesLeft === 1 ? '1 try is left.' : `${String(triesLeft)} tries are left.`;
  return [{ field, message: 'This code is wrong.', more }];
}
