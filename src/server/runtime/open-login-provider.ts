import { createLoginProvider } from '../../adapters/oidc/login-provider.ts';
import type { LoginProvider } from '../../domain/customers/access/login-provider.ts';
import type { LoginProviderSettings } from '../config/login-provider-config.ts';

/** The provider that the people of a surface can log in with; null where the settings name none. Asks it nothing yet. */
export function openLoginProvider(
  settings: LoginProviderSettings,
  origin: string,
): LoginProvider | null {
  if (settings === undefined) return null;
  return createLoginProvider(settings, `${origin}/login/provider/callback`);
}
