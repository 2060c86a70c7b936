import { ENVIRONMENTS } from '../../domain/scope.ts';
import type { TravelRuleProviders } from '../../modules/payments/ask-vasp.ts';
import { createHttpTravelRule } from '../../adapters/travel-rule/http-travel-rule.ts';
import { SANDBOX_TRAVEL_RULE } from '../../adapters/travel-rule/sandbox-travel-rule.ts';
import { openProviderDispatcher } from './provider-dispatcher.ts';
import type { Resources } from './resources.ts';

/** Half of what a call may take. */
const CONNECT_TIMEOUT_MS = 5_000;

/** What carries records to the VASPs of wallets, by environment; the sandbox's where test has none. */
export function openTravelRuleProviders({
  config,
}: Pick<Resources, 'config'>): TravelRuleProviders {
  return Object.fromEntries(
    ENVIRONMENTS.flatMap((environment) => {
      const provider = config.providers.travelRule[environment];
      if (provider === undefined) {
        return environment === 'test' ? [[environment, SANDBOX_TRAVEL_RULE]] : [];
      }
      const dispatcher = openProviderDispatcher(provider, CONNECT_TIMEOUT_MS);
      return [[environment, createHttpTravelRule({ url: provider.url, dispatcher })]];
    }),
  );
}
