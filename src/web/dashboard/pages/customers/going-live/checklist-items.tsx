import { openCompany } from '../../../../../modules/customers/live/company.ts';
import {
  areTermsAccepted,
  isCompanyApproved,
  type LiveStanding,
} from '../../../../../modules/customers/live/live-standing.ts';
import type { User } from '../../../../../domain/customers/access/person.ts';
import { isLinkSpent } from '../../../../../modules/parties/kyc/kyc-link.ts';
import { viewKycCheck } from '../../../../../modules/parties/kyc/kyc-view.ts';
import { Facts } from '../../../../kit/parts/facts.tsx';
import type { ChecklistItem } from '../../../../kit/parts/checklist.tsx';
import { Form } from '../../../../kit/parts/form.tsx';
import { timeText } from '../../../../kit/time-text.ts';
import type { DashboardDeps } from '../../../dashboard-deps.ts';
import { checkWords } from './check-words.ts';
import { maskPerson } from './masked-person.ts';
import { may } from '../../../environment.tsx';

export interface Shown {
  readonly standing: LiveStanding;
  readonly user: User;
  readonly now: Date;
  readonly newForm: (path: string) => string;
}

export const ownerItem = ({ standing }: Shown): ChecklistItem => ({
  title: 'A verified owner',
  ...(standing.hasVerifiedOwner
    ? { tone: 'ok', state: 'Done' }
    : { tone: 'wait', state: 'Missing' }),
  about: 'A user with the role owner and a verified email address.',
});

export function companyItem(
  { standing: { company }, user }: Shown,
  { vault }: DashboardDeps,
): ChecklistItem {
  const mayWrite = may(user, 'write-company');
  const link = (text: string) =>
    mayWrite ? <a href="/going-live/company">{text}</a> : 'An owner has to do this.';
  if (company === null) {
    const about =
      'Name, number, and address as the register shows them, and the people who represent it.';
    const action = link('Enter the company’s data');
    return { title: 'Company data', tone: 'wait', state: 'Missing', about, action };
  }
  const data = openCompany(vault, company);
  const { business, address } = data;
  const facts = [
    ['Registered name', business.legalName],
    [
      'Registration',
      `${business.registrationNumber ?? ''} (${business.incorporationCountry ?? ''})`,
    ],
    ['Address', `${address.city}, ${address.country}`],
    ['Represented by', maskPerson(data) ?? ''],
  ] as const;
  const about = <Facts facts={facts} />;
  return { title: 'Company data', tone: 'ok', state: 'Done', about, action: link('Change') };
}

export function checkItem(
  { standing: { company, check, isScreened }, user, now, newForm }: Shown,
  { vault, apiUrl, isCompanyCheckServed }: DashboardDeps,
): ChecklistItem {
  const isApproved = isCompanyApproved(company, check, now);
  const isOutdated =
    company !== null && check !== null && check.identityVersion < company.identityVersion;
  const item = { title: 'Company check', ...checkWords(check, { isApproved, isOutdated }) };
  if (isApproved && !isScreened) {
    const about = 'We are checking the company’s data. Reload the page in a minute.';
    return { ...item, tone: 'moving', state: 'Almost done', about };
  }
  if (company === null || isApproved) return item;
  if (!isCompanyCheckServed)
    return { ...item, action: 'The operator has not set up a check provider yet.' };
  if (!may(user, 'write-company')) return { ...item, action: 'An owner has to do this.' };
  const isOpen = ['PENDING', 'IN_REVIEW', 'RESUBMISSION_REQUIRED'].includes(check?.status ?? '');
  if (check !== null && isOpen && !isOutdated && !isLinkSpent(check, now)) {
    const { link } = viewKycCheck(check, { vault, publicUrl: apiUrl });
    return { ...item, action: <a href={link?.url ?? apiUrl}>Continue the check</a> };
  }
  const path = '/going-live/check';
  return {
    ...item,
    action: <Form action={path} token={newForm(path)} submit="Start the check" />,
  };
}

export function termsItem({ standing, user }: Shown): ChecklistItem {
  const { terms, acceptance } = standing;
  const title = 'Terms';
  if (terms === null) {
    const about = 'The operator has not published terms yet.';
    return { title, tone: 'wait', state: 'Not available yet', about };
  }
  const link = (text: string) => <a href="/going-live/terms">{text}</a>;
  if (areTermsAccepted(standing) && acceptance !== null) {
    const at = timeText(user.timeZone).moment(acceptance.acceptedAt);
    const about = `Version ${String(terms.version)}, accepted ${at} by ${acceptance.acceptedBy}.`;
    return { title, tone: 'ok', state: 'Accepted', about, action: link('Read the terms') };
  }
  const about =
    acceptance === null
      ? `An owner has to accept version ${String(terms.version)}.`
      : `Version ${String(terms.version)} is new. An owner has to accept it.`;
  return { title, tone: 'wait', state: 'Not accepted', about, action: link('Read and accept') };
}
