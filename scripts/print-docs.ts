// Prints the pages that say what tables and schemas of the code have: `npm run docs`.
import { writeFileSync } from 'node:fs';
import { printedPages } from './docs/printed-pages.ts';

for (const [path, text] of printedPages()) {
  const place = new URL(`../${path}`, import.meta.url);
  writeFileSync(place, text);
}
