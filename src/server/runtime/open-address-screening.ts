import { ENVIRONMENTS, type Environment } from '../../domain/scope.ts';
import type { AskAddress } from '../../domain/parties/screening/address-screening.ts';
import { createFileAddresses } from '../../adapters/screening/file-addresses.ts';
import { createHttpAddresses } from '../../adapters/screening/http-addresses.ts';
import { askSandboxAddresses } from '../../adapters/screening/sandbox-addresses.ts';
import type { AddressScreening } from '../../modules/parties/wallets/look-up-address.ts';
import { PlainError, reasonOf } from './plain-error.ts';
import { openProviderDispatcher } from './provider-dispatcher.ts';
import { codeOf, type Resources } from './resources.ts';

/** Half of what a call may take. */
const CONNECT_TIMEOUT_MS = 2_500;

type Needs = Pick<Resources, 'config' | 'log'>;

/**
 * What looks addresses up, by environment; the sandbox's where test has none. One that fails is in the log
 * by its code. Throws PlainError where a configured file cannot be used.
 */
export function openAddressScreening(resources: Needs): AddressScreening {
  return Object.fromEntries(
    ENVIRONMENTS.flatMap((environment) => {
      const ask = openOne(resources, environment);
      return ask === null ? [] : [[environment, logged(resources, environment, ask)]];
    }),
  );
}

function openOne({ config, log }: Needs, environment: Environment): AskAddress | null {
  const provider = config.providers.addressScreening[environment];
  if (provider !== undefined) {
    const dispatcher = openProviderDispatcher(provider, CONNECT_TIMEOUT_MS);
    return createHttpAddresses({ url: provider.url, dispatcher });
  }
  const path = config.screening.addressFiles[environment];
  if (path === undefined) return environment === 'test' ? askSandboxAddresses : null;
  try {
    return createFileAddresses({
      path,
      onUnusable: (error) => {
        log.error({ environment, reason: reasonOf(error) }, 'the list of addresses cannot be used');
      },
    });
  } catch (error) {
    const reason = reasonOf(error);
    throw new PlainError(`The ${environment} list of addresses cannot be used: ${reason}`);
  }
}

const logged =
  ({ log }: Needs, environment: Environment, ask: AskAddress): AskAddress =>
  async (question) => {
    try {
      return await ask(question);
    } catch (error) {
      const { network } = question;
      log.warn({ code: codeOf(error), environment, network }, 'an address was not looked up');
      throw error;
    }
  };
