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

const NO_PAGE = { none: 'The console has no page of hot addresses.' };
const CHAIN = { right: 'decide-payments', page: NO_PAGE, isDangerous: true } as const;

const ENVIRONMENT: ActInput = {
  ...{ label: 'Environment', what: 'the environment', lengthMax: 4 },
  ...{ choices: choicesOf(ENVIRONMENTS), option: '--environment <name>', help: 'test or live' },
};
const NETWORK = {
  ...{ label: 'Network', what: 'the network', lengthMax: 40, choices: choicesOf(NETWORKS) },
  help: 'its name',
} as const;

const HASH: ActInput = {
  ...{ label: 'Transaction', what: 'the hash of the transaction', lengthMax: 66 },
  check: (text) =>
    /^0x[0-9a-f]{64}$/.test(text) ? null : 'It must be 0x and 64 lower-case hexadecimal digits.',
  ...{ option: '--hash <hash>', help: 'of the transaction' },
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
      ...{ option: '<address>', help: 'in the mixed case of EIP-55' },
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
  summary: 'Stop a hot address at once: it signs nothing new. What it has sent may still be mined.',
  ...{ ...CHAIN, decidedBy: 'ONE', inputs: {}, subject: NO_ID },
  command: { line: 'chain freeze', locator: SIGNER_ACCOUNT },
  words: ({ address }: SignerAccount) => `Freeze hot address ${address}`,
  run: async (deps, { subject, act }) =>
    (await freezeSignerAccountByHand(deps, subject, act))
      ? {
          kind: 'DONE',
          text: `Frozen: ${subject.address}. What it has sent may still be mined.`,
        }
      : refused(`${subject.address} is no signer account of ${subject.network}, or is frozen.`),
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
      ? refused(`${subject.address} is not frozen.`)
      : proposed(came.proposalId, subject.address);
  };

export const THAW_SIGNER_ACCOUNT = defineAct({
  name: 'chain.thaw',
  ...{ title: 'Thaw a hot address', submit: 'Propose' },
  summary: 'Let a frozen hot address pay again.',
  ...{ ...CHAIN, decidedBy: 'TWO', inputs: {}, subject: NO_ID },
  command: { line: 'chain thaw', locator: SIGNER_ACCOUNT },
  words: ({ address }: SignerAccount) => `Propose to thaw hot address ${address}`,
  run: forFrozen('SIGNER_ACCOUNT_THAW'),
});

export const RETIRE_SIGNER_ACCOUNT = defineAct({
  name: 'chain.retire',
  ...{ title: 'Retire a hot address', submit: 'Propose' },
  summary:
    'Give a frozen hot address up for ever, or say that one which may still pay cannot any more.',
  ...{ ...CHAIN, decidedBy: 'TWO', inputs: {}, subject: NO_ID },
  command: { line: 'chain retire', locator: SIGNER_ACCOUNT },
  words: ({ address }: SignerAccount) => `Propose to retire hot address ${address}`,
  run: forFrozen('SIGNER_ACCOUNT_RETIRE'),
});

export const NAME_FOREIGN_NONCE = defineAct({
  name: 'chain.foreign',
  ...{ title: 'Name a foreign transaction', submit: 'Propose' },
  summary: 'Say that the transaction which used a nonce of a hot address is no payment of ours.',
  ...{ ...CHAIN, decidedBy: 'TWO', subject: NO_ID },
  inputs: {
    nonce: {
      ...{ label: 'Nonce', what: 'the nonce', lengthMax: 15, keyboard: 'numeric' },
      check: (text) => (/^[0-9]{1,15}$/.test(text) ? null : 'It must be a whole number.'),
      ...{ option: '--nonce <number>', help: 'the nonce' },
    },
    hash: HASH,
  },
  command: { line: 'chain foreign', locator: SIGNER_ACCOUNT },
  words: ({ address }: SignerAccount, { nonce = '' }) =>
    `Propose that nonce ${nonce} of ${address} is no payment of ours`,
  async run(deps, { subject, values: { nonce, hash }, act }) {
    const came = await proposeForeign(deps, { ...subject, nonce: BigInt(nonce) }, hash, act);
    return came === 'NO_SIGNER_ACCOUNT'
      ? refused(`${subject.address} is no signer account of ${subject.network}.`)
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
            `${subject} is over, or waits for a nonce and nothing of that hash was found after a restore.`,
          )
        : proposed(came.proposalId, subject);
    },
  }) as const;

const noTransfer = (id: string): string => `There is no transfer over a chain of ${id}.`;

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
  title: 'Say that a foreign transaction paid',
  summary:
    'Say that a transaction which the engine did not make, of the nonce of a payment, paid it.',
  ...foreignPayment('PAID'),
  command: { line: 'chain paid', locator: TRANSFER_ID },
  words: (subject: string, { hash = '' }) => `Propose that ${hash} paid ${subject}`,
});

export const FOREIGN_NOT_PAID = defineAct({
  name: 'chain.not-paid',
  title: 'Say that a foreign transaction did not pay',
  summary:
    'Say that a transaction which the engine did not make, of the nonce of a payment, did not pay it.',
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
  summary: 'Let a stopped network go on at a final block.',
  ...{ ...CHAIN, decidedBy: 'TWO', subject: NO_ID },
  inputs: {
    block: {
      ...{ label: 'Block', what: 'the block', lengthMax: 82 },
      check: (text) =>
        BLOCK.test(text) ? null : 'It must be a number, a colon, and the hash in lower case.',
      option: '--block <number:hash>',
      help: 'a final block behind the one that is gone',
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
  words: ({ network }: Place, { block = '' }) => `Propose that ${network} goes on at ${block}`,
  async run(deps, { subject, values, act }) {
    const [, number = '', hash = ''] = BLOCK.exec(values.block) ?? [];
    const block = { number: BigInt(number), hash };
    const came = await proposeResumption(deps, subject, block, act);
    if (came === 'NOT_STOPPED') return refused(`${subject.network} is not stopped.`);
    return came === 'NOT_BEHIND'
      ? refused('The block must lie behind the one that is gone. Wait for a later one.')
      : proposed(came.proposalId, subject.network);
  },
});

const BLOCK = /^([0-9]{1,15}):(0x[0-9a-f]{64})$/;

export const CHAIN_ACTS = [
  ...[FREEZE_SIGNER_ACCOUNT, THAW_SIGNER_ACCOUNT, RETIRE_SIGNER_ACCOUNT, NAME_FOREIGN_NONCE],
  ...[FOREIGN_PAID, FOREIGN_NOT_PAID, RESUME_NETWORK],
] as const;
