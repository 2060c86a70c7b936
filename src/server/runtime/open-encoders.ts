import type { ConnectorRegistry } from '../../domain/payments/connector-registry.ts';
import type { AcceptDeps } from '../../modules/payments/accept-payment.ts';
import type { Screener } from '../../modules/parties/screening/screener.ts';

/** How the connectors of a process write orders, for whatever accepts payments. */
export function openEncoders(
  connectors: Pick<ConnectorRegistry, 'payout'>,
  screener: Pick<Screener, 'isServed'>,
): AcceptDeps['encoderFor'] {
  return (environment, rail) => {
    // Without a list of sanctioned names nothing may leave, so nothing is accepted.
    if (!screener.isServed(environment)) return null;
    const connector = connectors.payout(environment, rail);
    return connector === null ? null : (order) => connector.encode(order);
  };
}
