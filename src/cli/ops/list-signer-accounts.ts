import {
  listSignerAccounts,
  type ListedSignerAccount,
} from '../../db/onchain/signer-account-store.ts';
import type { NetworkSetup } from '../../domain/onchain/network-setup.ts';
import { hotLevel, type HotRange } from '../../domain/onchain/hot-level.ts';
import { formatAmount } from '../../domain/money/amount.ts';
import { ENVIRONMENTS, type Environment } from '../../domain/scope.ts';
import type { OpsDeps } from './command-context.ts';
import {
  readSignerAccountBalances,
  type SignerAccountBalances,
} from './signer-account-balances.ts';
import { table } from './table.ts';

/** A network of the settings, and what its hot addresses hold. */
interface HeldNetwork {
  readonly environment: Environment;
  readonly setup: NetworkSetup;
  readonly signerAccounts: readonly SignerAccountBalances[];
}

/**
 * Prints every hot address that has paid, with what it holds; then, of each asset that has a
 * floor and a cap, what the addresses that pay hold together, and what is to be moved by hand.
 */
export async function printSignerAccounts(deps: OpsDeps): Promise<number> {
  const signerAccounts = await deps.db.system(listSignerAccounts);
  const networks = await readNetworks(deps);
  deps.print(
    signerAccounts.length === 0
      ? 'No hot address has sent a transaction yet.'
      : table(
          ['environment', 'network', 'address', 'next nonce', 'under way', 'status', 'holds'],
          signerAccounts.map((signerAccount) => accountCells(signerAccount, networks)),
        ),
  );
  const rows = networks.flatMap((one) =>
    one.setup.hot.map((range) => hotCells(one, range, signerAccounts)),
  );
  if (rows.length > 0) {
    const head = ['environment', 'network', 'asset', 'at hot addresses', 'floor', 'cap', 'to do'];
    deps.print(`\n${table(head, rows)}`);
  }
  return 0;
}

async function readNetworks({ chains }: OpsDeps): Promise<readonly HeldNetwork[]> {
  const networks: HeldNetwork[] = [];
  for (const environment of ENVIRONMENTS) {
    for (const setup of chains[environment]) {
      networks.push({ environment, setup, signerAccounts: await readSignerAccountBalances(setup) });
    }
  }
  return networks;
}

function accountCells(
  signerAccount: ListedSignerAccount,
  networks: readonly HeldNetwork[],
): readonly string[] {
  const { environment, network, address } = signerAccount;
  const known = networks.find(
    (one) => one.environment === environment && one.setup.network === network,
  );
  const held = known?.signerAccounts.find((one) => one.address === address);
  return [
    ...[
      environment,
      network,
      address,
      signerAccount.nextNonce.toString(),
      String(signerAccount.open),
    ],
    ...[statusOf(signerAccount), held?.text ?? 'unknown'],
  ];
}

const STOPPED: ReadonlySet<ListedSignerAccount['status']> = new Set([
  'FROZEN',
  'RETIRING',
  'RETIRED',
]);

function hotCells(
  { environment, setup, signerAccounts }: HeldNetwork,
  range: HotRange,
  listed: readonly ListedSignerAccount[],
): readonly string[] {
  const { asset, floor, cap } = range;
  const stopped = listed.filter(
    (signerAccount) =>
      signerAccount.environment === environment &&
      signerAccount.network === setup.network &&
      STOPPED.has(signerAccount.status),
  );
  const paying = signerAccounts.filter(
    ({ address }) => !stopped.some((signerAccount) => signerAccount.address === address),
  );
  const bounds = [formatAmount(floor, asset), formatAmount(cap, asset)];
  const place = [environment, setup.network, asset];
  if (paying.some(({ tokens }) => tokens === null)) return [...place, 'unknown', ...bounds, ''];
  const held = paying.reduce((sum, { tokens }) => sum + (tokens?.get(asset) ?? 0n), 0n);
  return [...place, formatAmount(held, asset), ...bounds, toDo(held, range)];
}

function toDo(held: bigint, range: HotRange): string {
  const { asset, floor, cap } = range;
  switch (hotLevel(held, range)) {
    case 'LOW':
      return `fill up by ${formatAmount(floor - held, asset)}`;
    case 'HIGH':
      return `move ${formatAmount(held - cap, asset)} to the treasury`;
    case 'WITHIN':
      return '';
  }
}

const statusOf = ({ status, why, isLowOnGas, mayStillPay }: ListedSignerAccount): string =>
  [
    why === null ? status : `${status}: ${why}`,
    ...(isLowOnGas ? ['low on gas'] : []),
    ...(mayStillPay ? ['may still pay'] : []),
  ].join(', ');
