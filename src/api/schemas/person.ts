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
    country: CountryCode('The country that gave it out, ISO 3166-1 alpha-2.'),
    number: Type.String({
      minLength: 5,
      maxLength: 40,
      pattern: PLAIN_TEXT,
      description: 'The number as written. Answers show its last four characters only.',
      examples: ['00000012345'],
    }),
  },
  { additionalProperties: false },
);

const person = {
  firstName: PlainText(100, 'Given names.', 'Ada'),
  lastName: PlainText(100, 'Family names.', 'Sample'),
  dateOfBirth: Type.Optional(
    Type.String({
      pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
      description: 'YYYY-MM-DD, a day of the calendar that is not to come.',
      examples: ['1990-12-31'],
    }),
  ),
  nationality: Type.Optional(CountryCode('ISO 3166-1 alpha-2.')),
  taxIds: Type.Optional(
    Type.Array(TaxId, { maxItems: 10, description: 'Tax numbers, at most ten.' }),
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
        type: 'string',
        description: 'What the person is to the business.',
        examples: ['DIRECTOR'],
      }),
    ),
  },
  { title: 'BusinessPerson', additionalProperties: false },
);

/** Where a person lives or a business has its seat. */
export const Address = Type.Object(
  {
    line1: PlainText(200, 'Street and number.', 'Samplestrasse 1'),
    line2: Type.Optional(PlainText(200, 'Floor, unit.', '2nd floor')),
    city: PlainText(100, 'Town.', 'Berlin'),
    region: Type.Optional(PlainText(100, 'State or province.', 'BE')),
    postalCode: Type.Optional(PlainText(20, 'As the country writes it.', '10115')),
    country: CountryCode('ISO 3166-1 alpha-2.'),
  },
  { title: 'Address', additionalProperties: false },
);
