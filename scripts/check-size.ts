// Holds the size of the project to the ceilings of size.json, which only fall. Run it in the checkout: `npm run check:size`.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type Figures, measureSize } from './measure-size.ts';

/** `raised` allows commands, keys and sheets that an issue asks for; each with the number of that issue. */
type Ceilings = {
  readonly ceilings: Figures;
  readonly raised: readonly { readonly what: string; readonly by: number; readonly issue: number }[];
};

const CEILINGS = 'size.json';
/** A ceiling that lies further above its figure than this share has to follow it. */
const SLACK = 0.02;
const MAY_BE_RAISED = ['commands', 'configuration keys', 'sheets'];

const now: Ceilings = JSON.parse(readFileSync(CEILINGS, 'utf8'));
const figures = await measureSize(process.cwd());
const past = earlierCeilings();
const problems = [...problemsOf(now), ...Object.keys(figures).flatMap(problemsOfFigure)];

for (const [name, figure] of Object.entries(figures))
  process.stdout.write(`${name.padEnd(22)} ${shown(figure)} of ${shown(now.ceilings[name] ?? Number.NaN)}\n`);
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;

function problemsOf(file: Ceilings): string[] {
  const unknown = Object.keys(file.ceilings).filter((name) => figures[name] === undefined);
  const raises = file.raised.filter((raise) => !MAY_BE_RAISED.includes(raise.what) || !(raise.issue > 0));
  return [
    ...(past.length === 0
      ? [`${CEILINGS} has no history here: fetch all of it (git fetch --unshallow)`]
      : []),
    ...unknown.map((name) => `${CEILINGS}: "${name}" is not measured; remove it`),
    ...raises.map((raise) => `${CEILINGS}: "${raise.what}" may not be raised, or names no issue`),
  ];
}

function problemsOfFigure(name: string): string[] {
  const figure = figures[name] ?? Number.NaN;
  const ceiling = now.ceilings[name];
  if (ceiling === undefined) return [`${CEILINGS} has no ceiling for "${name}": add ${figure}`];
  const lowest = Math.min(...past.map((file) => unraised(file, name)));
  const found: string[] = [];
  if (figure > ceiling) found.push(`${name}: ${figure} is above its ceiling, ${ceiling}: remove something`);
  if (figure < ceiling * (1 - SLACK) && !name.endsWith('tokens a line'))
    found.push(`${name}: ${figure} is 2 % below its ceiling, ${ceiling}: lower it to ${figure}`);
  if (unraised(now, name) > lowest)
    found.push(`${name}: its ceiling was ${lowest} before and is ${ceiling} now: ceilings only fall`);
  return found;
}

/** The ceiling without what issues allowed on top; no bound where the file has none. */
function unraised(file: Ceilings, name: string): number {
  const raises = file.raised.filter((raise) => raise.what === name).reduce((sum, raise) => sum + raise.by, 0);
  return (file.ceilings[name] ?? Number.POSITIVE_INFINITY) - raises;
}

function earlierCeilings(): Ceilings[] {
  const git = (...words: string[]) => execFileSync('git', words, { encoding: 'utf8' });
  const commits = git('log', '--format=%H', '--diff-filter=AM', '--', CEILINGS).split('\n');
  return commits
    .filter((commit) => commit !== '')
    .map((commit) => JSON.parse(git('show', `${commit}:${CEILINGS}`)));
}

function shown(figure: number): string {
  return figure.toLocaleString('en-US').padStart(8);
}
