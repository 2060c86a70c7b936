import { createLoginProvider } from '../../adapters/oidc/login-provider.ts';
import type { LoginProvider } from '../../domain/customers/access/login-provider.ts';
import type { Surface } from '../../domain/customers/access/rights.ts';
import type { Config } from '../config/config.ts';

/** The provider that the people of a surface can log in with; null where the settings name none. Asks it nothing yet. */
export function openLoginProvider(
  { loginProviders }: Pick<Config, 'loginProviders'>,
  surface: Surface,
  origin: string,
): LoginProvider | null {
  const settings = loginProviders[surface];
  if (settings === undefined) return null;
  return createLoginProvider(settings, `${origin}/login/provider/callback`);
}
