import formBody from '@fastify/formbody';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { useForm } from '../../../db/customers/form-use-store.ts';
import { isChallengeFresh, passkeyChallenge } from '../forms/challenge.ts';
import { FORM_FIELD, issueFormToken, readFormToken } from '../forms/form-token.ts';
import { parseForm } from '../forms/parse-form.ts';
import { PROOF_RULES } from '../forms/proof.ts';
import { formSession, openFormSession } from '../forms/visitor.ts';
import { forgedForm, formSentBefore } from '../page-refusal.ts';
import type { WebApp, WebDeps } from '../web-deps.ts';
import { takesStepUp } from '../../../domain/customers/access/rights.ts';

/** In bytes; the longest page's form is far shorter. */
const BODY_BYTES_MAX = 65_536;

/** Answers that say an act was done: each must have used its form. */
const DONE = [201, 303];

const pathOf = (url: string): string => url.split('?', 1)[0] ?? '';

/**
 * Takes POSTs of application/x-www-form-urlencoded alone, with the fields that their route names and a
 * token that a page of ours gave this session for this path. `sentForm.use` makes it good for once.
 */
export async function installForms(
  app: WebApp,
  { surface, vault, clock, proofs }: Pick<WebDeps, 'surface' | 'vault' | 'clock' | 'proofs'>,
): Promise<void> {
  app.removeAllContentTypeParsers();
  // The text as it came: @fastify/formbody's own reading lets percent-encoding through that is not UTF-8.
  const keepText = (text: string) => ({ text });
  await app.register(formBody, { bodyLimit: BODY_BYTES_MAX, parser: keepText });
  app.decorate('proofs', proofs);
  app.decorateRequest('sentForm', null);
  app.decorateReply('newForm', function (this: FastifyReply, path: string) {
    const session = openFormSession(this.request, this);
    return issueFormToken(vault, { surface, session, path }, clock.now());
  });
  app.decorateReply('newChallenge', (token: string, ...of: readonly string[]) =>
    passkeyChallenge(vault, token, of),
  );
  app.addHook('onRoute', ({ url, method, config }) => {
    const isRead = [method].flat().every((one) => one === 'GET' || one === 'HEAD');
    if (!isRead && config?.form === undefined) throw new Error(`page ${url} names no fields`);
  });
  app.addHook('preValidation', async (request) => {
    const { form: fields, right = 'public' } = request.routeOptions.config;
    if (fields === undefined || request.method !== 'POST') return;
    const rules = takesStepUp(surface, right) ? { ...fields, ...PROOF_RULES } : fields;
    const { text = '' } = (request.body ?? {}) as { readonly text?: string };
    const texts = parseForm(text, rules);
    const session = formSession(request);
    if (session === null) throw forgedForm();
    const binding = { surface, session, path: pathOf(request.url) };
    const token = texts.get(FORM_FIELD)?.[0] ?? '';
    const form = readFormToken(vault, binding, token, clock.now());
    const sent = {
      texts,
      isUsed: false,
      isProven: false,
      async use(tx: Parameters<typeof useForm>[0]) {
        if (!(await useForm(tx, form, clock.now()))) throw formSentBefore();
        sent.isUsed = true;
      },
      challenge: (...of: readonly string[]) =>
        isChallengeFresh(token, clock.now()) ? passkeyChallenge(vault, token, of) : null,
    };
    request.sentForm = sent;
  });
  app.addHook('onSend', async (request: FastifyRequest, reply) => {
    const { sentForm, routeOptions } = request;
    if (sentForm === null || !DONE.includes(reply.statusCode)) return;
    const { right = 'public' } = routeOptions.config;
    const page = `page ${routeOptions.url ?? ''} acted upon a form without`;
    if (!sentForm.isUsed) throw new Error(`${page} using it`);
    if (takesStepUp(surface, right) && !sentForm.isProven) throw new Error(`${page} a proof`);
  });
}
