import { NETWORKS, type Network } from '../../../domain/onchain/network.ts';
import { ENVIRONMENTS, type Environment } from '../../../domain/scope.ts';
import { FOREIGN_OUTCOMES, proposeForeign } from '../../onchain/foreign-nonce.ts';
import { proposeDust } from '../../onchain/deposits/ask-for-dust.ts';
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

/** As a command takes them. */
const OUTCOME_WORDS = { NOT_OURS: 'not-ours', PAID: 'paid', NOT_PAID: 'not-paid' } as const;

const DID: Readonly<Record<string, string>> = {
  NOT_OURS: 'is not one of our payments',
  PAID: 'paid its payment',
  NOT_PAID: 'did not pay its payment',
};

export const SETTLE_FOREIGN_NONCE = defineAct({
  name: 'chain.foreign',
  ...{ title: 'Say what a foreign transaction did', submit: 'Propose' },
  summary:
    'Records what a transaction that the engine did not make, and that used a nonce of a hot address, did. Check the transaction first. If you are wrong, a payment can be paid twice or never.',
  ...{ ...CHAIN, decidedBy: 'TWO', subject: NO_ID },
  inputs: {
    nonce: {
      ...{ label: 'Nonce', what: 'the nonce', lengthMax: 15, keyboard: 'numeric' },
      check: (text) => (/^[0-9]{1,15}$/.test(text) ? null : 'Enter a whole number.'),
      ...{ option: '--nonce <number>', help: 'nonce that the transaction used' },
    },
    hash: {
      ...{ label: 'Transaction', what: 'the hash of the transaction', lengthMax: 66 },
      check: (text) =>
        /^0x[0-9a-f]{64}$/.test(text)
          ? null
          : 'Enter 0x followed by 64 lowercase hexadecimal digits.',
      ...{ option: '--hash <hash>', help: 'hash of the transaction' },
    },
    outcome: {
      ...{ label: 'Outcome', what: 'the outcome', lengthMax: 8 },
      choices: FOREIGN_OUTCOMES.map((value) => ({ value, word: OUTCOME_WORDS[value] })),
      option: '--outcome <outcome>',
      help: 'not-ours: it is not one of our payments; paid: it paid the payment of the nonce, which is never sent again; not-paid: it did not, and the payment is sent by another transaction',
    },
    payment: {
      ...{ label: 'Payment', what: 'the payment', lengthMax: 40, isOptional: true },
      option: '--payment <id>',
      help: 'id of the payment, or reference of its transfer; needed if the nonce carries none that is known',
    },
  },
  command: { line: 'chain foreign', locator: SIGNER_ACCOUNT },
  words: ({ address }: SignerAccount, { nonce = '', hash = '', outcome = '' }) =>
    `Propose that ${hash} at nonce ${nonce} of ${address} ${DID[outcome] ?? ''}`,
  async run(deps, { subject, values: { nonce, hash, outcome, payment }, act }) {
    const key = { ...subject, nonce: BigInt(nonce) };
    const said = FOREIGN_OUTCOMES.find((one) => one === outcome) ?? 'NOT_OURS';
    const claim = { outcome: said, hash, payment: payment === '' ? null : payment };
    const came = await proposeForeign(deps, key, claim, act);
    if (came === 'NO_SIGNER_ACCOUNT') {
      return refused(`${subject.address} is not a signer account of ${subject.network}.`);
    }
    return came === 'NO_PAYMENT'
      ? refused(
          `Nonce ${nonce} of ${subject.address} has ended or does not carry such a payment, and no transaction with this hash was found for one after a restore.`,
        )
      : proposed(came.proposalId, subject.address);
  },
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

export const TAKE_DUST = defineAct({
  name: 'chain.take-dust',
  ...{ title: 'Make deposits of small transfers', submit: 'Propose' },
  summary:
    'Makes deposits of the 20 largest transfers to an address that are below the floor of their asset. The deposits can then be refunded.',
  ...{ ...CHAIN, decidedBy: 'TWO', inputs: {}, subject: NO_ID },
  command: {
    line: 'chain take-dust',
    locator: {
      inputs: {
        address: {
          ...{ label: 'Address', what: 'the address', lengthMax: 42 },
          ...{ option: '<address>', help: 'deposit address, with its EIP-55 checksum' },
        },
        environment: ENVIRONMENT,
        network: { ...NETWORK, option: '--network <name>' },
        asset: {
          ...{ label: 'Asset', what: 'the asset', lengthMax: 4 },
          ...{ option: '--asset <code>', help: 'for example USDC' },
        },
      },
      find: (_deps, values) =>
        Promise.resolve({
          ...placeOf(values),
          address: values['address'] ?? '',
          asset: values['asset'] ?? '',
        }),
      missing: () => '',
    },
  },
  words: ({ address, asset }: SignerAccount & { readonly asset: string }) =>
    `Propose to make deposits of small transfers of ${asset} to ${address}`,
  async run(deps, { subject, act }) {
    const came = await proposeDust(deps, subject, act);
    return came === 'NOTHING'
      ? refused(`Nothing of ${subject.asset} lies at ${subject.address} below its floor.`)
      : proposed(came.proposalId, subject.address);
  },
});

export const CHAIN_ACTS = [
  ...[FREEZE_SIGNER_ACCOUNT, THAW_SIGNER_ACCOUNT, RETIRE_SIGNER_ACCOUNT],
  ...[SETTLE_FOREIGN_NONCE, RESUME_NETWORK, TAKE_DUST],
] as const;
