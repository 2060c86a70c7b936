import type { FastifyReply, FastifyRequest } from 'fastify';
import { problemWith, REASON } from '../../../modules/operations/acts/act-input.ts';
import {
  pageOf,
  runAct,
  type ActEntry,
  type ActInput,
  type ActInputs,
  type ActOutcome,
  type ActValues,
} from '../../../modules/operations/acts/operator-act.ts';
import { tellingApprovers } from '../../../modules/operations/tell-approvers.ts';
import { rolesWith, takesStepUp } from '../../../domain/customers/access/rights.ts';
import { softwareSigner } from '../../../modules/approvals/signatures/decision-signer.ts';
import type { FieldProblem, FieldRule } from '../../kit/forms/form-rules.ts';
import { readForm } from '../../kit/forms/read-form.ts';
import {
  missingRight,
  noSuchPage,
  notNow,
  PageRefusal,
  unreadableForm,
} from '../../kit/page-refusal.ts';
import { operatorOf } from '../../kit/person.ts';
import { sentFormOf } from '../../kit/sent-form-of.ts';
import { askForSignature, proveAct, renewSession } from '../../kit/step-up.tsx';
import { timeText } from '../../kit/time-text.ts';
import type { WebApp } from '../../kit/web-deps.ts';
import type { ConsoleDeps } from '../console-deps.ts';
import { hasRight } from '../parts/act-links.tsx';
import { sendConsolePage } from '../parts/console-page.tsx';
import { ActForm } from './act-form.tsx';
import type { ActView } from './act-view.ts';
import { formDatabase } from './form-database.ts';
import { passkeySigner, SignatureWanted } from './passkey-signer.ts';
import { requireTemporal } from './require-temporal.ts';

/** An act with its view, to be registered. */
export interface ActPage {
  readonly name: string;
  serve(app: WebApp, deps: ConsoleDeps): void;
}

export const actPage = <Subject, Inputs extends ActInputs>(
  entry: ActEntry<Subject, Inputs>,
  view: ActView<Subject, Inputs>,
): ActPage => ({
  name: entry.name,
  serve: (app, deps) => serveAct(app, deps, entry, view),
});

/** GET and POST of an act's path: its form, and what it does once it is proven. */
function serveAct<Subject, Inputs extends ActInputs>(
  app: WebApp,
  deps: ConsoleDeps,
  entry: ActEntry<Subject, Inputs>,
  view: ActView<Subject, Inputs>,
): void {
  const path = pageOf(entry);
  if (path === null) throw new Error(`${entry.name} has no page`);
  const { right, isReasonAsked = true } = entry;
  const rules = rulesOf({ ...entry.inputs, ...(isReasonAsked ? { reason: REASON } : {}) });
  const form = { ...rules, ...(entry.seen === undefined ? {} : SEEN) };
  const page = { entry, view, deps };

  if (view.isFormElsewhere !== true) {
    app.get(path, { config: { right } }, async (request, reply) =>
      sendForm(page, request, reply, {
        subject: await load(deps, entry, request),
        ...{ values: {}, reason: '', problems: [] },
      }),
    );
  }

  app.post(path, { config: { right, form } }, async (request, reply) => {
    const sentForm = sentFormOf(request);
    const subject = await load(deps, entry, request);
    const { values: given, problems: wrong } = readForm(form, sentForm.texts);
    requireSeen(entry.seen?.(subject) ?? {}, given);
    const values = given as unknown as ActValues<Inputs>;
    const reason = given['reason'] ?? '';
    const act = { operator: operatorOf(request).id, reason: isReasonAsked ? reason : '' };
    const problems =
      wrong.length > 0 ? wrong : ((await entry.check?.(deps, subject, values)) ?? []);
    if (problems.length > 0) {
      if (view.isFormElsewhere === true) throw unreadableForm(problems[0]?.message ?? '');
      return sendForm(page, request, reply.code(422), { subject, values, reason, problems });
    }
    if (entry.needsTemporal === true) await requireTemporal(deps);
    const words = entry.words(subject, values);
    const isSigned = entry.decidedBy === 'TWO' || entry.isSigned?.(subject) === true;
    const software = isSigned ? softwareSigner(deps.operatorKeys) : null;
    const isSignedByPasskey = isSigned && software === null;
    // A signature proves the act as well.
    const isProven =
      isSignedByPasskey ||
      !takesStepUp('console', right) ||
      (await proveAct(request, reply, words));
    if (!isProven) return reply;
    const mailIds: string[] = [];
    const dispatchMail = (mailId: string) => void mailIds.push(mailId);
    const acting = {
      ...tellingApprovers(deps, dispatchMail),
      ...{ db: formDatabase(deps.db, sentForm), dispatchMail },
    };
    const signer = isSignedByPasskey ? passkeySigner(deps, request) : (software ?? undefined);
    try {
      const asked = { subject, values, act: { ...act, signer } };
      const outcome = await runAct(entry, acting, asked);
      if (isSignedByPasskey && sentForm.isProven) await renewSession(request, reply);
      mailIds.forEach(deps.dispatchMail);
      return await sendOutcome(view, request, reply, { subject, outcome });
    } catch (error) {
      if (!(error instanceof SignatureWanted)) throw error;
      await askForSignature(request, reply, words, error);
      return reply;
    }
  });
}

const SEEN: Readonly<Record<string, FieldRule>> = {
  version: { what: 'the version that was seen', lengthMax: 9 },
  approval: { what: 'the proposal that was seen', lengthMax: 40, isOptional: true },
};

/** The rules of a form, from what an act takes. */
const rulesOf = (inputs: ActInputs): Readonly<Record<string, FieldRule & { isList?: false }>> =>
  Object.fromEntries(
    Object.entries(inputs).map(([name, input]: [string, ActInput]) => {
      const { what, lengthMax, isOptional = false } = input;
      return [
        name,
        { what, lengthMax, isOptional, check: (text: string) => problemWith(input, text) },
      ];
    }),
  );

/** Throws PageRefusal where there is no such subject, it cannot be done, or it takes another right. */
async function load<Subject, Inputs extends ActInputs>(
  deps: ConsoleDeps,
  entry: ActEntry<Subject, Inputs>,
  request: FastifyRequest,
): Promise<Subject> {
  const operator = operatorOf(request);
  const [id = ''] = Object.values(request.params as Readonly<Record<string, string>>);
  const subject = await entry.subject.find(deps, id);
  if (subject === null) throw noSuchPage();
  const more = entry.rightFor?.(subject) ?? entry.right;
  if (!hasRight(operator, more) && entry.mayToo?.(subject, operator.id) !== true) {
    throw missingRight(rolesWith('console', more) ?? []);
  }
  const refusal =
    entry.refusal?.(subject, {
      ...{ operator: operator.id, now: deps.clock.now(), mayRepeat: false },
    }) ?? null;
  if (refusal !== null) throw notDone(refusal.title, refusal.why);
  return subject;
}

function requireSeen(
  seen: Readonly<Record<string, string>>,
  given: Readonly<Record<string, string | readonly string[]>>,
): void {
  const isSame = Object.entries(seen).every(([name, value]) => given[name] === value);
  if (!isSame)
    throw notDone(
      'The page is out of date',
      'Another operator changed it since you opened the page.',
    );
}

const notDone = (title: string, why: string): PageRefusal =>
  new PageRefusal(409, title, `${why} Nothing was changed.`);

function sendOutcome<Subject, Inputs extends ActInputs>(
  view: ActView<Subject, Inputs>,
  request: FastifyRequest,
  reply: FastifyReply,
  { subject, outcome }: { readonly subject: Subject; readonly outcome: ActOutcome },
) {
  switch (outcome.kind) {
    case 'DONE':
      // What gets lost of it is no harm: whatever waits looks again by itself.
      void outcome.after?.(() => undefined).catch(() => undefined);
      return reply.redirect(view.trail(subject).href, 303);
    case 'PROPOSED':
      return reply.redirect(
        view.isProposalShownThere === true
          ? view.trail(subject).href
          : `/approvals/${outcome.approvalId}`,
        303,
      );
    case 'SHOWN': {
      const shown = view.shown?.(subject, outcome.shown);
      if (shown === undefined) throw new Error('an act that shows something has its page');
      return sendConsolePage(request, reply.code(201), { ...shown, current: view.current });
    }
    case 'WAITS_ALREADY':
      throw notDone(
        'It is already proposed',
        'Another proposal about the same subject is waiting. Open Approvals to see it.',
      );
    case 'REFUSED':
      throw notDone(outcome.title, outcome.why);
    case 'NO_ANSWER':
      throw outcome.isWritten
        ? new PageRefusal(409, 'It has not taken effect yet', outcome.why)
        : notNow();
  }
}

function sendForm<Subject, Inputs extends ActInputs>(
  page: {
    readonly entry: ActEntry<Subject, Inputs>;
    readonly view: ActView<Subject, Inputs>;
    readonly deps: ConsoleDeps;
  },
  request: FastifyRequest,
  reply: FastifyReply,
  given: {
    readonly subject: Subject;
    readonly values: Partial<ActValues<Inputs>>;
    readonly reason: string;
    readonly problems: readonly FieldProblem[];
  },
) {
  const action = request.url.split('?', 1)[0] ?? '';
  const times = timeText(operatorOf(request).timeZone);
  return sendConsolePage(request, reply, {
    title: page.entry.title,
    current: page.view.current,
    body: <ActForm {...page} {...given} {...{ action, token: reply.newForm(action), times }} />,
  });
}
