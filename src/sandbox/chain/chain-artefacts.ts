import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Abi, Hex } from 'viem';
import type { CompiledContract } from '../../domain/onchain/factory-deployment.ts';

const FOLDER = new URL('../../../contracts/artefacts/', import.meta.url);

/** A contract as `npm run contracts` wrote it. */
interface ChainArtefact {
  readonly abi: Abi;
  readonly bytecode: Hex;
}

interface LinkPlace {
  /** Bytes from the start of the code. */
  readonly start: number;
  readonly length: number;
}

interface LinkedArtefact {
  readonly bytecode: string;
  readonly linkReferences: Readonly<Record<string, Readonly<Record<string, readonly LinkPlace[]>>>>;
}

/** One of our own contracts, by name. */
export function readArtefact(name: string): ChainArtefact {
  return readJson(name) as ChainArtefact;
}

/** One of the two contracts of deposit addresses. */
export function readForwarderArtefact(name: 'Forwarder' | 'ForwarderFactory'): CompiledContract {
  return readJson(name) as CompiledContract;
}

/** The code of one of Circle's contracts, with the addresses of the libraries that it calls put in. */
export function readCircleCode(name: string, libraries: Readonly<Record<string, Hex>>): Hex {
  const { bytecode, linkReferences } = readJson(name) as LinkedArtefact;
  let code = bytecode.slice(2);
  for (const [library, places] of Object.values(linkReferences).flatMap(Object.entries) as [
    string,
    readonly LinkPlace[],
  ][]) {
    const address = libraries[library]?.slice(2).toLowerCase();
    if (address === undefined) throw new Error(`${name} calls the library ${library}`);
    for (const { start, length } of places) {
      code = code.slice(0, start * 2) + address + code.slice((start + length) * 2);
    }
  }
  return `0x${code}`;
}

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(fileURLToPath(new URL(`${name}.json`, FOLDER)), 'utf8'));
}
