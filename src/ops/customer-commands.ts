import { randomBytes } from 'node:crypto';
import { createApiKey } from '../customers/create-api-key.ts';
import { onboardCustomer } from '../customers/onboard-customer.ts';
import type { Database } from '../db/database.ts';
import { newId } from '../db/new-id.ts';
import type { Clock } from '../domain/clock.ts';
import { PUBLIC_ID_BYTES, SECRET_BYTES } from '../domain/keys/api-key-token.ts';
import type { Environment } from '../domain/scope.ts';
import { PlainError } from '../runtime/plain-error.ts';
import type { Vault } from '../vault/vault.ts';

interface CustomerCommandDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly print: (text: string) => void;
}

/** Takes on a customer by hand: there is no self-service. */
export async function addCustomer(
  deps: CustomerCommandDeps,
  customer: { readonly name: string; readonly hasLiveAccess: boolean },
): Promise<void> {
  const id = newId('cus');
  await onboardCustomer(deps, { id, ...customer });
  deps.print(`Customer ${id} (${customer.name}); its test environment is funded.`);
}

/** Creates an API key and shows its token, this once. */
export async function addKey(
  deps: CustomerCommandDeps & { readonly vault: Vault },
  key: {
    readonly customerId: string;
    readonly environment: Environment;
    readonly name: string;
    readonly approvedRanges: readonly string[];
    readonly operator: string;
  },
): Promise<void> {
  const scope = { customerId: key.customerId, environment: key.environment };
  const token = await createApiKey(deps, scope, {
    name: key.name,
    random: { publicId: randomBytes(PUBLIC_ID_BYTES), secret: randomBytes(SECRET_BYTES) },
    approvedRanges: key.approvedRanges,
    approvedBy: key.operator,
  }).catch((error: unknown) => {
    if (error instanceof RangeError) throw new PlainError(error.message);
    throw error;
  });
  deps.print(`${token}\nThis is the only time that it is shown.`);
}
