import { approveAddressesAsTwo } from '../../modules/customers/approve-as-two.ts';
import type { ListAddressDeps } from '../../modules/customers/list-address.ts';
import { createApiKey } from '../../modules/customers/create-api-key.ts';
import { fundEveryCurrency, onboardCustomer } from '../../modules/customers/onboard-customer.ts';
import { findApiKeys } from '../../db/customers/api-key-store.ts';
import { buildApiKeyToken } from '../../modules/customers/api-key-token.ts';
import type { Environment } from '../../domain/scope.ts';
import { seedDemoPeople, type DemoLogins } from './demo-people.ts';
import type { DevSecrets } from './dev-secrets.ts';
import { seedLiveAccess, type SeedLiveDeps } from './seed-live-access.ts';

/** The same customer in every local run, so that a restart finds it again. */
const DEMO_CUSTOMER = {
  id: 'cus_00000000000000000000000000',
  name: 'Demo Partner Ltd',
} as const;

const LOOPBACK = ['127.0.0.0/16', '::1/128'];

export interface DemoKeys {
  readonly testApiKey: string;
  readonly liveApiKey: string;
  readonly logins: DemoLogins;
}

/**
 * Takes on the demo customer, live, with its two keys and its people where they do not exist yet. What takes
 * two operators is approved by two of those who are seeded.
 */
export async function seedDemoCustomer(
  deps: SeedLiveDeps & ListAddressDeps,
  secrets: DevSecrets,
): Promise<DemoKeys> {
  await onboardCustomer(deps, DEMO_CUSTOMER);
  const { logins, approvers } = await seedDemoPeople(deps, DEMO_CUSTOMER.id);
  await seedLiveAccess(deps, DEMO_CUSTOMER.id, approvers);
  // Behind the live key of a local run there is a sandbox bank too.
  await fundEveryCurrency(deps, { customerId: DEMO_CUSTOMER.id, environment: 'live' });
  const ensureKey = async (environment: Environment, ranges: readonly string[]) => {
    const { publicId, secret } = secrets[`${environment}ApiKey`];
    const random = {
      publicId: Buffer.from(publicId, 'base64'),
      secret: Buffer.from(secret, 'base64'),
    };
    const { token, publicId: name } = buildApiKeyToken(environment, random);
    if ((await findApiKeys(deps.db, [name])).has(name)) return token;
    const scope = { customerId: DEMO_CUSTOMER.id, environment };
    const by = { kind: 'OPERATOR', name: 'local run' } as const;
    await deps.db.system(async (tx) => {
      const order = { name: `demo ${environment} key`, random, ranges, by };
      const { id } = await createApiKey(deps, tx, scope, order);
      await approveAddressesAsTwo(deps, tx, scope, id, {
        ...{ ...approvers, reason: 'local run', operatorKeys: deps.operatorKeys },
      });
    });
    return token;
  };
  return {
    testApiKey: await ensureKey('test', []),
    liveApiKey: await ensureKey('live', LOOPBACK),
    logins,
  };
}
