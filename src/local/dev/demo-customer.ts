import { createApiKey } from '../../customers/create-api-key.ts';
import { fundEveryCurrency, onboardCustomer } from '../../customers/onboard-customer.ts';
import { findApiKeys } from '../../db/api-key-store.ts';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../domain/clock.ts';
import { buildApiKeyToken } from '../../customers/api-key-token.ts';
import type { Environment } from '../../domain/scope.ts';
import type { Vault } from '../../vault/vault.ts';
import type { DevSecrets } from './dev-secrets.ts';

/** The same customer in every local run, so that a restart finds it again. */
const DEMO_CUSTOMER = {
  id: 'cus_00000000000000000000000000',
  name: 'Demo Partner Ltd',
  hasLiveAccess: true,
} as const;

const LOOPBACK = ['127.0.0.0/16', '::1/128'];

export interface DemoKeys {
  readonly testApiKey: string;
  readonly liveApiKey: string;
}

/** Takes on the demo customer with its two keys where they do not exist yet. */
export async function seedDemoCustomer(
  deps: { readonly db: Database; readonly vault: Vault; readonly clock: Clock },
  secrets: DevSecrets,
): Promise<DemoKeys> {
  await onboardCustomer(deps, DEMO_CUSTOMER);
  // Behind the live key of a local run there is a sandbox bank too.
  await fundEveryCurrency(deps, { customerId: DEMO_CUSTOMER.id, environment: 'live' });
  const ensureKey = async (environment: Environment, approvedRanges: readonly string[]) => {
    const { publicId, secret } = secrets[`${environment}ApiKey`];
    const random = {
      publicId: Buffer.from(publicId, 'base64'),
      secret: Buffer.from(secret, 'base64'),
    };
    const { token, publicId: name } = buildApiKeyToken(environment, random);
    if ((await findApiKeys(deps.db, [name])).has(name)) return token;
    const scope = { customerId: DEMO_CUSTOMER.id, environment };
    return createApiKey(deps, scope, {
      name: `demo ${environment} key`,
      random,
      approvedRanges,
      approvedBy: { kind: 'OPERATOR', name: 'local run' },
    });
  };
  return { testApiKey: await ensureKey('test', []), liveApiKey: await ensureKey('live', LOOPBACK) };
}
