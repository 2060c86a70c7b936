import type { DevState } from './dev-stack.ts';

/** Where everything is, and a first request to try. */
export function describeStack(state: DevState): string {
  return `
Causeway runs. Ctrl-C stops it; what it stored stays.

  API           ${state.apiUrl}/api/v1
  Docs          ${state.apiUrl}/docs
  OpenAPI       ${state.apiUrl}/api/v1/openapi.json
  Temporal UI   ${state.temporalUiUrl ?? 'at your own Temporal server'}
  Sandbox bank  ${state.bankUrl}
  PostgreSQL    ${state.databaseUrl}
  Test key      ${state.testApiKey}
  Live key      ${state.liveApiKey}

Try it:

  curl ${state.apiUrl}/api/v1/fx-rates?quote=EUR,GBP -H 'Authorization: Bearer ${state.testApiKey}'
`;
}
