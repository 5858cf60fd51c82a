import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tieout } from '../support/tieout.ts';
import { tableLines } from './markdown.ts';

const DATA = new URL('../../src/service/content/data/', import.meta.url);
const { date } = JSON.parse(readFileSync(new URL('manifest.json', DATA), 'utf8')) as { date: string };

const HEAD = `# What is known of each state

The local rates of the tax content of ${date}, and the return as of that day. \`tieout content status\` and \`tieout returns\` say it of the content
and the day at hand; \`docs/content.md\` says how official rate files are taken in, \`docs/returns.md\` how a return is added. Where local rates
are not complete, a sale in a place that is missing is taxed with what is known of its county and state, and flagged. "Not verified" are lines of a
return that no source showed: they are filled in, and named in its notes. This list is made from the data: \`npm test -- -u test/docs\` writes it
again.
`;

type Return = {
  readonly state: string;
  readonly of: string;
  readonly form: string;
  readonly due: string;
  readonly lines: readonly { readonly on_the_form: 'verified' | 'not verified' | 'working' }[];
};

const row = async (line: string): Promise<readonly string[]> => {
  const [state = '', coverage = '', seen = '', note = ''] = line.split('\t');
  const { stdout } = await tieout(['returns', state, '--on', date, '--json']);
  const { returns: known } = JSON.parse(stdout) as { returns: readonly Return[] };
  const ofState = known.filter(({ of }) => of !== 'place');
  const returns = ofState.map(({ state: of, form, lines, due }) => {
    const notVerified = lines.filter((each) => each.on_the_form === 'not verified').length;
    const doubt =
      of === '*' ? '' : notVerified > 0 ? `, ${notVerified} of ${lines.length} lines not verified` : '';
    return [`${of === '*' ? 'general' : form}${doubt}`, due] as const;
  });
  const dues = [...new Set(returns.map(([, due]) => due))];
  const filed =
    coverage === 'none' ? ['none', ''] : [returns.map(([name]) => name).join('; '), dues.join('; ')];
  return [state, coverage, seen, note, ...filed];
};

test('docs/coverage.md says of every state what is known and what is not (npm test -- -u writes it again)', async () => {
  const [, ...states] = readFileSync(new URL('coverage.tsv', DATA), 'utf8').trimEnd().split('\n');
  const rows = await Promise.all(states.map(row));
  expect(rows).toHaveLength(52);
  const table = tableLines([['State', 'Local rates', 'Seen', 'What that is', 'Return', 'Due'], ...rows]);
  await expect(`${HEAD}\n${table.join('\n')}\n`).toMatchFileSnapshot('../../docs/coverage.md');
});
