import { findTransferForOps } from '../../../db/onchain/chain-transfer-store.ts';
import { NETWORKS, type Network } from '../../../domain/onchain/network.ts';
import { ENVIRONMENTS, type Environment } from '../../../domain/scope.ts';
import { proposeForeign } from '../../onchain/foreign-nonce.ts';
import { proposeForeignPayment } from '../../onchain/foreign-payment.ts';
import { proposeResumption } from '../../onchain/resume-network.ts';
import { freezeSignerAccountByHand, proposeForFrozen } from '../../onchain/thaw-signer-account.ts';
import { choicesOf } from './act-input.ts';
import {
  defineAct,
  proposed,
  refused,
  type ActInput,
  type ActInputs,
  type ActOutcome,
  type ActValues,
  type CommandLocator,
} from './operator-act.ts';
import { TRANSFER } from './payment-acts.ts';

const NO_PAGE = { none: 'The console has no page for hot addresses.' };
const CHAIN = { right: 'decide-payments', page: NO_PAGE, isDangerous: true } as const;

const ENVIRONMENT: ActInput = {
  ...{ label: 'Environment', what: 'the environment', lengthMax: 4 },
  ...{ choices: choicesOf(ENVIRONMENTS), option: '--environment <name>', help: 'test or live' },
};
const NETWORK = {
  ...{ label: 'Network', what: 'the network', lengthMax: 40, choices: choicesOf(NETWORKS) },
  help: 'name of the network',
} as const;

const HASH: ActInput = {
  ...{ label: 'Transaction', what: 'the hash of the transaction', lengthMax: 66 },
  check: (text) =>
    /^0x[0-9a-f]{64}$/.test(text) ? null : 'Enter 0x followed by 64 lowercase hexadecimal digits.',
  ...{ option: '--hash <hash>', help: 'hash of the transaction' },
};

/** A hot address of a network, as it was typed: whether it pays is for the use case to say. */
interface SignerAccount {
  readonly environment: Environment;
  readonly network: Network;
  readonly address: string;
}

const placeOf = ({ environment, network }: ActValues<ActInputs>) => ({
  environment: environment === 'live' ? ('live' as const) : ('test' as const),
  network: NETWORKS.find((one) => one === network) ?? NETWORKS[0],
});

const SIGNER_ACCOUNT: CommandLocator<SignerAccount> = {
  inputs: {
    address: {
      ...{ label: 'Address', what: 'the address', lengthMax: 42 },
      ...{ option: '<address>', help: 'hot address, with its EIP-55 checksum' },
    },
    environment: ENVIRONMENT,
    network: { ...NETWORK, option: '--network <name>' },
  },
  find: (_deps, values) =>
    Promise.resolve({ ...placeOf(values), address: values['address'] ?? '' }),
  missing: () => '',
};

/** No page names one by an id. */
const NO_ID = { find: () => Promise.resolve(null), missing: (id: string) => `There is no ${id}.` };

export const FREEZE_SIGNER_ACCOUNT = defineAct({
  name: 'chain.freeze',
  ...{ title: 'Freeze a hot address', submit: 'Freeze' },
  summary:
    'Stops a hot address immediately. It signs no new transactions. Transactions that it already sent can still be mined.',
  ...{ ...CHAIN, decidedBy: 'ONE', inputs: {}, subject: NO_ID },
  command: { line: 'chain freeze', locator: SIGNER_ACCOUNT },
  words: ({ address }: SignerAccount) => `Freeze hot address ${address}`,
  run: async (deps, { subject, act }) =>
    (await freezeSignerAccountByHand(deps, subject, act))
      ? {
          kind: 'DONE',
          text: `Frozen: ${subject.address}. Transactions that it already sent can still be mined.`,
        }
      : refused(
          `${subject.address} is not a signer account of ${subject.network}, or it is already frozen.`,
        ),
});

const forFrozen =
  (action: 'SIGNER_ACCOUNT_THAW' | 'SIGNER_ACCOUNT_RETIRE') =>
  async (
    deps: Parameters<typeof proposeForFrozen>[0],
    {
      subject,
      act,
    }: { readonly subject: SignerAccount; readonly act: Parameters<typeof proposeForFrozen>[3] },
  ): Promise<ActOutcome> => {
    const came = await proposeForFrozen(deps, action, subject, act);
    return came === 'NOT_FROZEN'
      ? refused(
          `The hot address ${subject.address} is not frozen, so it can be neither thawed nor retired.`,
        )
      : proposed(came.proposalId, subject.address);
  };

export const THAW_SIGNER_ACCOUNT = defineAct({
  name: 'chain.thaw',
  ...{ title: 'Thaw a hot address', submit: 'Propose' },
  summary: 'Allows a frozen hot address to send payments again. Find out why it was frozen first.',
  ...{ ...CHAIN, decidedBy: 'TWO', inputs: {}, subject: NO_ID },
  command: { line: 'chain thaw', locator: SIGNER_ACCOUNT },
  words: ({ address }: SignerAccount) => `Propose to thaw hot address ${address}`,
  run: forFrozen('SIGNER_ACCOUNT_THAW'),
});

export const RETIRE_SIGNER_ACCOUNT = defineAct({
  name: 'chain.retire',
  ...{ title: 'Retire a hot address', submit: 'Propose' },
  summary:
    'Retires a frozen hot address permanently. It never signs again. If transactions of the address can still be mined, the approval confirms that none of them will be. Use it only when you are sure. A transaction that is mined later can pay twice.',
  ...{ ...CHAIN, decidedBy: 'TWO', inputs: {}, subject: NO_ID },
  command: { line: 'chain retire', locator: SIGNER_ACCOUNT },
  words: ({ address }: SignerAccount) => `Propose to retire hot address ${address}`,
  run: forFrozen('SIGNER_ACCOUNT_RETIRE'),
});

export const NAME_FOREIGN_NONCE = defineAct({
  name: 'chain.foreign',
  ...{ title: 'Mark a nonce as foreign', submit: 'Propose' },
  summary:
    'Records that the transaction that used a nonce of a hot address is not one of our payments. Check the transaction first. If it paid one of our payments, that payment may be paid twice.',
  ...{ ...CHAIN, decidedBy: 'TWO', subject: NO_ID },
  inputs: {
    nonce: {
      ...{ label: 'Nonce', what: 'the nonce', lengthMax: 15, keyboard: 'numeric' },
      check: (text) => (/^[0-9]{1,15}$/.test(text) ? null : 'Enter a whole number.'),
      ...{ option: '--nonce <number>', help: 'nonce that the transaction used' },
    },
    hash: HASH,
  },
  command: { line: 'chain foreign', locator: SIGNER_ACCOUNT },
  words: ({ address }: SignerAccount, { nonce = '' }) =>
    `Propose that nonce ${nonce} of ${address} is not one of our payments`,
  async run(deps, { subject, values: { nonce, hash }, act }) {
    const came = await proposeForeign(deps, { ...subject, nonce: BigInt(nonce) }, hash, act);
    return came === 'NO_SIGNER_ACCOUNT'
      ? refused(`${subject.address} is not a signer account of ${subject.network}.`)
      : proposed(came.proposalId, subject.address);
  },
});

const foreignPayment = (outcome: 'PAID' | 'NOT_PAID') =>
  ({
    ...CHAIN,
    decidedBy: 'TWO',
    inputs: { hash: HASH },
    submit: 'Propose',
    subject: NO_ID,
    async run(
      deps: Parameters<typeof proposeForeignPayment>[0],
      asked: {
        readonly subject: string;
        readonly values: { readonly hash: string };
        readonly act: Parameters<typeof proposeForeignPayment>[3];
      },
    ): Promise<ActOutcome> {
      const { subject, act } = asked;
      const { hash } = asked.values;
      const came = await proposeForeignPayment(deps, subject, { outcome, hash }, act);
      if (came === 'NO_TRANSFER') return refused(noTransfer(subject));
      return came === 'NO_NONCE'
        ? refused(
            `${subject} has ended, or it has no nonce and no transaction with this hash was found after a restore.`,
          )
        : proposed(came.proposalId, subject);
    },
  }) as const;

const noTransfer = (id: string): string => `There is no blockchain transfer ${id}.`;

const TRANSFER_ID: CommandLocator<string> = {
  inputs: TRANSFER,
  async find({ db }, { transfer = '' }) {
    const found = await db.system((tx) => findTransferForOps(tx, transfer));
    return found === null ? null : transfer;
  },
  missing: ({ transfer = '' }) => noTransfer(transfer),
};

export const FOREIGN_PAID = defineAct({
  name: 'chain.paid',
  title: 'Confirm that a foreign transaction paid',
  summary:
    'Records that a transaction that the engine did not make paid a payment. The transaction used the nonce of the payment. The payment is never sent again. If the transaction did not pay it, the beneficiary does not get the money.',
  ...foreignPayment('PAID'),
  command: { line: 'chain paid', locator: TRANSFER_ID },
  words: (subject: string, { hash = '' }) => `Propose that ${hash} paid ${subject}`,
});

export const FOREIGN_NOT_PAID = defineAct({
  name: 'chain.not-paid',
  title: 'Confirm that a foreign transaction did not pay',
  summary:
    'Records that a transaction that the engine did not make did not pay a payment. The transaction used the nonce of the payment. The engine then sends the payment with another transaction. If the first transaction did pay, the payment is paid twice.',
  ...foreignPayment('NOT_PAID'),
  command: { line: 'chain not-paid', locator: TRANSFER_ID },
  words: (subject: string, { hash = '' }) => `Propose that ${hash} did not pay ${subject}`,
});

interface Place {
  readonly environment: Environment;
  readonly network: Network;
}

export const RESUME_NETWORK = defineAct({
  name: 'chain.resume',
  ...{ title: 'Resume a network', submit: 'Propose' },
  summary: 'Resumes a stopped network at a final block that you name.',
  ...{ ...CHAIN, decidedBy: 'TWO', subject: NO_ID },
  inputs: {
    block: {
      ...{ label: 'Block', what: 'the block', lengthMax: 82 },
      check: (text) =>
        BLOCK.test(text) ? null : 'Enter the block number, a colon, and the hash in lowercase.',
      option: '--block <number:hash>',
      help: 'a final block after the block that disappeared',
    },
  },
  command: {
    line: 'chain resume',
    locator: {
      inputs: { network: { ...NETWORK, option: '<network>' }, environment: ENVIRONMENT },
      find: (_deps, values) => Promise.resolve(placeOf(values)),
      missing: () => '',
    },
  },
  words: ({ network }: Place, { block = '' }) => `Propose to resume ${network} at block ${block}`,
  async run(deps, { subject, values, act }) {
    const [, number = '', hash = ''] = BLOCK.exec(values.block) ?? [];
    const block = { number: BigInt(number), hash };
    const came = await proposeResumption(deps, subject, block, act);
    if (came === 'NOT_STOPPED') return refused(`The network ${subject.network} is not stopped.`);
    return came === 'NOT_BEHIND'
      ? refused(
          'The block must come after the block that disappeared. Wait for a later final block.',
        )
      : proposed(came.proposalId, subject.network);
  },
});

const BLOCK = /^([0-9]{1,15}):(0x[0-9a-f]{64})$/;

export const CHAIN_ACTS = [
  ...[FREEZE_SIGNER_ACCOUNT, THAW_SIGNER_ACCOUNT, RETIRE_SIGNER_ACCOUNT, NAME_FOREIGN_NONCE],
  ...[FOREIGN_PAID, FOREIGN_NOT_PAID, RESUME_NETWORK],
] as const;
