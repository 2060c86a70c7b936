import {
  accountNumberField,
  accountTypeField,
  bankCodeField,
  requiredField,
} from '../account-field.ts';
import { isValidCbu } from '../cbu.ts';
import { isValidCci } from '../cci.ts';
import { isValidNit } from '../nit.ts';
import { isValidPixKey, PIX_KEY_FORM } from '../pix-key.ts';
import type { RulesOfRail } from '../rail-rules.ts';
import { isValidRut } from '../rut.ts';
import { BLANKS, digitsForm, withoutSeparators } from '../written-form.ts';

/** Between the groups of a tax number, and before its check digit. */
const GAP = `[.${BLANKS}]?`;
const HYPHEN = `[\\-${BLANKS}]?`;

/** Pix (Brazil). Source: BCB, DICT API. */
export const PIX: RulesOfRail = () => ({
  accountFields: ['key'],
  fields: {
    key: requiredField(PIX_KEY_FORM, {
      title: 'Pix key',
      description:
        'A CPF, CNPJ, phone number (+55...), email address, or random key. Check digits must be valid.',
      isValid: isValidPixKey,
      code: 'invalid_pix_key',
      expectation:
        'must be a CPF, a CNPJ, a number like +5511900000000, an email address or a UUID',
      example: '52998224725',
    }),
  },
});

/** Transfers by CBU or CVU (Argentina). Source: BCRA, Sistema Nacional de Pagos. */
export const CBU: RulesOfRail = () => ({
  accountFields: ['cbu'],
  fields: {
    cbu: requiredField(digitsForm(22), {
      title: 'CBU or CVU',
      description: 'The CBU or CVU: 22 digits, including two check digits.',
      isValid: isValidCbu,
      code: 'invalid_cbu',
      expectation: 'must be a CBU or CVU of 22 digits with right check digits',
      example: '2850590940090418135201',
    }),
  },
});

/** Transferencia electrónica de fondos (Chile): the bank, the account and the holder's RUT. */
export const TEF: RulesOfRail = () => ({
  accountFields: ['accountNumber'],
  fields: {
    bankCode: bankCodeField(3, '001', 'The bank code at the CMF: 3 digits.'),
    accountNumber: accountNumberField(5, 20, '000123456789'),
    accountType: accountTypeField('CHECKING', 'SAVINGS', 'VISTA'),
    taxId: requiredField(
      {
        pattern: `^[0-9]{1,2}${GAP}[0-9]{3}${GAP}[0-9]{3}${HYPHEN}[0-9Kk]$`,
        minLength: 8,
        maxLength: 12,
        normalise: (text) => withoutSeparators(text).replaceAll('.', '').toUpperCase(),
      },
      {
        title: 'RUT',
        description: 'The RUT of the holder with its check digit, such as 12.345.678-5.',
        isValid: isValidRut,
        code: 'invalid_tax_id',
        expectation: 'must be a RUT with a right check digit',
        example: '123456785',
      },
    ),
  },
});

/** Transfers by CCI (Peru). Source: Cámara de Compensación Electrónica. */
export const CCE: RulesOfRail = () => ({
  accountFields: ['cci'],
  fields: {
    cci: requiredField(digitsForm(20), {
      title: 'CCI',
      description: 'The CCI: 20 digits. The last two digits are check digits.',
      isValid: isValidCci,
      code: 'invalid_cci',
      expectation: 'must be a CCI of 20 digits with right check digits',
      example: '01136600010003254221',
    }),
  },
});

/** ACH (Colombia): a business by its NIT with the check digit, a person by the cédula, which has none. */
export const ACH_CO: RulesOfRail = ({ holderType }) => ({
  accountFields: ['accountNumber'],
  fields: {
    bankCode: bankCodeField(4, '1007', 'The bank code at ACH Colombia: 4 digits.'),
    accountNumber: accountNumberField(6, 17, '00012345678'),
    accountType: accountTypeField('SAVINGS', 'CHECKING'),
    taxId: holderType === 'BUSINESS' ? NIT : CEDULA,
  },
});

const NIT = requiredField(
  {
    pattern: `^[0-9]{3}${GAP}[0-9]{3}${GAP}[0-9]{3}${HYPHEN}[0-9]$`,
    minLength: 10,
    maxLength: 13,
    normalise: (text) => withoutSeparators(text).replaceAll('.', ''),
  },
  {
    title: 'NIT',
    description: 'The NIT of the holder with its check digit: 10 digits.',
    isValid: isValidNit,
    code: 'invalid_tax_id',
    expectation: 'must be a NIT of 10 digits with a right check digit',
    example: '8001972684',
  },
);

const CEDULA = requiredField(
  {
    pattern: `^[1-9][0-9]{0,3}(?:${GAP}[0-9]{3}){1,3}$`,
    minLength: 5,
    maxLength: 13,
    normalise: (text) => withoutSeparators(text).replaceAll('.', ''),
  },
  {
    title: 'Cédula',
    description: 'The cédula number of the holder: 5 to 10 digits.',
    isValid: (text) => /^[0-9]{5,10}$/.test(text),
    code: 'invalid_tax_id',
    expectation: 'must be 5 to 10 digits',
    example: '1012345678',
  },
);
