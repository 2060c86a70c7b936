import type { EndUserView } from '../../../../../modules/parties/end-users/end-user-view.ts';
import { maskEmail, maskName, maskNumber } from '../../../words/mask.ts';

const ERASED = 'Erased';
const DIGITS_SHOWN = 2;

/** Who they are, masked. */
export function maskedName({ individual, business, erasedAt }: EndUserView): string {
  if (erasedAt !== null) return ERASED;
  if (business !== undefined) return maskName(business.legalName);
  if (individual === undefined) return '';
  return `${maskName(individual.firstName)} ${maskName(individual.lastName)}`;
}

export const typeWord = ({ type, relationship }: EndUserView): string =>
  relationship === 'SELF' ? 'Your company' : type === 'BUSINESS' ? 'Business' : 'Person';

/** What else is known of them, masked; a country says too little to be. */
export function maskedFacts(view: EndUserView): readonly (readonly [string, string])[] {
  const { email, phone, address } = view;
  return [
    ['Name', maskedName(view)],
    ...(email === undefined ? [] : [['Email', maskEmail(email)] as const]),
    ...(phone === undefined ? [] : [['Phone', maskNumber(phone.slice(-DIGITS_SHOWN))] as const]),
    ...(address === undefined ? [] : [['Country', address.country] as const]),
  ];
}
