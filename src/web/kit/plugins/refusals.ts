import type { FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseOutage, ScopeBusy, SlowList } from '../../../db/client/outage.ts';
import { Refusal } from '../../../domain/errors/refusal.ts';
import { ERRORS } from '../../../domain/errors/registry.ts';
import { describeFault } from '../http/describe-fault.ts';
import { faultOfOurs, noSuchPage, notNow, PageRefusal, unreadableForm } from '../page-refusal.ts';
import { refusalPage } from '../pages/refusal-page.tsx';
import { plainText } from '../refusal-text.ts';
import { sendPage } from '../send-page.ts';
import type { WebApp } from '../web-deps.ts';

/** Makes everything that is thrown a page, wherever it was thrown. Nothing of a fault's text gets out. */
export function installRefusals(app: WebApp): void {
  app.setErrorHandler((error, request, reply) => sendRefusal(error, request, reply));
}

/** Answers with the page of what was thrown. `home` is the first page of the site; null where it has none. */
export function sendRefusal(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  home: string | null = '/',
) {
  const refusal = pageRefusalOf(error);
  // One that a page makes by itself is no fault; the line of its request says that it was made.
  if (refusal.status >= 500 && refusal !== error)
    request.log.error({ fault: describeFault(error) }, refusal.title);
  return sendPage(
    reply.code(refusal.status).headers(refusal.headers),
    refusalPage(refusal.title, refusal.message, home),
  );
}

function pageRefusalOf(thrown: unknown): PageRefusal {
  if (thrown instanceof PageRefusal) return thrown;
  if (thrown instanceof Refusal) return ofDomain(thrown);
  if (isDatabaseOutage(thrown) || isBusy(thrown)) return notNow();
  const { code, statusCode = 500 } = (thrown ?? {}) as { code?: string; statusCode?: number };
  if (code === 'FST_ERR_BAD_URL' || code === 'FST_ERR_MAX_PARAM_LENGTH') return noSuchPage();
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new PageRefusal(413, ...TOO_LONG);
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new PageRefusal(415, ...NO_FORM);
  if (statusCode >= 400 && statusCode < 500) return unreadableForm('The request was cut off.');
  return faultOfOurs();
}

/** The database is there, and could not do it in the time that it may take. */
const isBusy = (thrown: unknown): boolean =>
  thrown instanceof SlowList || thrown instanceof ScopeBusy;

const TOO_LONG = ['This is too long', 'Nothing was changed. Send a shorter form.'] as const;
const NO_FORM = ['This is not a form', 'Nothing was changed. Pages accept only forms.'] as const;

/** What the engine's own rules refuse. A missing thing and another customer's have one page. */
function ofDomain(refusal: Refusal): PageRefusal {
  const { code, headers } = refusal;
  const message = plainText(refusal.message);
  const { status } = ERRORS[code];
  if (status === 404) return noSuchPage();
  if (status === 409 || status === 412)
    return new PageRefusal(409, 'The page is out of date', message);
  if (status === 503) return notNow();
  if (status >= 500) return faultOfOurs();
  return new PageRefusal(status, 'Nothing was changed', message, headers);
}
