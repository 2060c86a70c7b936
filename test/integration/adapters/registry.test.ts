import { describe, expect, it } from 'vitest';
import type { PayoutConnector } from '../../../src/domain/payments/connector.ts';
import { createConnectorRegistry } from '../../../src/domain/payments/connector-registry.ts';
import { connectorTo } from '../../support/adapters/raw-bank.ts';

/** The HTTP connector under another name, declared for some rails only. */
function connector(name: string, rails: PayoutConnector['capabilities']['rails']) {
  return { ...connectorTo(1), name, capabilities: { rails } };
}

describe('the registry of connectors', () => {
  const open = () => {
    const everything = connector('everything', 'ALL');
    const ach = connector('ach-files', ['ACH']);
    return createConnectorRegistry([
      { environment: 'live', payout: ach, statements: ach },
      { environment: 'live', payout: everything, statements: everything },
      { environment: 'test', payout: ach, statements: null },
    ]);
  };

  it('takes the first connector of the environment that serves the rail', () => {
    const registry = open();
    expect(registry.payout('live', 'ACH')?.name).toBe('ach-files');
    expect(registry.payout('live', 'SEPA')?.name).toBe('everything');
    expect(registry.payout('test', 'ACH')?.name).toBe('ach-files');
  });

  it('serves no rail of an environment by a connector of the other', () => {
    expect(open().payout('test', 'SEPA')).toBeNull();
  });

  it('gives every source of statements of an environment', () => {
    const registry = open();
    expect(registry.statementSources('live').map(({ name }) => name)).toEqual([
      'ach-files',
      'everything',
    ]);
    expect(registry.statementSources('test')).toEqual([]);
  });
});
