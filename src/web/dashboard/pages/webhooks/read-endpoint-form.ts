import type { Environment } from '../../../../domain/scope.ts';
import { readForm } from '../../../kit/forms/read-form.ts';
import type { FieldProblem, FormRules } from '../../../kit/forms/form-rules.ts';
import { refusalText } from '../../../kit/refusal-text.ts';
import type { SentForm } from '../../../kit/web-deps.ts';
import { findUrlProblem } from '../../../../modules/webhooks/find-url-problem.ts';
import { urlPolicyFor } from '../../../../modules/webhooks/url-rules.ts';
import type { DashboardDeps } from '../../dashboard-deps.ts';
import type { EndpointValues } from './endpoint-form.tsx';

/** Judges the form of an endpoint, its URL as the API does: DNS is asked, so not within a transaction. */
export async function readEndpointForm<Rules extends FormRules & { url: object }>(
  deps: Pick<DashboardDeps, 'webhookAllowLoopbackInTest'>,
  environment: Environment,
  rules: Rules,
  sent: SentForm,
) {
  const { values, problems } = readForm(rules, sent.texts);
  const url = String(values.url);
  if (url === '' || problems.some(({ field }) => field === 'url')) return { values, problems };
  const policy = urlPolicyFor(environment, deps.webhookAllowLoopbackInTest);
  const problem = await findUrlProblem(url, policy);
  if (problem === null) return { values, problems };
  const wrong: FieldProblem = { field: 'url', message: refusalText(problem) };
  return { values, problems: [wrong, ...problems] };
}

/** What a form says of an endpoint, as the use cases take it. */
export const settingsOf = ({ url, types, description, options }: EndpointValues) => ({
  ...{ url, types, description: description === '' ? null : description },
  ...{ thin: options.includes('thin'), asymmetric: options.includes('asymmetric') },
});

/** The host of an endpoint, to name it by: the rest of its URL may hold a secret. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'the URL');
