import type { Logger } from 'pino';
import type { NameChecks } from '../../modules/parties/bank-accounts/check-holder-name.ts';
import type { Config } from '../config/config.ts';
import { ENVIRONMENTS } from '../../domain/scope.ts';
import { createHttpNameCheck } from '../../adapters/name-check/http-name-check.ts';
import { openProviderDispatcher } from './provider-dispatcher.ts';
import { codeOf } from './resources.ts';

/** Every configured name check. One that fails answers UNAVAILABLE, and the log says why by code. */
export function openNameChecks(config: Config, log: Pick<Logger, 'warn'>): NameChecks {
  const { nameCheck: providers, nameCheckTimeoutMs: timeoutMs } = config.providers;
  return Object.fromEntries(
    ENVIRONMENTS.flatMap((environment) => {
      const access = providers[environment];
      if (access === undefined) return [];
      const dispatcher = openProviderDispatcher(access, Math.ceil(timeoutMs / 2));
      const provider = createHttpNameCheck({ url: access.url, timeoutMs, dispatcher });
      const ask: NameChecks['test'] = async (question) => {
        try {
          return await provider.check(question);
        } catch (error) {
          const { rail } = question;
          log.warn({ code: codeOf(error), environment, rail }, 'a name was not checked');
          return 'UNAVAILABLE';
        }
      };
      return [[environment, ask]];
    }),
  );
}
