import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { deriveCountries } from './derive-countries.ts';
import { deriveHolidays } from './derive-holidays.ts';
import { derivePlaces } from './derive-places.ts';
import { deriveRates } from './derive-rates.ts';
import { deriveStates } from './derive-states.ts';
import { deriveTaxability } from './derive-taxability.ts';

/**
 * `node scripts/content/derive.ts FACTS CONTENT`: derive the tables of the default content from a folder of fact
 * tables. `docs/content.md` describes both sides. Hand-kept tables (categories, countries, manifest) stay as they are.
 */
const [facts, content] = process.argv.slice(2);
if (facts === undefined || content === undefined) {
  process.stderr.write('usage: node scripts/content/derive.ts FACTS CONTENT\n');
  process.exit(2);
}
const tables: Record<string, string> = {
  ...deriveStates(facts),
  ...deriveRates(facts),
  ...derivePlaces(facts),
  ...deriveTaxability(facts),
  ...deriveHolidays(facts),
  ...deriveCountries(facts),
};
for (const [name, text] of Object.entries(tables)) {
  writeFileSync(join(resolve(content), name), text);
  process.stdout.write(`${name}: ${text.split('\n').length - 2} rows, ${text.length} bytes\n`);
}
