import { expect, test } from 'vitest';
import * as z from 'zod';
import { Profile, SalesProfile } from '../../src/close/sales/profile.ts';
import { type Described, sourceProfilePage } from './source-profile-page.ts';

const schemaOf = (of: z.ZodType) => z.toJSONSchema(of, { io: 'input', unrepresentable: 'any' });

test('docs/source-profile.schema.json is the schema of a profile, for editors (npm test -- -u writes it again)', async () => {
  const { $schema, $defs, ...form } = schemaOf(Profile);
  const schema = {
    $schema,
    $defs,
    if: { required: ['extends'] },
    // biome-ignore lint/suspicious/noThenProperty: it is the keyword of JSON Schema.
    then: {
      properties: { extends: { type: 'string', description: SalesProfile.shape.extends.description } },
    },
    else: form,
  };
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(
    '../../docs/source-profile.schema.json',
  );
});

test('docs/source-profile-keys.md says of every key what it means, what it takes and what it is when left out', async () => {
  const schema = schemaOf(SalesProfile) as Described;
  expect(undescribed('', schema)).toEqual([]);
  await expect(sourceProfilePage(schema)).toMatchFileSnapshot('../../docs/source-profile-keys.md');
});

/** The places of keys that say nothing of themselves; of one form among several the form speaks. */
const undescribed = (place: string, { properties, items, oneOf }: Described): readonly string[] => [
  ...Object.entries(properties ?? {}).flatMap(([key, value]) => [
    ...(value.description === undefined ? [`${place}${key}`] : []),
    ...undescribed(`${place}${key}.`, value),
  ]),
  ...(items ? undescribed(place, items) : []),
  ...(oneOf ?? []).flatMap((form) => undescribed(place, form)),
];
