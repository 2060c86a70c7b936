import type { DevState } from './dev-stack.ts';

/** Where everything is, and a first request to try. */
export function describeStack(state: DevState): string {
  return `
Causeway runs. Ctrl-C stops it; what it stored stays.

  API           ${state.apiUrl}/api/v1
  Docs          ${state.apiUrl}/docs
  OpenAPI       ${state.apiUrl}/api/v1/openapi.json
  Dashboard     ${state.dashboardUrl}
  Console       ${state.opsUrl}
  Mailbox       ${state.mailboxUrl}
  Temporal UI   ${state.temporalUiUrl ?? 'at your own Temporal server'}
  Sandbox bank  ${state.bankUrl}
  Sandbox chains ${state.chain?.controlUrl ?? 'none'}
  PostgreSQL    ${state.databaseUrl}
  Test key      ${state.testApiKey}
  Live key      ${state.liveApiKey}

Log in with one of these addresses; the code is in the mailbox.

  Dashboard     ${dashboardLogins(state).join('\n                ')}
  Console       ${state.logins.operators.join('\n                ')}

Try it:

  curl '${state.apiUrl}/api/v1/fx-rates?quote=EUR,GBP' -H 'Authorization: Bearer ${state.testApiKey}'
`;
}

const dashboardLogins = ({ logins }: DevState): readonly string[] => [
  logins.owner,
  logins.developer,
  logins.finance,
  logins.viewer,
];
