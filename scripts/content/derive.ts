import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { deriveCountries } from './derive-countries.ts';
import { derivePlaces } from './derive-places.ts';
import { deriveRates } from './derive-rates.ts';
import { deriveStates } from './derive-states.ts';

/**
 * `node scripts/content/derive.ts FACTS CONTENT`: derive the tables of the default content from a folder of fact
 * tables. `docs/content.md` describes both sides, and names the tables that are kept by hand: they stay as they are, and so
 * do the sources of their rows.
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
  ...deriveCountries(facts),
};
const SOURCES = 'sources.tsv';
const kept = readFileSync(join(resolve(content), SOURCES), 'utf8')
  .split('\n')
  .slice(1, -1);
const derived = new Set((tables[SOURCES] ?? '').split('\n').map((line) => line.split('\t')[0]));
const own = kept.filter((line) => !derived.has(line.split('\t')[0]));
tables[SOURCES] += own.map((line) => `${line}\n`).join('');

for (const [name, text] of Object.entries(tables)) {
  writeFileSync(join(resolve(content), name), text);
  process.stdout.write(`${name}: ${text.split('\n').length - 2} rows, ${text.length} bytes\n`);
}
