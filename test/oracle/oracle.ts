import { compareTexts, differencesText } from './compare-texts.ts';
import { keepTexts, keptTexts } from './golden.ts';
import type { Texts } from './pack-texts.ts';
import { filedQuarter } from './scenarios/filed-quarter.ts';
import { sampleMonth } from './scenarios/sample-month.ts';
import { threeMonths } from './scenarios/three-months.ts';
import { ways } from './scenarios/ways.ts';

const SCENARIOS: Readonly<Record<string, () => Promise<Texts>>> = {
  'sample-month': sampleMonth,
  'three-months': threeMonths,
  'filed-quarter': filedQuarter,
  ways,
};

const print = (text: string) => process.stdout.write(text);

const words = process.argv.slice(2);
const isAccepting = words.includes('--accept');
const named = words.filter((word) => word !== '--accept');
const unknown = named.filter((name) => !(name in SCENARIOS));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no scenario ${unknown.join(', ')}. There are ${Object.keys(SCENARIOS).join(', ')}.\n`,
  );
  process.exit(2);
}

const wanted = Object.entries(SCENARIOS).filter(([name]) => named.length === 0 || named.includes(name));
const judged = await Promise.all(
  wanted.map(async ([name, run]) => {
    const start = performance.now();
    const kept = await keptTexts(name);
    const texts = await run();
    const differing = compareTexts(kept, texts);
    if (isAccepting) await keepTexts(name, texts);
    const files = new Set([...kept.keys(), ...texts.keys()]).size;
    return { name, files, differing, seconds: (performance.now() - start) / 1000 };
  }),
);
for (const { name, differing } of judged) print(differencesText(name, differing));
for (const { name, files, differing, seconds } of judged)
  print(`${name}: ${files} files compared, ${differing.length} differ (${seconds.toFixed(0)} s)\n`);
const differ = judged.some(({ differing }) => differing.length > 0);
if (differ && isAccepting)
  print('Accepted. Review the changes of test/oracle/golden before you commit them.\n');
process.exitCode = differ && !isAccepting ? 1 : 0;
