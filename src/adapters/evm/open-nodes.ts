import { createEvmNode, type EvmNode, type EvmNodes } from './evm-node.ts';
import { createJsonRpc, type JsonRpcLimits } from './json-rpc.ts';

/** The nodes behind URLs, in their order; `close` ends their connections. Throws TypeError for none. */
export function openNodes(
  rpcUrls: readonly string[],
  limits?: Partial<JsonRpcLimits>,
): { nodes: EvmNodes; close(): Promise<void> } {
  const clients = rpcUrls.map((url) => createJsonRpc(url, limits));
  const [first, ...others]: EvmNode[] = clients.map((rpc, index) => createEvmNode(rpc, index + 1));
  if (first === undefined) throw new TypeError('A network needs the URL of at least one node.');
  return {
    nodes: [first, ...others],
    async close() {
      await Promise.all(clients.map((rpc) => rpc.close()));
    },
  };
}
