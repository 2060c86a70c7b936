import {
  concatHex,
  encodeDeployData,
  encodeFunctionData,
  getAddress,
  getContractAddress,
  keccak256,
  pad,
  parseAbi,
  toHex,
} from 'viem';
import type { Address, Hex } from 'viem';
import {
  DEPLOYER as EVERYWHERE,
  factoryDeployment,
} from '../../domain/onchain/factory-deployment.ts';
import { readArtefact, readCircleCode, readForwarderArtefact } from './chain-artefacts.ts';

/** Deploys by salt at the same address on every chain; anvil has it from its first block. */
export const DEPLOYER: Address = getAddress(EVERYWHERE);

const place = (what: string): Address =>
  getContractAddress({
    from: DEPLOYER,
    opcode: 'CREATE2',
    salt: pad('0x'),
    bytecode: toHex(`causeway sandbox ${what}`),
  });

/** Issues the tokens; its key does not exist, and the sandbox's chains do as it says. */
export const ISSUER = place('issuer');
/** Where the sandbox's deposits are swept to; its key does not exist. */
const TREASURY = place('treasury');

/** A contract to be deployed, the same on every chain of the sandbox. */
interface PlannedContract {
  readonly address: Address;
  /** To the deployer: the salt and the code. */
  readonly deployment: Hex;
  /** What the issuer says to it then, in this order. */
  readonly setUp: readonly Hex[];
}

/** The contracts of a sandbox chain. */
export interface ChainContracts {
  readonly tokens: Readonly<Record<'USDC' | 'EURC' | 'USDT', Address>>;
  readonly factory: Address;
  readonly treasury: Address;
  /** In the order in which they must be deployed. */
  readonly planned: readonly PlannedContract[];
}

/** Of Circle's token and of the USDT double. */
export const TOKEN_ABI = parseAbi([
  'function balanceOf(address holder) view returns (uint256)',
  'function transfer(address to, uint256 value) returns (bool)',
]);
const CIRCLE_ABI = parseAbi([
  'function initialize(string name, string symbol, string currency, uint8 decimals, address masterMinter, address pauser, address blacklister, address owner)',
  'function initializeV2(string name)',
  'function initializeV2_1(address lostAndFound)',
  'function initializeV2_2(address[] accountsToBlacklist, string symbol)',
  'function configureMinter(address minter, uint256 allowance) returns (bool)',
  'function mint(address to, uint256 amount) returns (bool)',
]);
const USDT_ABI = parseAbi(['function issue(address to, uint256 value)']);
/** More than any test could want. */
const MINTER_ALLOWANCE = 10n ** 30n;
const LOST_AND_FOUND: Address = '0x000000000000000000000000000000000000dEaD';

/** Works out where the contracts lie and what has to be sent for it: deploys nothing itself. */
export function planContracts(): ChainContracts {
  const checker = plan('checker', readCircleCode('SignatureChecker', {}));
  const circle = readCircleCode('FiatTokenV2_2', { SignatureChecker: checker.address });
  const usdc = plan('USDC', circle, setUpOfCircle('USD Coin', 'USDC', 'USD'));
  const eurc = plan('EURC', circle, setUpOfCircle('Euro Coin', 'EURC', 'EUR'));
  const usdt = plan('USDT', encodeDeployData({ ...readArtefact('UsdtDouble'), args: [ISSUER] }));
  const contracts = {
    forwarder: readForwarderArtefact('Forwarder'),
    factory: readForwarderArtefact('ForwarderFactory'),
  };
  const { factory: address, data } = factoryDeployment(contracts, TREASURY);
  const factory = { address: getAddress(address), deployment: toHex(data), setUp: [] };
  return {
    tokens: { USDC: usdc.address, EURC: eurc.address, USDT: usdt.address },
    factory: factory.address,
    treasury: TREASURY,
    planned: [checker, usdc, eurc, usdt, factory],
  };
}

/** What the issuer says to a token so that an address holds more of it. Minor units. */
export function encodeIssue(asset: string, to: Address, amount: bigint): Hex {
  return asset === 'USDT'
    ? encodeFunctionData({ abi: USDT_ABI, functionName: 'issue', args: [to, amount] })
    : encodeFunctionData({ abi: CIRCLE_ABI, functionName: 'mint', args: [to, amount] });
}

function plan(name: string, code: Hex, setUp: readonly Hex[] = []): PlannedContract {
  const salt = keccak256(toHex(`causeway sandbox ${name}`));
  return {
    address: getContractAddress({ from: DEPLOYER, opcode: 'CREATE2', salt, bytecode: code }),
    deployment: concatHex([salt, code]),
    setUp,
  };
}

function setUpOfCircle(name: string, symbol: string, currency: string): readonly Hex[] {
  const abi = CIRCLE_ABI;
  return [
    encodeFunctionData({
      abi,
      functionName: 'initialize',
      args: [name, symbol, currency, 6, ISSUER, ISSUER, ISSUER, ISSUER],
    }),
    encodeFunctionData({ abi, functionName: 'initializeV2', args: [name] }),
    encodeFunctionData({ abi, functionName: 'initializeV2_1', args: [LOST_AND_FOUND] }),
    encodeFunctionData({ abi, functionName: 'initializeV2_2', args: [[], symbol] }),
    encodeFunctionData({
      abi,
      functionName: 'configureMinter',
      args: [ISSUER, MINTER_ALLOWANCE],
    }),
  ];
}
