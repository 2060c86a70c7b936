import type { LoginProviderSettings } from '../config/login-provider-config.ts';
import { ConfigError } from '../config/settings.ts';
import { registerConsole } from '../../web/console/register-console.ts';
import type { Resources } from './resources.ts';
import { startSurface, type RunningSurface } from './start-surface.ts';

/** Builds the operators' pages, and listens. It does not need Temporal to be up. */
export function startConsole(
  resources: Resources,
  loginProvider?: LoginProviderSettings,
): Promise<RunningSurface> {
  const { web, kyc, operators } = resources.config;
  const { operatorKeys } = resources;
  if (operators.operatorKeysFile !== undefined && operatorKeys.origin !== web.opsUrl) {
    throw new ConfigError([`OPERATOR_KEYS_FILE is of ${operatorKeys.origin}, and not of OPS_URL`]);
  }
  const { temporalUiUrl } = web;
  return startSurface(resources, {
    ...{ surface: 'console', origin: web.opsUrl },
    ...{ host: web.opsHost, port: web.opsPort, loginProvider },
    register: (app, pages) => {
      registerConsole(app, {
        ...pages,
        getClient: () => resources.getClient(),
        operatorKeys,
        kycApprovalDays: kyc.approvalDays,
        temporalUi:
          temporalUiUrl === undefined
            ? null
            : { url: temporalUiUrl, namespace: resources.temporal.namespace },
      });
    },
  });
}
