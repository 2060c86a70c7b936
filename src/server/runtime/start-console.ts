import { registerConsole } from '../../web/console/register-console.ts';
import type { Resources } from './resources.ts';
import { startSurface, type RunningSurface } from './start-surface.ts';

/** Builds the operators' pages, and listens. It does not need Temporal to be up. */
export function startConsole(resources: Resources): Promise<RunningSurface> {
  const { web, kyc } = resources.config;
  const { temporalUiUrl } = web;
  return startSurface(resources, {
    ...{ surface: 'console', origin: web.opsUrl },
    ...{ host: web.opsHost, port: web.opsPort },
    register: (app, pages) => {
      registerConsole(app, {
        ...pages,
        getClient: () => resources.getClient(),
        kycApprovalDays: kyc.approvalDays,
        temporalUi:
          temporalUiUrl === undefined
            ? null
            : { url: temporalUiUrl, namespace: resources.temporal.namespace },
      });
    },
  });
}
