import type { FastifyReply, FastifyRequest } from 'fastify';
import type { VNode } from 'preact';
import { givenFacts } from '../../../../modules/parties/kyc/given-facts.ts';
import { readKycPage, type KycPage } from '../../../../modules/parties/kyc/kyc-page.ts';
import type { FieldProblem } from '../../../../web/kit/forms/form-rules.ts';
import { sendPage } from '../../../../web/kit/send-page.ts';
import type { HttpDeps } from '../../../deps.ts';
import { deadLink } from './page-look-up.ts';
import { providerLink } from './provider-link.ts';
import { GivePage } from './pages/give-page.tsx';
import { GivenPage } from './pages/given-page.tsx';
import { NewsPage } from './pages/news-page.tsx';
import { OverPage } from './pages/over-page.tsx';
import { PreparingPage } from './pages/preparing-page.tsx';

/** The path that the pages of a token are under, as browsers see it, without a slash at its end. */
export function kycPath({ settings }: Pick<HttpDeps, 'settings'>, token: string): string {
  return `${basePath(settings.publicUrl)}/kyc/${token}`;
}

const basePath = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/$/, '');

/** Whether a page of ours looks again by itself: what it shows is replaced in parts only. */
export const isRefresh = ({ headers }: FastifyRequest): boolean =>
  headers['x-causeway-refresh'] !== undefined;

/** Shows where the check of a token stands. With problems it is the form that was sent: 422. */
export function sendKycPage(
  deps: HttpDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  page: KycPage,
  problems: readonly FieldProblem[] = [],
) {
  const { token = '' } = request.params as { token?: string };
  const path = kycPath(deps, token);
  if (problems.length > 0) void reply.code(422);
  return sendPage(reply, {
    ...viewOf(deps, page, path, problems, isRefresh(request)),
    base: basePath(deps.settings.publicUrl),
  });
}

function viewOf(
  deps: HttpDeps,
  page: KycPage,
  path: string,
  problems: readonly FieldProblem[],
  isAskedByScript: boolean,
): { readonly title: string; readonly body: VNode } {
  const { customerName, check, documents, uploads, ref } = page;
  const way = { customerName, redirectUrl: check.redirectUrl };
  if (page.step === 'PREPARING') {
    return { title: 'One moment', body: <PreparingPage path={path} /> };
  }
  if (page.step === 'GIVEN') {
    const providerUrl = providerLink(deps, page);
    return { title: 'Received', body: <GivenPage {...{ ...way, documents, providerUrl }} /> };
  }
  if (isAskedByScript || page.step === 'AT_PROVIDER') {
    return { title: 'Your check has moved on', body: <NewsPage path={path} /> };
  }
  if (page.step === 'OVER') {
    return { title: 'Finished', body: <OverPage {...way} status={check.status} /> };
  }
  return {
    title: 'Your documents',
    body: (
      <GivePage
        {...{ path, customerName, problems, uploads }}
        isCompany={page.isCompany}
        isTest={ref.environment === 'test'}
        hasToRedo={check.status === 'RESUBMISSION_REQUIRED'}
        reasons={check.reasons}
        asks={check.documentsAsked}
        facts={givenFacts(deps.vault, page.endUser)}
      />
    ),
  };
}

/** The same once something was done: what there is now. */
export async function sendKycPageAgain(
  deps: HttpDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  problems: readonly FieldProblem[],
) {
  const { token = '' } = request.params as { token?: string };
  const page = await readKycPage(deps, token);
  if (page === null) throw deadLink();
  return sendKycPage(deps, request, reply, page, page.step === 'GIVE' ? problems : []);
}
