import { readFileSync } from 'node:fs';
import {
  decodeFunctionResult,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  keccak256,
  toHex,
  zeroAddress,
  type Abi,
  type Address,
  type Hex,
} from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startAnvil, type AnvilNode } from '../../../src/sandbox/chain/anvil-node.ts';
import { packagedAnvil } from '../../support/onchain/anvil.ts';

interface Artefact {
  readonly abi: Abi;
  readonly bytecode: Hex;
  readonly deployedBytecode: Hex;
}

interface Receipt {
  readonly status: Hex;
  readonly contractAddress: Address;
  readonly logs: readonly { readonly address: Address; readonly topics: readonly Hex[] }[];
}

const read = (name: string): Artefact =>
  JSON.parse(
    readFileSync(new URL(`../../../contracts/artefacts/${name}.json`, import.meta.url), 'utf8'),
  ) as Artefact;
const FACTORY = read('ForwarderFactory');
const USDT = read('UsdtDouble');
const HOSTILE = read('HostileToken');
const CALLER: Address = '0x1111111111111111111111111111111111111111';
const TREASURY: Address = '0x2222222222222222222222222222222222222222';
const NOT_SWEPT = keccak256(toHex('NotSwept(bytes32,address)'));
const saltOf = (what: string): Hex => keccak256(toHex(what));
const [A, B, C] = [saltOf('a'), saltOf('b'), saltOf('c')];

let node: AnvilNode;
let factory: Address;
let usdt: Address;
let snapshot: string;

async function send(to: Address | undefined, data: Hex, value = '0x0'): Promise<Receipt> {
  const request = { from: CALLER, to, data, value, gas: toHex(8_000_000) };
  const hash = await node.call('eth_sendTransaction', [request]);
  await node.call('evm_mine');
  return node.call<Receipt>('eth_getTransactionReceipt', [hash]);
}

const call = (contract: Address, { abi }: Artefact, functionName: string, args: unknown[] = []) =>
  send(contract, encodeFunctionData({ abi, functionName, args }));

async function ask(
  contract: Address,
  { abi }: Artefact,
  functionName: string,
  args: unknown[] = [],
): Promise<unknown> {
  const data = encodeFunctionData({ abi, functionName, args });
  const answer = await node.call<Hex>('eth_call', [{ to: contract, data }, 'latest']);
  return decodeFunctionResult({ abi, functionName, data: answer });
}

async function deploy({ abi, bytecode }: Artefact, args: unknown[]): Promise<Address> {
  const receipt = await send(undefined, encodeDeployData({ abi, bytecode, args }));
  return receipt.contractAddress;
}

const addressOf = async (salt: Hex): Promise<Address> =>
  (await ask(factory, FACTORY, 'addressOf', [salt])) as Address;
const issue = async (salt: Hex, amount: bigint) =>
  call(usdt, USDT, 'issue', [await addressOf(salt), amount]);
const sweep = (salts: readonly Hex[], token: Address) =>
  call(factory, FACTORY, 'sweep', [salts, token]);
const balance = (owner: Address) => ask(usdt, USDT, 'balanceOf', [owner]);
const coins = async (owner: Address): Promise<bigint> =>
  BigInt(await node.call<Hex>('eth_getBalance', [owner, 'latest']));
const notSwept = ({ logs }: Receipt): readonly (Hex | undefined)[] =>
  logs.filter(({ topics }) => topics[0] === NOT_SWEPT).map(({ topics }) => topics[1]);

describe('the forwarders of deposit addresses', () => {
  beforeAll(async () => {
    node = await startAnvil({
      command: packagedAnvil(),
      chainId: 31_337,
      genesisSeconds: 1_700_000_000,
      stateFile: null,
      onDeath: () => undefined,
    });
    await node.call('anvil_setBalance', [CALLER, toHex(10n ** 24n)]);
    factory = await deploy(FACTORY, [TREASURY]);
    usdt = await deploy(USDT, [CALLER]);
    snapshot = await node.call<string>('evm_snapshot');
  });
  beforeEach(async () => {
    await node.call('evm_revert', [snapshot]);
    snapshot = await node.call<string>('evm_snapshot');
  });
  afterAll(() => node.stop());

  it('an address is the CREATE2 address of a minimal proxy, before and after it exists', async () => {
    const implementation = getContractAddress({ from: factory, nonce: 1n });
    expect(await ask(factory, FACTORY, 'implementation')).toBe(implementation);
    const expected = getContractAddress({
      opcode: 'CREATE2',
      from: factory,
      salt: A,
      bytecode: `0x3d602d80600a3d3981f3363d3d373d3d3d363d73${implementation.slice(2).toLowerCase()}5af43d82803e903d91602b57fd5bf3`,
    });
    expect(await addressOf(A)).toBe(expected);
    await sweep([A], usdt);
    expect(await addressOf(A)).toBe(expected);
    expect(await node.call('eth_getCode', [expected, 'latest'])).toBe(
      `0x363d3d373d3d3d363d73${implementation.slice(2).toLowerCase()}5af43d82803e903d91602b57fd5bf3`,
    );
  });

  it('a factory without a treasury cannot be made', async () => {
    const receipt = await send(undefined, encodeDeployData({ ...FACTORY, args: [zeroAddress] }));
    expect(receipt.status).toBe('0x0');
  });

  it('from whichever caller, all of a token goes to the treasury, also the second time', async () => {
    await issue(A, 5_000_000n);
    await issue(B, 7_000_001n);
    expect((await sweep([A, B], usdt)).status).toBe('0x1');
    expect(await balance(TREASURY)).toBe(12_000_001n);
    await issue(A, 1n);
    await sweep([A, A], usdt);
    expect(await balance(TREASURY)).toBe(12_000_002n);
    expect(await balance(await addressOf(A))).toBe(0n);
  });

  it('coins that came before and after the proxy was made go to the treasury', async () => {
    const before = await coins(TREASURY);
    await send(await addressOf(A), '0x', toHex(5n));
    await sweep([A], zeroAddress);
    await send(await addressOf(A), '0x', toHex(7n));
    await sweep([A], zeroAddress);
    expect((await coins(TREASURY)) - before).toBe(12n);
  });

  it("the issuer's fee leaves nothing behind", async () => {
    await call(usdt, USDT, 'setFee', [25n]);
    await issue(A, 10_000n);
    await sweep([A], usdt);
    expect(await balance(await addressOf(A))).toBe(0n);
    expect(await balance(TREASURY)).toBe(9_975n);
  });

  it('a blocked address keeps what it holds and does not stop the others', async () => {
    for (const salt of [A, B, C]) await issue(salt, 100n);
    await call(usdt, USDT, 'setBlackListed', [await addressOf(B), true]);
    const receipt = await sweep([A, B, C], usdt);
    expect(receipt.status).toBe('0x1');
    expect(notSwept(receipt)).toEqual([B]);
    expect(await balance(TREASURY)).toBe(200n);
    await call(usdt, USDT, 'setBlackListed', [await addressOf(B), false]);
    await sweep([B], usdt);
    expect(await balance(TREASURY)).toBe(300n);
  });

  it('a paused token moves nothing, loses nothing, and is swept later', async () => {
    await issue(A, 100n);
    await call(usdt, USDT, 'setPaused', [true]);
    expect(notSwept(await sweep([A, B], usdt))).toEqual([A, B]);
    expect(await balance(await addressOf(A))).toBe(100n);
    await call(usdt, USDT, 'setPaused', [false]);
    await sweep([A], usdt);
    expect(await balance(TREASURY)).toBe(100n);
  });

  it('an address without code is no token', async () => {
    expect(notSwept(await sweep([A], CALLER))).toEqual([A]);
  });

  it('only the treasury is ever paid, whatever is called', async () => {
    await issue(A, 100n);
    await sweep([B], usdt);
    const forwarder = await addressOf(B);
    await issue(B, 50n);
    const { abi } = read('Forwarder');
    const outsiders = encodeFunctionData({ abi, functionName: 'flush', args: [usdt] });
    expect((await send(forwarder, outsiders)).status).toBe('0x1');
    expect(await balance(TREASURY)).toBe(50n);
    for (const functionName of ['transfer(address,uint256)', 'initialize(address)', 'kill()']) {
      const data = keccak256(toHex(functionName)).slice(0, 10) as Hex;
      expect((await send(forwarder, data)).status).toBe('0x0');
    }
  });

  describe('with a hostile token', () => {
    const PLAIN = 0;
    const MANNERS = { sweepsAgain: 1, answersFalse: 2, answersMuch: 3, refusesAtLength: 4 };
    let hostile: Address;
    const held = (owner: Address) => ask(hostile, HOSTILE, 'balanceOf', [owner]);

    beforeEach(async () => {
      hostile = await deploy(HOSTILE, [factory]);
      for (const salt of [A, B, C])
        await call(hostile, HOSTILE, 'issue', [await addressOf(salt), 100n]);
    });

    it('a sweep within a sweep pays the treasury all the same', async () => {
      const treated = [await addressOf(A), MANNERS.sweepsAgain, [A, B]];
      await call(hostile, HOSTILE, 'treat', treated);
      expect((await sweep([A, B, C], hostile)).status).toBe('0x1');
      expect(await held(TREASURY)).toBe(300n);
    });

    it.each([['answersFalse'], ['refusesAtLength']] as const)(
      'what %s for one address stops no other',
      async (manner) => {
        await call(hostile, HOSTILE, 'treat', [await addressOf(A), MANNERS[manner], []]);
        const receipt = await sweep([A, B, C], hostile);
        expect(receipt.status).toBe('0x1');
        expect(notSwept(receipt)).toEqual([A]);
        expect(await held(TREASURY)).toBe(200n);
        await call(hostile, HOSTILE, 'treat', [await addressOf(A), PLAIN, []]);
        await sweep([A], hostile);
        expect(await held(TREASURY)).toBe(300n);
      },
    );

    it('an endless answer does not use up the gas of the batch', async () => {
      await call(hostile, HOSTILE, 'treat', [await addressOf(A), MANNERS.answersMuch, []]);
      expect((await sweep([A, B, C], hostile)).status).toBe('0x1');
      expect(await held(TREASURY)).toBe(300n);
    });
  });
});
