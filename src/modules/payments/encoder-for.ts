import type { ConnectorRegistry } from '../../domain/payments/connector-registry.ts';
import type { Screener } from '../parties/screening/screener.ts';
import type { CorridorDeps } from './served-corridors.ts';

/**
 * How the connector of an environment's rail writes its orders. Null where no connector pays over the rail, and over
 * every rail while the environment has no list of sanctioned names: nothing may leave then, so nothing is accepted.
 */
export function createEncoderFor(
  connectors: Pick<ConnectorRegistry, 'payout'>,
  screener: Pick<Screener, 'isServed'>,
): CorridorDeps['encoderFor'] {
  return (environment, rail) => {
    if (!screener.isServed(environment)) return null;
    const connector = connectors.payout(environment, rail);
    return connector === null ? null : (order) => connector.encode(order);
  };
}
