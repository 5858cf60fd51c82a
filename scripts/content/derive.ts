import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { derivePlaces } from './derive-places.ts';

/**
 * `node scripts/content/derive.ts FACTS CONTENT`: derive the tables of ZIPs, counties and places of the default content
 * from a folder of fact tables. `docs/content.md` describes both sides.
 */
const [facts, content] = process.argv.slice(2);
if (facts === undefined || content === undefined) {
  process.stderr.write('usage: node scripts/content/derive.ts FACTS CONTENT\n');
  process.exit(2);
}
for (const [name, text] of Object.entries(derivePlaces(facts))) {
  writeFileSync(join(resolve(content), name), text);
  process.stdout.write(`${name}: ${text.split('\n').length - 2} rows, ${text.length} bytes\n`);
}
