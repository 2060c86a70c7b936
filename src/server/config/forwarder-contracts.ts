import { readFileSync } from 'node:fs';
import type {
  CompiledContract,
  ForwarderContracts,
} from '../../domain/onchain/factory-deployment.ts';

/** The two contracts of deposit addresses as they are committed: contracts/artefacts. */
export const readForwarderContracts = (): ForwarderContracts => ({
  forwarder: read('Forwarder'),
  factory: read('ForwarderFactory'),
});

function read(name: string): CompiledContract {
  const file = new URL(`../../../contracts/artefacts/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as CompiledContract;
}
