import { escapeHtml } from '../escape-html.ts';
import type { Check } from './kyc-state.ts';
import type { CheckStatus } from './kyc-outcome.ts';

const WORDING: Readonly<Record<CheckStatus, string>> = {
  PENDING: 'We have received the request.',
  IN_REVIEW: 'The check is under way.',
  APPROVED: 'The check is done: approved.',
  REJECTED: 'The check is done: not approved.',
  RESUBMISSION_REQUIRED: 'Something is missing: the documents must be sent again.',
  REVOKED: 'An earlier approval was withdrawn.',
  EXPIRED: 'The check is too old and must be done again.',
};

/** The page that the end-user would see. It shows no personal data: the provider keeps none. */
export function* renderHostedPage(check: Check): Generator<string> {
  const { status, reasons } = check.current;
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Identity check (sandbox)</title>
<style>
body { font: 1.125rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 3rem auto; padding: 0 1rem; color: #1a1a1a; background: #fff; }
a { color: #0b4f9e; }
</style>
</head>
<body>
<main>
<h1>Identity check</h1>
<p>${escapeHtml(WORDING[status])} <strong>${escapeHtml(status)}</strong></p>
`;
  if (reasons.length > 0) {
    yield '<ul>';
    for (const { message } of reasons) yield `<li>${escapeHtml(message)}</li>`;
    yield '</ul>\n';
  }
  yield `<p>This is the sandbox: there is nothing to fill in, the outcome comes by itself.</p>
<p><a href="${escapeHtml(check.id)}">Look again</a></p>
</main>
</body>
</html>
`;
}
