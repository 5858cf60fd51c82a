import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSample } from './generator/build-sample.ts';

/** Writes the sample's files beside this one, or into the folder that is given; the bytes are always the same. */
const folder = process.argv[2] ?? import.meta.dirname;
for (const [name, text] of buildSample()) writeFileSync(join(folder, name), text);
