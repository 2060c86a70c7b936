import { isNetwork } from '../onchain/network.ts';
import type { Environment } from '../scope.ts';
import type { PayoutConnector, SandboxDepositor, StatementSource } from './connector.ts';

/** One connector of one environment: how payments leave and, where it has them, its statements. */
export interface RegisteredConnector {
  readonly environment: Environment;
  readonly payout: PayoutConnector;
  readonly statements: StatementSource | null;
  /** Of the test environment alone. */
  readonly deposits?: SandboxDepositor;
}

/**
 * Which connector serves what. The first one registered for an environment and rail is taken; over a network
 * pays only one that names it.
 */
export interface ConnectorRegistry {
  payout(environment: Environment, rail: string): PayoutConnector | null;
  /** Every one of the environment. */
  payouts(environment: Environment): readonly PayoutConnector[];
  statementSources(environment: Environment): readonly StatementSource[];
  /** Where deposits of the test environment are made; null where its bank takes none. */
  depositor(): SandboxDepositor | null;
}

export function createConnectorRegistry(
  registered: readonly RegisteredConnector[],
): ConnectorRegistry {
  const of = (environment: Environment) =>
    registered.filter((one) => one.environment === environment);
  return {
    payout(environment, rail) {
      const serves = ({ payout }: RegisteredConnector): boolean => {
        const { rails } = payout.capabilities;
        return rails === 'ALL' ? !isNetwork(rail) : rails.includes(rail);
      };
      return of(environment).find(serves)?.payout ?? null;
    },
    payouts: (environment) => of(environment).map(({ payout }) => payout),
    statementSources: (environment) =>
      of(environment).flatMap(({ statements }) => statements ?? []),
    depositor: () => of('test').flatMap(({ deposits }) => deposits ?? [])[0] ?? null,
  };
}
