import { choiceField, requiredField } from './account-field.ts';
import { detailProblem } from './detail-problem.ts';
import type { RailRules } from './rail-rules.ts';
import { isValidThaiId } from './thai-id.ts';
import { BLANKS, codeForm, withoutSeparators } from './written-form.ts';

/**
 * PromptPay (Thailand): a mobile number, the 13 digits of a person or business, or the 15 of a wallet.
 * Source: Bank of Thailand; EMVCo QR of Thailand, tag 29.
 */
export const PROMPTPAY_RULES: RailRules = {
  accountFields: ['proxy'],
  fields: {
    proxyType: choiceField(['MOBILE', 'NATIONAL_ID', 'EWALLET'], {
      title: 'Kind of PromptPay ID',
      description:
        'The type of the proxy. MOBILE: a mobile number. NATIONAL_ID: the id number of a person or business. EWALLET: the id of an e-wallet.',
      code: 'invalid_proxy_type',
    }),
    proxy: requiredField(promptPayForm(), {
      title: 'PromptPay ID',
      description:
        'The proxy: a mobile number that starts with +66 or 0, an id number of 13 digits with a valid check digit, or an e-wallet id of 15 digits.',
      code: 'invalid_proxy',
      expectation: 'must be a mobile number, 13 digits or 15 digits',
      example: '+66800000000',
    }),
  },
  check({ proxyType, proxy = '' }) {
    if (proxyType === 'MOBILE' && /^\+66[0-9]{9}$/.test(proxy)) return [];
    if (proxyType === 'NATIONAL_ID' && isValidThaiId(proxy)) return [];
    if (proxyType === 'EWALLET' && /^[0-9]{15}$/.test(proxy)) return [];
    const message = 'proxy must be what proxyType says, with a right check digit';
    return [detailProblem('proxy', 'invalid_proxy', message)];
  },
};

function promptPayForm() {
  const form = codeForm(['0-9', 9, 15]);
  return {
    ...form,
    pattern: form.pattern.replace('^', `^[${BLANKS}]*\\+?`),
    maxLength: form.maxLength + 1,
    normalise: (text: string) => withoutSeparators(text).replace(/^0(?=[0-9]{9}$)/, '+66'),
  };
}
