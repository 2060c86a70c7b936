import type { Logger } from 'pino';
import type { Clock } from '../../domain/clock.ts';
import type { Config } from '../config/config.ts';

const EVERY_MS = 3_600_000;

/**
 * What a listener calls for a request that names a client by X-Forwarded-For and comes from no trusted proxy: without
 * TRUSTED_PROXIES every client has the address of the proxy. It logs a warning once an hour at most. Where nothing live
 * is configured it does nothing.
 */
export function createUntrustedProxyWarning(deps: {
  readonly config: Pick<Config, 'providers' | 'chain'>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
}): () => void {
  const { providers, chain } = deps.config;
  if (providers.bank.live === undefined && chain.live.length === 0) return () => undefined;
  let quietUntilMs = 0;
  return () => {
    const nowMs = deps.clock.now().getTime();
    if (nowMs < quietUntilMs) return;
    quietUntilMs = nowMs + EVERY_MS;
    deps.log.warn(
      { setting: 'TRUSTED_PROXIES' },
      'X-Forwarded-For came from an address that is not in TRUSTED_PROXIES, and was ignored',
    );
  };
}
