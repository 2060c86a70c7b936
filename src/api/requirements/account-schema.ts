import type { TSchema } from 'typebox';
import {
  detailsSchema,
  exampleDetails,
} from '../../domain/parties/bank-accounts/details-schema.ts';
import { RAIL_FIELDS } from '../../domain/parties/bank-accounts/rail-fields.ts';
import type { HolderType } from '../../db/parties/bank-account-store.ts';
import type { Corridor } from '../../domain/payments/corridors/corridor.ts';
import { NewBankAccount } from '../schemas/bank-account.ts';
import { Address } from '../schemas/person.ts';

const HOLDER_NAMES: Readonly<Record<HolderType, string>> = {
  INDIVIDUAL: 'Ada Sample',
  BUSINESS: 'Sample Trading Ltd',
};

const ADDRESS_TITLES: Readonly<Record<string, string>> = {
  line1: 'Street and number',
  line2: 'Floor, unit',
  city: 'City',
  region: 'State or province',
  postalCode: 'Postal code',
  country: 'Country',
};

/**
 * The body of POST /bank-accounts without `endUserId` for one corridor and kind of holder: JSON Schema
 * 2020-12 that a form can be built from. Its example is taken by the API as it is.
 */
export function accountSchema(corridor: Corridor, holderType: HolderType): Record<string, unknown> {
  const { country, currency, rail } = corridor;
  const rules = RAIL_FIELDS[rail]({ country, holderType });
  const { holderName, holderAddress } = NewBankAccount.properties;
  const name = HOLDER_NAMES[holderType];
  const address = exampleAddress(country);
  const fixed = { country, currency, rail, holderType };
  const needed = rules.needsAddress === true ? ['holderAddress'] : [];
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `${rail} account in ${country}, ${currency}`,
    description: 'The body of `POST /bank-accounts` without `endUserId`.',
    type: 'object',
    properties: {
      country: constant(
        country,
        'Country',
        'The country of the account, as a two-letter ISO 3166-1 code.',
      ),
      currency: constant(
        currency,
        'Currency',
        'The currency of the account, as a three-letter ISO 4217 code.',
      ),
      rail: constant(rail, 'Rail', 'The rail that carries payments to the account.'),
      holderType: constant(
        holderType,
        'Type of holder',
        'The type of the account holder: a person or a business.',
      ),
      holderName: { ...plain(holderName), title: 'Name of the holder', examples: [name] },
      holderAddress: {
        ...addressSchema(holderAddress),
        title: 'Address of the holder',
        description:
          rules.needsAddress === true
            ? 'Required by the rail. Give at least the street, city, and country.'
            : 'Not required by the rail.',
        examples: [address],
      },
      details: detailsSchema(rules),
    },
    required: [...Object.keys(fixed), 'holderName', ...needed, 'details'],
    additionalProperties: false,
    examples: [
      {
        ...fixed,
        holderName: name,
        ...(rules.needsAddress === true && { holderAddress: address }),
        details: exampleDetails(rules),
      },
    ],
  };
}

const constant = (value: string, title: string, description: string): object => ({
  ...{ const: value, title, description },
  examples: [value],
});

function addressSchema(schema: TSchema): object {
  const properties = Object.entries(Address.properties).map(([name, property]) => [
    name,
    { ...plain(property), title: ADDRESS_TITLES[name] },
  ]);
  return { ...plain(schema), properties: Object.fromEntries(properties) as object };
}

/** Without the keywords that are ours alone. */
function plain(schema: TSchema): object {
  const { 'x-error': _, ...rest } = schema as Record<string, unknown>;
  return rest;
}

const exampleAddress = (country: string) => ({
  line1: 'Sample Street 1',
  city: 'Sampletown',
  country,
});
