import * as z from 'zod';
import { SeveralEntities } from '../../src/configuration/load-configuration.ts';
import { Configuration } from '../../src/configuration/schema.ts';
import { Profile, SalesProfile } from '../../src/sales/profile.ts';
import { coveragePage } from './coverage-page.ts';
import { errorsPage } from './errors-page.ts';
import { type Described, keysPage } from './keys-page.ts';
import { reasonsPage } from './reasons-page.ts';

/** The pages that are printed from tables and schemas of the code, and the schemas that editors read, by their paths. */
export const printedPages = (): ReadonlyMap<string, string> =>
  new Map([
    ['docs/reasons.md', reasonsPage()],
    ['docs/errors.md', errorsPage()],
    ['docs/configuration.md', keysPage(CONFIGURATION_HEAD, configurationForm)],
    ['docs/source-profile-keys.md', keysPage(PROFILE_HEAD, profileForm)],
    ['docs/coverage.md', coveragePage()],
    ['docs/tieout.schema.json', schemaText(formOf(SeveralEntities), 'entities', formOf(Configuration))],
    ['docs/source-profile.schema.json', profileSchemaText()],
  ]);

const formOf = (of: z.ZodType) => {
  const { $schema, ...form } = z.toJSONSchema(of, { io: 'input', unrepresentable: 'any' });
  return form;
};

export const configurationForm = formOf(Configuration) as Described;
export const profileForm = formOf(SalesProfile) as Described;

const CONFIGURATION_HEAD = `# Configuration

Every key of \`tieout.yaml\`. It is strict: a key that it does not know is an error. Several entities stand below
\`entities\`, as \`docs/first-books.md\` says; editors read \`docs/tieout.schema.json\`.
`;

const PROFILE_HEAD = `# Keys of a source profile

Every key of a profile that reads sales. \`docs/source-profiles.md\` says how one is made and tried; \`samples/harbor-and-pine/desk.yaml\` is a
whole one. A key that is not here is an error. Editors read \`docs/source-profile.schema.json\`.
`;

/** A schema of two forms: a file with the key has the first, any other the second. */
const schemaText = (withKey: object, key: string, without: object, more: object = {}): string => {
  const forms = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...more,
    if: { required: [key] },
    // biome-ignore lint/suspicious/noThenProperty: it is the keyword of JSON Schema.
    then: withKey,
    else: without,
  };
  return `${JSON.stringify(forms, null, 2)}\n`;
};

const profileSchemaText = (): string => {
  const { $defs, ...form } = formOf(Profile);
  const { description } = SalesProfile.shape.extends;
  return schemaText({ properties: { extends: { type: 'string', description } } }, 'extends', form, { $defs });
};
