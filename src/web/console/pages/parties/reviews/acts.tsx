import type { DepositReviewRow } from '../../../../../db/onchain/deposit-review-store.ts';
import type { ScreeningCaseRow } from '../../../../../db/parties/screening-case-store.ts';
import type { WalletReviewRow } from '../../../../../db/parties/wallet-review-store.ts';
import {
  KEEP_BLOCKED_DEPOSIT,
  REFUSE_DEPOSIT,
  RELEASE_BLOCKED_DEPOSIT,
  RELEASE_DEPOSIT,
} from '../../../../../modules/operations/acts/deposit-acts.ts';
import { OVERRIDE_KYC } from '../../../../../modules/operations/acts/kyc-acts.ts';
import {
  REFUSE_CASE,
  RELEASE_CASE,
  SHOW_CASE,
} from '../../../../../modules/operations/acts/screening-acts.ts';
import {
  REFUSE_WALLET,
  RELEASE_WALLET,
} from '../../../../../modules/operations/acts/wallet-acts.ts';
import type { CasePersonal } from '../../../../../modules/parties/screening/case-personal.ts';
import { actPage, type ActPage } from '../../../acts/act-page.tsx';
import { CaseFacts } from './case.tsx';
import { CaseNames } from './case-names.tsx';
import { DepositFacts } from './deposit-parts.tsx';
import { ReviewFacts } from './wallet.tsx';

const current = '/reviews';

const CASE = {
  current,
  trail: ({ id }: ScreeningCaseRow) => ({ href: `/reviews/${id}`, text: 'Case', here: id }),
  facts: (row: ScreeningCaseRow) => <CaseFacts row={row} />,
};
const WALLET = {
  current,
  trail: ({ id }: WalletReviewRow) => ({
    ...{ href: `/reviews/wallets/${id}`, text: 'Review', here: id },
  }),
  facts: (row: WalletReviewRow) => <ReviewFacts row={row} />,
};
const DEPOSIT = {
  current,
  trail: ({ id }: DepositReviewRow) => ({
    ...{ href: `/reviews/deposits/${id}`, text: 'Review', here: id },
  }),
  facts: (row: DepositReviewRow) => <DepositFacts row={row} />,
};

export const REVIEW_ACT_PAGES: readonly ActPage[] = [
  actPage(REFUSE_CASE, CASE),
  actPage(RELEASE_CASE, CASE),
  actPage(SHOW_CASE, {
    ...CASE,
    shown: ({ id }, seen) => ({
      title: 'Names of a case',
      body: <CaseNames id={id} seen={seen as CasePersonal | null} />,
    }),
  }),
  actPage(OVERRIDE_KYC, {
    current,
    trail: () => ({ href: '/reviews', text: 'Reviews', here: 'KYC override' }),
  }),
  actPage(REFUSE_WALLET, WALLET),
  actPage(RELEASE_WALLET, WALLET),
  actPage(REFUSE_DEPOSIT, DEPOSIT),
  actPage(RELEASE_DEPOSIT, DEPOSIT),
  actPage(RELEASE_BLOCKED_DEPOSIT, DEPOSIT),
  actPage(KEEP_BLOCKED_DEPOSIT, DEPOSIT),
];
