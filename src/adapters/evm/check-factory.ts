import { ChainUnreadable } from '../../domain/onchain/chain-nodes.ts';
import type { Network } from '../../domain/onchain/network.ts';
import type { Environment } from '../../domain/scope.ts';
import { compareCode } from './compare-code.ts';
import type { JsonRpcLimits } from './json-rpc.ts';
import type { Finding, NetworkProblem } from './network-problem.ts';

/** What must lie on a chain for deposits to reach the treasury. */
interface CheckedFactory {
  readonly environment: Environment;
  readonly network: Network;
  readonly rpcUrls: readonly string[];
  readonly treasury: string;
  /** The factory's and its forwarder's code, the treasury's address included (`factoryCodes`). */
  readonly codes: readonly { readonly address: string; readonly code: Uint8Array }[];
  readonly limits?: Partial<JsonRpcLimits>;
}

/**
 * Whether the factory and its forwarder lie on the chain byte for byte, at all nodes: who gets the money is part of
 * their code, so another treasury is another code. Live moreover needs code at the treasury: it is a contract that
 * several people sign for, and deployed on this network too. Never throws for what nodes do.
 */
export async function checkFactory(checked: CheckedFactory): Promise<NetworkProblem[]> {
  const { environment, network, rpcUrls, treasury, codes, limits } = checked;
  const findings: Finding[] = [];
  const find = async (field: string, ask: () => Promise<string | null>): Promise<void> => {
    try {
      const problem = await ask();
      if (problem !== null) findings.push({ kind: 'WRONG', field, problem });
    } catch (error) {
      if (!(error instanceof ChainUnreadable)) throw error;
      findings.push({ kind: 'UNREADABLE', field, problem: `could not be read: ${error.why}` });
    }
  };
  const codeAt = (address: string, expected: Uint8Array) =>
    compareCode({ rpcUrls, address, expected, ...(limits && { limits }) });
  for (const { address, code } of codes) {
    await find('factory', async () => {
      const found = await codeAt(address, code);
      if (found === 'SAME') return null;
      return found === 'ABSENT'
        ? `has no code at ${address}: it is not deployed yet`
        : `has another code at ${address} than the factory of this treasury has`;
    });
  }
  if (environment === 'live') {
    await find('treasury', async () =>
      (await codeAt(treasury, new Uint8Array())) === 'ABSENT'
        ? 'has no code on this chain: live wants a contract that several people sign for'
        : null,
    );
  }
  return findings.map((finding) => ({ ...finding, environment, network }));
}
