import { readFileSync } from 'node:fs';
import {
  createDeployingSigner,
  type DeployingRules,
} from '../../modules/onchain/signers/deploying-signer.ts';
import {
  createGuardedSigner,
  type SpentWithinHour,
} from '../../modules/onchain/signers/guarded-signer.ts';
import type { KeyStore } from '../../modules/onchain/signers/key-store.ts';
import { createKmsKeyStore } from '../../modules/onchain/signers/kms-key-store.ts';
import { createLocalKeyStore } from '../../modules/onchain/signers/local-key-store.ts';
import { KeyUnusable, openKey } from '../../modules/onchain/signers/sealed-keys.ts';
import { createSigningHour } from '../../modules/onchain/signers/signing-hour.ts';
import { createWeb3signerKeyStore } from '../../modules/onchain/signers/web3signer-key-store.ts';
import type { ChainSignersConfig, SignersConfig } from '../config/chain-signers-config.ts';
import type { HeldKey, SigningLimits } from '../config/chain-signers-file.ts';
import type { GasFees } from '../../domain/onchain/chain-facts.ts';
import type { ChainPlace, ListedAsset, Network } from '../../domain/onchain/network.ts';
import type { Signer } from '../../domain/onchain/signer.ts';
import type { SigningRules } from '../../domain/onchain/signing-policy.ts';
import type { Clock } from '../../domain/clock.ts';
import { parseAmount } from '../../domain/money/amount.ts';
import { ENVIRONMENTS, type Environment } from '../../domain/scope.ts';
import { PlainError } from './plain-error.ts';
import { openProviderDispatcher } from './provider-dispatcher.ts';

/** Half of what a call may take. */
const CONNECT_TIMEOUT_MS = 2_500;

/** What of a network's setup says what may be signed there. */
export interface SignedNetwork {
  readonly network: Network;
  readonly chainId: number;
  readonly assets: readonly ListedAsset[];
  readonly hotAddresses: readonly string[];
  readonly gasCaps: GasFees;
  readonly factory: string;
}

interface SignersDeps {
  readonly signers: ChainSignersConfig;
  readonly networks: Readonly<Record<Environment, readonly SignedNetwork[]>>;
  readonly clock: Clock;
  /** Keeps the hour's sum right over a restart: docs/how-to/operate-networks.md. */
  readonly spentWithinHour: (place: ChainPlace) => SpentWithinHour;
  /** Whether an address is given up for ever: it needs no key. */
  readonly isGivenUp: (place: ChainPlace, address: string) => boolean;
}

/** The signers of a worker. */
export interface Signers {
  /** The one that signs for the hot address, in EIP-55's mixed case; null where no key is held for it. */
  find(environment: Environment, network: Network, address: string): Signer | null;
}

/**
 * Opens a signer for every hot address of every network. Nothing waits for a server: the public keys of remote key
 * stores are looked at before the first signature. Throws PlainError where a signer account that is not given up has no
 * key, an asset no limit, or a sealed key does not open. Only workers of the queue `chain`
 * may call it.
 */
export function openSigners(deps: SignersDeps): Signers {
  const signers = new Map<string, Signer>();
  for (const environment of ENVIRONMENTS) {
    const config = deps.signers[environment];
    if (config === null) continue;
    const keyStores = openKeyStores(environment, config);
    for (const network of deps.networks[environment]) {
      for (const signer of openNetwork(deps, { environment, config, network, keyStores })) {
        signers.set(keyOf(environment, network.network, signer.address), signer);
      }
    }
  }
  return {
    find: (environment, network, address) =>
      signers.get(keyOf(environment, network, address)) ?? null,
  };
}

/** What a key that is no signer account's may sign: one deployment. */
interface DeployerOrder extends Omit<DeployingRules, 'address'> {
  readonly environment: Environment;
  readonly network: Network;
  /** Of the key in the file, in EIP-55's case. */
  readonly address: string;
}

/** Opens the signer of one deployment. Throws PlainError where the file has no such key, or it does not open. */
export function openDeployer(config: SignersConfig | null, order: DeployerOrder): Signer {
  const { environment, network, address } = order;
  const key = config?.file.keys.find((one) => one.address === address);
  if (!config || !key?.networks.includes(network)) {
    throw new PlainError(`No key of the ${environment} file signs for ${address} on ${network}.`);
  }
  return createDeployingSigner(order, openKeyStore(environment, key, config.secret));
}

const keyOf = (...parts: readonly string[]): string => parts.join(' ');

interface OpenedNetwork {
  readonly environment: Environment;
  readonly config: SignersConfig;
  readonly network: SignedNetwork;
  readonly keyStores: ReadonlyMap<HeldKey, KeyStore>;
}

function openNetwork(
  { clock, spentWithinHour, isGivenUp }: SignersDeps,
  { environment, config, network: setup, keyStores }: OpenedNetwork,
): readonly Signer[] {
  const { network } = setup;
  const { keys, limits } = config.file;
  const limit = limits.find((row) => row.network === network);
  // One for all hotAddresses: the cap is the network's.
  const hour = createSigningHour();
  const place = { environment, network };
  const signing = setup.hotAddresses.filter((address) => !isGivenUp(place, address));
  return signing.map((address) => {
    const key = keys.find((one) => one.address === address && one.networks.includes(network));
    const keyStore = key && keyStores.get(key);
    if (keyStore === undefined || limit === undefined) {
      throw new PlainError(
        `No key signs for ${address} on ${network} in ${environment}. ` +
          'If it is lost, retire the address: docs/how-to/operate-networks.md#lost-or-stolen-hot-key.',
      );
    }
    const rules = rulesOf(setup, limit, address);
    const spent = spentWithinHour(place);
    return createGuardedSigner({ rules, keyStore, hour, clock, spentWithinHour: spent });
  });
}

function rulesOf(setup: SignedNetwork, limits: SigningLimits, address: string): SigningRules {
  const { chainId, factory, gasCaps, network } = setup;
  return {
    ...{ chainId: BigInt(chainId), address, factory, gasCaps },
    tokens: setup.assets.map(({ asset, contract, max }) => {
      const hourMax = parseAmount(limits.hourMax[asset] ?? '', asset);
      if (!hourMax.ok) {
        throw new PlainError(`The signers' limits of ${network} have no hourMax of ${asset}.`);
      }
      // A payment up to the asset's max is accepted, and could never be signed for.
      if (hourMax.minor < max) {
        throw new PlainError(
          `The signers' limits of ${network} have an hourMax of ${asset} below the max of the asset.`,
        );
      }
      return { asset, contract, transactionMax: max, hourMax: hourMax.minor };
    }),
  };
}

function openKeyStores(
  environment: Environment,
  { file, secret }: SignersConfig,
): ReadonlyMap<HeldKey, KeyStore> {
  return new Map(file.keys.map((key) => [key, openKeyStore(environment, key, secret)]));
}

function openKeyStore(environment: Environment, key: HeldKey, secret: Buffer | null): KeyStore {
  const { address } = key;
  switch (key.kind) {
    case 'LOCAL':
      if (secret === null) throw new PlainError(`No secret opens the key of ${address}.`);
      return openLocal(environment, key, secret);
    case 'AWS_KMS':
      return createKmsKeyStore(key);
    case 'WEB3SIGNER': {
      const access = {
        clientCert: readPem(key.clientCertFile),
        clientKey: readPem(key.clientKeyFile),
        ca: readPem(key.caFile),
      };
      const dispatcher = openProviderDispatcher(access, CONNECT_TIMEOUT_MS);
      return createWeb3signerKeyStore({ url: key.url, address, dispatcher });
    }
  }
}

function openLocal(
  environment: Environment,
  { address, sealed }: Extract<HeldKey, { kind: 'LOCAL' }>,
  secret: Buffer,
): KeyStore {
  try {
    return createLocalKeyStore(openKey(secret, { environment, address }, sealed));
  } catch (error) {
    // A cause might hold what was opened.
    throw new PlainError(
      error instanceof KeyUnusable ? `${error.message}.` : `The key of ${address} is unusable.`,
    );
  }
}

function readPem(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new PlainError(`${path} cannot be read.`);
  }
}
