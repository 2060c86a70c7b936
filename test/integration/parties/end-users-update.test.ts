import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { approveEndUser } from '../../support/approve-end-user.ts';
import {
  createEndUserHarness,
  type EndUserHarness,
} from '../../support/parties/end-user-harness.ts';

let harness: EndUserHarness;
beforeAll(async () => {
  harness = await createEndUserHarness();
});
afterAll(() => harness.close());

const taxIds = [{ country: 'DE', number: '00000012345' }];
const individual = { firstName: 'Ada', lastName: 'Sample', dateOfBirth: '1990-02-28', taxIds };
const address = { line1: 'Samplestrasse 1', city: 'Berlin', postalCode: '10115', country: 'DE' };
const ada = {
  type: 'INDIVIDUAL',
  individual,
  email: 'ada@example.com',
  phone: '+4930000000',
  address,
  metadata: { segment: 'retail', note: 'x' },
};
const firm = {
  type: 'BUSINESS',
  business: {
    legalName: 'Sample Trading GmbH',
    registrationNumber: 'HRB 000000',
    incorporationCountry: 'DE',
    persons: [{ firstName: 'Ada', lastName: 'Sample', role: 'DIRECTOR' }],
  },
};

async function approved(order: object): Promise<{ id: string; version: number }> {
  const { id } = await harness.create(order);
  await approveEndUser(harness.database.db, harness.scope, id, harness.clock.now());
  return (await harness.read(id)).json();
}

describe('PATCH /end-users/{id}', () => {
  it('changes what it names, keeps what it does not, clears what is null', async () => {
    const { id, version } = await harness.create(ada);
    const answer = await harness.patch(id, {
      externalId: 'user-1',
      email: null,
      address: { line1: 'Other Street 2', postalCode: null },
      metadata: { note: null, tier: 'gold' },
    });
    expect(answer.statusCode, answer.body).toBe(200);
    const changed = answer.json();
    expect(changed).toMatchObject({
      externalId: 'user-1',
      phone: ada.phone,
      address: { line1: 'Other Street 2', city: 'Berlin', country: 'DE' },
      metadata: { segment: 'retail', tier: 'gold' },
      individual: { firstName: 'Ada', taxIds: [{ country: 'DE', number: '****2345' }] },
      version: version + 1,
    });
    expect(changed).not.toHaveProperty('email');
    expect(changed.address).not.toHaveProperty('postalCode');
    expect(changed.metadata).not.toHaveProperty('note');
    expect((await harness.read(id)).json()).toEqual(changed);
    expect(await harness.events(id)).toEqual(['1 end_user.created', '2 end_user.updated']);
  });

  it('keeps the whole tax number that it does not speak of', async () => {
    const { id } = await harness.create(ada);
    await harness.patch(id, { individual: { lastName: 'Other' } });
    const answer = await harness.patch(id, { individual: { taxIds } });
    // Written again it changes nothing: the number was there in full all the time.
    expect(answer.json()).toMatchObject({ version: 2, individual: { lastName: 'Other' } });
  });

  it.each([
    ['nothing at all', {}],
    ['the same name', { individual: { firstName: 'Ada' } }],
    ['the same array', { individual: { taxIds } }],
    ['null for what is not there', { externalId: null, individual: { nationality: null } }],
    ['the same metadata', { metadata: { segment: 'retail', gone: null } }],
  ])('with %s is no version, no event and no new check', async (_, patch) => {
    const { id, version } = await approved(ada);
    const events = await harness.events(id);
    const answer = await harness.patch(id, patch);
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.json()).toMatchObject({ version, kycStatus: 'APPROVED' });
    expect(await harness.events(id)).toEqual(events);
  });

  it('repeated changes nothing the second time', async () => {
    const { id } = await harness.create(ada);
    const patch = { email: 'other@example.com', metadata: { a: 'b', note: null } };
    const first = await harness.patch(id, patch);
    const second = await harness.patch(id, patch);
    expect(second.json()).toEqual(first.json());
    expect(second.headers['etag']).toBe('"2"');
  });

  it('is taken as application/json too', async () => {
    const { id } = await harness.create(ada);
    const json = { 'content-type': 'application/json; charset=utf-8' };
    const answer = await harness.patch(id, { email: null }, json);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).not.toHaveProperty('email');
  });

  it('of another media type is a 415, and a merge patch is no body of a POST', async () => {
    const { id } = await harness.create(ada);
    for (const type of ['application/json-patch+json', 'text/plain', 'application/merge-patch']) {
      const answer = await harness.patch(id, {}, { 'content-type': type });
      expect(answer.statusCode, type).toBe(415);
    }
    const latin = await harness.patch(
      id,
      {},
      { 'content-type': 'application/merge-patch+json; charset=latin1' },
    );
    expect(latin.statusCode).toBe(415);
    const post = await harness.app.inject({
      method: 'POST',
      url: '/api/v1/end-users',
      headers: { ...harness.headers, 'content-type': 'application/merge-patch+json' },
      payload: JSON.stringify(ada),
    });
    expect(post.statusCode).toBe(415);
  });

  it('writes no name in the clear, and nothing personal into its event', async () => {
    const { id } = await harness.create(ada);
    const planted = { firstName: 'Planted', taxIds: [{ country: 'DE', number: 'planted-1' }] };
    await harness.patch(id, { individual: planted, metadata: { k: 'planted' } });
    const rows = await harness.rows<{ text: string; personal: Buffer; bodies: string }>(
      `SELECT e::text AS text, personal,
         (SELECT string_agg(body, '') FROM events WHERE resource_id = e.id) AS bodies
       FROM end_users e WHERE id = $1`,
      [id],
    );
    expect(rows[0]?.text).not.toMatch(/planted/i);
    expect(rows[0]?.bodies).not.toMatch(/planted/i);
    expect(rows[0]?.personal.toString('latin1')).not.toMatch(/planted/i);
  });

  it('of an externalId that is taken is a 409, also of many at once', async () => {
    const [first, second] = [await harness.create(ada), await harness.create(ada)];
    await harness.patch(first.id, { externalId: 'taken' });
    const answer = await harness.patch(second.id, { externalId: 'taken', email: null });
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toMatchObject({
      error: 'external_id_taken',
      details: [{ path: '/externalId' }],
    });
    expect((await harness.read(second.id)).json()).toMatchObject({ version: 1, email: ada.email });
    const many = await Promise.all(Array.from({ length: 6 }, () => harness.create(ada)));
    const at = await Promise.all(many.map(({ id }) => harness.patch(id, { externalId: 'race' })));
    expect(at.map(({ statusCode }) => statusCode).sort()).toEqual([200, ...Array(5).fill(409)]);
  });

  it('at once with others: each change is a version with its event, and none is lost', async () => {
    const { id } = await harness.create(ada);
    const names = Array.from({ length: 8 }, (_, index) => `key-${String(index)}`);
    const answers = await Promise.all(
      names.map((name) => harness.patch(id, { metadata: { [name]: 'here' } })),
    );
    expect(new Set(answers.map((answer) => answer.json().version)).size).toBe(8);
    const { metadata, version } = (await harness.read(id)).json();
    expect(version).toBe(9);
    for (const name of names) expect(metadata).toHaveProperty(name);
    expect(await harness.events(id)).toHaveLength(9);
  });
});

const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${String(index)}`, 'v']));

describe('PATCH /end-users/{id} refuses', () => {
  it.each<[string, unknown, string[]]>([
    ['an unknown field', { color: 'red' }, ['/color']],
    ['an unknown field, even to clear it', { color: null }, ['/color']],
    ['the type', { type: 'BUSINESS' }, ['/type']],
    ['what only we write', { status: 'CLOSED', kycStatus: 'APPROVED' }, ['/status', '/kycStatus']],
    ['to clear a name', { individual: { firstName: null } }, ['/individual/firstName']],
    ['to clear who it is', { individual: null }, ['/individual']],
    ['the part of the other type', { business: { legalName: 'S' } }, ['/business']],
    [
      'half an address where there was none',
      { address: { city: 'Berlin' } },
      ['/address/line1', '/address/country'],
    ],
    ['a number for a text', { email: 5 }, ['/email']],
    ['a text that does not fit', { email: 'no-at' }, ['/email']],
    ['31 February', { individual: { dateOfBirth: '1990-02-31' } }, ['/individual/dateOfBirth']],
    ['null in an array', { individual: { taxIds: [null] } }, ['/individual/taxIds/0']],
    [
      'a member cleared inside an array',
      { individual: { taxIds: [{ country: 'DE', number: null }] } },
      ['/individual/taxIds/0/number'],
    ],
    ['51 pairs of metadata', { metadata: many(51) }, ['/metadata']],
    ['metadata that is no text', { metadata: { a: 1 } }, ['/metadata/a']],
    ['an array for the patch', [], ['']],
    ['null for the patch', null, ['']],
    [
      'all problems at once',
      { phone: '030', individual: { dateOfBirth: '1990-02-31' } },
      ['/individual/dateOfBirth', '/phone'],
    ],
  ])('%s: 400 at the field', async (_, patch, paths) => {
    const { address: _address, ...plain } = ada;
    const { id } = await harness.create(plain);
    const answer = await harness.patch(id, patch);
    expect(answer.statusCode, answer.body).toBe(400);
    const { details } = answer.json<{ details: { path: string }[] }>();
    expect(details.map(({ path }) => path).sort()).toEqual([...paths].sort());
    expect((await harness.read(id)).json()).toMatchObject({ version: 1 });
  });

  it('a country that does not exist, by the code of the registry', async () => {
    const { id } = await harness.create(ada);
    for (const patch of [
      { individual: { nationality: 'XX' } },
      { individual: { nationality: 'deutsch' } },
      { address: { country: 'XX' } },
    ]) {
      const answer = await harness.patch(id, patch);
      expect([answer.statusCode, answer.json().error]).toEqual([400, 'unsupported_country']);
    }
  });

  it('a tax number as it was read, stars and all, naming it', async () => {
    const { id } = await harness.create(ada);
    const read = (await harness.read(id)).json();
    const answer = await harness.patch(id, { individual: read.individual });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      error: 'validation_failed',
      details: [{ path: '/individual/taxIds/0/number', code: 'masked_value' }],
    });
    const business = { ...firm.business, persons: [{ ...individual }] };
    const company = await harness.create({ type: 'BUSINESS', business });
    const persons = (await harness.read(company.id)).json().business.persons;
    expect((await harness.patch(company.id, { business: { persons } })).json()).toMatchObject({
      details: [{ path: '/business/persons/0/taxIds/0/number', code: 'masked_value' }],
    });
  });

  it('50 pairs and one more, and takes one more where another goes', async () => {
    const { id } = await harness.create({ ...ada, metadata: many(50) });
    const more = await harness.patch(id, { metadata: { more: 'v' } });
    expect([more.statusCode, more.json().details[0].path]).toEqual([400, '/metadata']);
    const swapped = await harness.patch(id, { metadata: { more: 'v', k0: null } });
    expect(swapped.statusCode).toBe(200);
    const bytes = await harness.patch(id, {
      metadata: Object.fromEntries(
        Array.from({ length: 40 }, (_, index) => [`k${String(index + 1)}`, 'v'.repeat(500)]),
      ),
    });
    expect([bytes.statusCode, bytes.json().details[0].code]).toEqual([400, 'too_large']);
  });

  it('a business without persons, or with twenty-one', async () => {
    const { id } = await harness.create(firm);
    for (const persons of [[], Array.from({ length: 21 }, () => firm.business.persons[0]), null]) {
      const answer = await harness.patch(id, { business: { persons } });
      expect(answer.statusCode).toBe(400);
      expect(answer.json().details[0].path).toBe('/business/persons');
    }
    const role = await harness.patch(id, {
      business: { persons: [{ firstName: 'A', lastName: 'B', role: 'OWNER' }] },
    });
    expect(role.json().details[0].path).toBe('/business/persons/0/role');
  });

  it('anything of a closed end-user: 422', async () => {
    const { id } = await harness.create(ada);
    await harness.shut(id);
    const answer = await harness.patch(id, { email: null });
    expect([answer.statusCode, answer.json().error]).toEqual([422, 'end_user_not_active']);
  });
});

describe('a change of an approved end-user', () => {
  it.each<[string, object, object]>([
    ['a first name', ada, { individual: { firstName: 'Eve' } }],
    ['a last name', ada, { individual: { lastName: 'Other' } }],
    ['only the case of a name', ada, { individual: { lastName: 'SAMPLE' } }],
    ['a blank in a name', ada, { individual: { lastName: 'Sample ' } }],
    ['a birth date', ada, { individual: { dateOfBirth: '1990-03-01' } }],
    ['no birth date any more', ada, { individual: { dateOfBirth: null } }],
    ['a nationality', ada, { individual: { nationality: 'FR' } }],
    ['tax ids', ada, { individual: { taxIds: [{ country: 'DE', number: '00000099999' }] } }],
    ['an address', ada, { address: { city: 'Bonn' } }],
    ['no address any more', ada, { address: null }],
    ['a legal name', firm, { business: { legalName: 'Other GmbH' } }],
    ['a registration number', firm, { business: { registrationNumber: 'HRB 1' } }],
    ['a country of incorporation', firm, { business: { incorporationCountry: 'FR' } }],
    [
      'persons',
      firm,
      { business: { persons: [...firm.business.persons, { firstName: 'B', lastName: 'C' }] } },
    ],
    [
      'the role of a person',
      firm,
      { business: { persons: [{ firstName: 'Ada', lastName: 'Sample' }] } },
    ],
  ])('to %s asks for KYC again', async (_, order, patch) => {
    const { id, version } = await approved(order);
    const answer = await harness.patch(id, patch);
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.json()).toMatchObject({
      kycStatus: 'RESUBMISSION_REQUIRED',
      version: version + 2,
    });
    expect((await harness.events(id)).slice(-2)).toEqual([
      `${String(version + 1)} end_user.updated`,
      `${String(version + 2)} end_user.updated`,
    ]);
    const [check] = await harness.rows<{ status: string; code: string }>(
      `SELECT status, reasons #>> '{0,code}' AS code FROM kyc_checks WHERE end_user_id = $1`,
      [id],
    );
    expect(check).toEqual({ status: 'RESUBMISSION_REQUIRED', code: 'DATA_CHANGED' });
  });

  it.each([
    ['an email address', { email: 'other@example.com' }],
    ['a telephone number', { phone: null }],
    ['an externalId', { externalId: 'quiet' }],
    ['metadata', { metadata: { a: 'b' } }],
  ])('to %s leaves the approval', async (_, patch) => {
    const { id, version } = await approved(ada);
    const answer = await harness.patch(id, patch);
    expect(answer.json()).toMatchObject({ kycStatus: 'APPROVED', version: version + 1 });
  });

  it('lets nothing more be paid: 422 kyc_not_approved', async () => {
    const payer = await harness.addPayer(harness.scope);
    await harness.patch(payer.endUserId, { individual: { lastName: 'Other' } });
    const { endUserId, bankAccountId } = payer;
    const answer = await harness.pay(harness.order({ endUserId, bankAccountId }));
    expect([answer.statusCode, answer.json().error]).toEqual([422, 'kyc_not_approved']);
  });
});
