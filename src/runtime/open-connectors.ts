import type { Config } from '../config/config.ts';
import { createHttpBank } from '../connectors/http-bank/http-bank.ts';
import { createSandboxDepositor } from '../connectors/http-bank/sandbox-deposits.ts';
import { createConnectorRegistry, type ConnectorRegistry } from '../connectors/registry.ts';
import { ENVIRONMENTS } from '../domain/scope.ts';
import { openProviderDispatcher } from './provider-dispatcher.ts';

/** Every configured connector: a further one is a further entry of this list. */
export function openConnectors(config: Config): ConnectorRegistry {
  return createConnectorRegistry(
    ENVIRONMENTS.flatMap((environment) => {
      const bank = config.providers.bank[environment];
      if (bank === undefined) return [];
      const { bankTimeoutMs } = config.timing[environment];
      const dispatcher = openProviderDispatcher(bank, Math.ceil(bankTimeoutMs / 2));
      const httpBank = createHttpBank({ baseUrl: bank.url, name: 'http-bank', dispatcher });
      const served = { environment, payout: httpBank, statements: httpBank };
      if (environment !== 'test') return [served];
      return [{ ...served, deposits: createSandboxDepositor(bank.url, dispatcher) }];
    }),
  );
}
