import { summaryOf } from '../../modules/operations/acts/written-out-acts.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { Argument, type Command } from '@commander-js/extra-typings';
import { readChainSigners } from '../../server/config/chain-signers-config.ts';
import { readNetworkSetups } from '../../server/config/chain-config.ts';
import { findNetworkFiles } from '../../server/config/ops-config.ts';
import type { Env } from '../../server/config/settings.ts';
import { checkFactory } from '../../adapters/evm/check-factory.ts';
import { checkNetwork } from '../../adapters/evm/check-network.ts';
import { compareCode } from '../../adapters/evm/compare-code.ts';
import { createChainNodes } from '../../adapters/evm/chain-nodes.ts';
import {
  DEPLOYER,
  DEPLOYER_CODE,
  factoryCodes,
  factoryDeployment,
  hexOf,
} from '../../domain/onchain/factory-deployment.ts';
import { firstFees } from '../../domain/onchain/transaction-fees.ts';
import { NETWORKS, type Network } from '../../domain/onchain/network.ts';
import type { NetworkSetup } from '../../domain/onchain/network-setup.ts';
import { encodeUnsigned } from '../../domain/onchain/transaction.ts';
import { ENVIRONMENTS, type Environment } from '../../domain/scope.ts';
import { openDeployer } from '../../server/runtime/open-signers.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import type { CommandContext } from './command-context.ts';
import { readForwarderContracts } from '../../server/config/forwarder-contracts.ts';
import { readSignerAccountBalances } from './signer-account-balances.ts';
import { table } from './table.ts';

/** What the deployment uses is a million; chains that count otherwise take more. */
const DEPLOYMENT_GAS = 5_000_000n;

const environmentArgument = () => new Argument('<environment>').choices(ENVIRONMENTS);
const networkArgument = () => new Argument('<network>').choices(NETWORKS);

/** `chain deploy|check`: what must lie on a network before deposits may come. Neither opens the database. */
export function addFactoryCommands(chain: Command, { readEnv, print }: CommandContext): void {
  chain
    .command('deploy')
    .description(summaryOf('chain deploy'))
    .addArgument(environmentArgument())
    .addArgument(networkArgument())
    .option(
      '--from <address>',
      'sign and send with this key of the CHAIN_SIGNERS_FILE of test or live (not a signer account)',
    )
    .action(async (environment, network, { from }) => {
      const setup = findSetup(readEnv('ops'), environment, network);
      const { data } = await planDeployment(setup);
      if ((await findFactory(setup)) === 'SAME') {
        print(`The factory is already deployed at ${setup.factory}.`);
        return;
      }
      if (from === undefined) {
        print(
          'Send this transaction from any address. The address of the factory does not depend on it.',
        );
        print(`chain id ${String(setup.chainId)}\nto ${DEPLOYER}\nvalue 0\ndata ${hexOf(data)}`);
        return;
      }
      print(await deployFrom(readEnv('ops-chain'), { environment, setup, from, data }));
      print(`When it is mined, run: npm run ops -- chain check ${environment} ${network}`);
    });

  chain
    .command('check')
    .description('compare a network with the settings')
    .addArgument(environmentArgument())
    .addArgument(networkArgument())
    .action(async (environment, network) => {
      const setup = findSetup(readEnv('ops'), environment, network);
      const rows = await readSignerAccountBalances(setup);
      print(
        table(
          ['address', 'balances'],
          rows.map(({ address, text }) => [address, text]),
        ),
      );
      const codes = factoryCodes(readForwarderContracts(), setup);
      const problems = [
        ...(await checkNetwork({ environment, ...setup }, { pause: (ms) => pause(ms) })),
        ...(await checkFactory({ environment, ...setup, codes })),
      ];
      const lines = problems.map(({ kind, field, problem }) => `${kind}: ${field} ${problem}`);
      if (lines.length > 0) throw new PlainError(lines.join('\n'));
      print('Nodes, tokens, factory, and treasury match the settings.');
    });
}

function findSetup(env: Env, environment: Environment, network: Network): NetworkSetup {
  const setups = readNetworkSetups(findNetworkFiles(env))[environment];
  const setup = setups.find((one) => one.network === network);
  if (setup !== undefined) return setup;
  throw new PlainError(`${network} is not a network of ${environment}.`);
}

/** Throws PlainError where the settings name another factory, or the chain lacks the deployer. */
async function planDeployment(setup: NetworkSetup): Promise<{ readonly data: Uint8Array }> {
  const { factory, data } = factoryDeployment(readForwarderContracts(), setup.treasury);
  if (factory !== setup.factory) {
    throw new PlainError(
      `The factory of ${setup.treasury} has the address ${factory}, but the settings say ` +
        `${setup.factory}. Enter the address as \`factory\` of every network first.`,
    );
  }
  const { rpcUrls } = setup;
  const deployer = await compareCode({ rpcUrls, address: DEPLOYER, expected: DEPLOYER_CODE });
  if (deployer !== 'SAME') {
    throw new PlainError(`The chain has no deterministic deployer at ${DEPLOYER}.`);
  }
  return { data };
}

/** Throws PlainError where something else lies at its address. */
async function findFactory({ rpcUrls, factory, treasury }: NetworkSetup) {
  const [own] = factoryCodes(readForwarderContracts(), { factory, treasury });
  const expected = own?.code ?? new Uint8Array();
  const found = await compareCode({ rpcUrls, address: factory, expected });
  if (found === 'DIFFERENT') throw new PlainError(`Another contract is deployed at ${factory}.`);
  return found;
}

interface Deployment {
  readonly environment: Environment;
  readonly setup: NetworkSetup;
  readonly from: string;
  readonly data: Uint8Array;
}

/** Signs and sends it; answers its hash. */
async function deployFrom(
  env: Env,
  { environment, setup, from, data }: Deployment,
): Promise<string> {
  const { network, hotAddresses, rpcUrls, depths, gasCaps } = setup;
  if (hotAddresses.includes(from)) {
    throw new PlainError(
      `${from} is a signer account. A transaction sent by hand would freeze it.`,
    );
  }
  const chainId = BigInt(setup.chainId);
  const signer = openDeployer(readChainSigners(env)[environment], {
    ...{ environment, network, address: from, chainId, to: DEPLOYER, data, gasCaps },
    gasMax: DEPLOYMENT_GAS,
  });
  const nodes = createChainNodes({ rpcUrls, depths });
  try {
    const { latest } = await nodes.heads();
    const fees = firstFees(await nodes.suggestFees(), gasCaps);
    if (fees === null) throw new PlainError('The network asks for more than `gasCaps` allow.');
    const coins = await nodes.nativeBalance(from, latest);
    const need = DEPLOYMENT_GAS * fees.maxFeePerGas;
    if (coins < need) {
      throw new PlainError(`${from} has ${String(coins)} wei and needs up to ${String(need)}.`);
    }
    const nonce = await nodes.nonceAt(from, latest);
    const turn = { chainId, nonce, gas: DEPLOYMENT_GAS, ...fees };
    const signed = await signer.sign(encodeUnsigned({ ...turn, to: DEPLOYER, value: 0n, data }));
    await nodes.broadcast([signed.raw]);
    return signed.hash;
  } finally {
    await nodes.close();
  }
}
