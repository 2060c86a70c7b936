import { httpSettings } from '../config/config.ts';
import type { LoginProviderSettings } from '../config/login-provider-config.ts';
import { registerDashboard } from '../../web/dashboard/register-dashboard.ts';
import type { Resources } from './resources.ts';
import { startSurface, type RunningSurface } from './start-surface.ts';

/** Builds the customers' pages, and listens. It does not need Temporal to be up. */
export function startDashboard(
  resources: Resources,
  loginProvider?: LoginProviderSettings,
): Promise<RunningSurface> {
  const { config } = resources;
  const { http, web, providers } = config;
  return startSurface(resources, {
    ...{ surface: 'dashboard', origin: web.dashboardUrl },
    ...{ host: http.host, port: web.dashboardPort, loginProvider },
    register: (app, pages) => {
      registerDashboard(app, {
        ...pages,
        networks: httpSettings(config).networks,
        isCompanyCheckServed: providers.kyc.live !== undefined,
      });
    },
  });
}
