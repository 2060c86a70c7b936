import { Type } from 'typebox';
import { PERSON_ROLES } from '../../modules/parties/end-users/end-user-personal.ts';

/** No C0 control characters and no DEL: they would garble a bank's file or a log line. */
const PLAIN_TEXT = '^[^\\x00-\\x1f\\x7f]*$';

/** Text of a person or a place, 1 to `maxLength` characters on one line. */
export const PlainText = (maxLength: number, description: string, example: string) =>
  Type.String({ minLength: 1, maxLength, pattern: PLAIN_TEXT, description, examples: [example] });

/** An ISO 3166-1 alpha-2 code in a request. Whether there is such a country is judged later. */
export const CountryCode = (description: string) =>
  Type.String({
    pattern: '^[A-Z]{2}$',
    'x-error': { pattern: 'unsupported_country' },
    description,
    examples: ['DE'],
  });

const TaxId = Type.Object(
  {
    country: CountryCode('The country that issued the number, as a two-letter ISO 3166-1 code.'),
    number: Type.String({
      minLength: 5,
      maxLength: 40,
      pattern: PLAIN_TEXT,
      description: 'The tax number. Answers show only its last four characters.',
      examples: ['00000012345'],
    }),
  },
  { title: 'TaxId', additionalProperties: false },
);

const person = {
  firstName: PlainText(100, 'The given names.', 'Ada'),
  lastName: PlainText(100, 'The family names.', 'Sample'),
  dateOfBirth: Type.Optional(
    Type.String({
      pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
      description: 'The date of birth, as YYYY-MM-DD. It must not be in the future.',
      examples: ['1990-12-31'],
    }),
  ),
  nationality: Type.Optional(CountryCode('A two-letter ISO 3166-1 country code.')),
  taxIds: Type.Optional(
    Type.Array(TaxId, { maxItems: 10, description: 'The tax numbers, up to ten.' }),
  ),
};

/** A natural person. */
export const Person = Type.Object(person, { title: 'Person', additionalProperties: false });

/** A natural person who stands for a business. */
export const BusinessPerson = Type.Object(
  {
    ...person,
    role: Type.Optional(
      Type.Enum(PERSON_ROLES, {
        title: 'PersonRole',
        type: 'string',
        description: 'The role of the person in the business.',
        examples: ['DIRECTOR'],
      }),
    ),
  },
  { title: 'BusinessPerson', additionalProperties: false },
);

/** Where a person lives or a business has its seat. */
export const Address = Type.Object(
  {
    line1: PlainText(200, 'The street and house number.', 'Samplestrasse 1'),
    line2: Type.Optional(PlainText(200, 'The floor, unit, or similar.', '2nd floor')),
    city: PlainText(100, 'The city or town.', 'Berlin'),
    region: Type.Optional(PlainText(100, 'The state, province, or region.', 'BE')),
    postalCode: Type.Optional(
      PlainText(20, 'The postal code, in the format of the country.', '10115'),
    ),
    country: CountryCode('A two-letter ISO 3166-1 country code.'),
  },
  { title: 'Address', additionalProperties: false },
);
