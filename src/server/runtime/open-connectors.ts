import type { Config } from '../config/config.ts';
import { createChainRail } from '../../adapters/evm/chain-rail.ts';
import { createHttpBank } from '../../adapters/http-bank/http-bank.ts';
import { createSandboxDepositor } from '../../adapters/http-bank/sandbox-deposits.ts';
import {
  createConnectorRegistry,
  type ConnectorRegistry,
  type RegisteredConnector,
} from '../../domain/payments/connector-registry.ts';
import { ENVIRONMENTS, type Environment } from '../../domain/scope.ts';
import { countBankCalls } from '../monitor/count-bank-calls.ts';
import type { Metrics } from '../monitor/metrics.ts';
import { openChainBook, type ChainBookDeps } from './open-chain-book.ts';
import { openProviderDispatcher } from './provider-dispatcher.ts';

/** Every configured connector: a further one is a further entry of this list. */
export function openConnectors(
  config: Config,
  deps: ChainBookDeps & { readonly metrics: Pick<Metrics, 'count'> },
): ConnectorRegistry {
  const opened = ENVIRONMENTS.flatMap((environment) => [
    ...openBank(config, environment),
    ...openRail(config, deps, environment),
  ]);
  return createConnectorRegistry(
    opened.map((one) => ({
      ...one,
      payout: countBankCalls(deps.metrics, one.environment, one.payout),
    })),
  );
}

function openBank(config: Config, environment: Environment): RegisteredConnector[] {
  const bank = config.providers.bank[environment];
  if (bank === undefined) return [];
  const { bankTimeoutMs } = config.timing[environment];
  const dispatcher = openProviderDispatcher(bank, Math.ceil(bankTimeoutMs / 2));
  const httpBank = createHttpBank({ baseUrl: bank.url, name: 'http-bank', dispatcher });
  const served = { environment, payout: httpBank, statements: httpBank };
  if (environment !== 'test') return [served];
  return [{ ...served, deposits: createSandboxDepositor(bank.url, dispatcher) }];
}

function openRail(
  config: Config,
  deps: ChainBookDeps,
  environment: Environment,
): RegisteredConnector[] {
  const networks = config.chain[environment];
  if (networks.length === 0) return [];
  const book = openChainBook(deps, environment);
  return [{ environment, payout: createChainRail({ networks, book }), statements: null }];
}
