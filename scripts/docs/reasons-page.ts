import { CODES } from '../../src/judge/finding.ts';
import { partOf, REASONS, type ReasonCode } from '../../src/judge/reason.ts';
import { compareText } from '../../src/kernel/text.ts';
import { code, tableLines } from './markdown.ts';

const HEAD = `# Reasons and findings

Collected minus expected is explained to the cent, sale by sale; \`docs/tax-manager.md\` says how. Each cent has one of the reasons below. The books,
the page and \`--json\` name them by their codes, which never change. In brackets: whether it is the seller's, a gap of the tax content, or unexplained.

## Reasons of a variance
`;

const BETWEEN = `
## Findings about records and files

A finding names what a person should see. The sheet Exceptions lists them; those to decide are open until they are answered
in \`decisions.csv\` (\`docs/tax-manager.md\`).
`;

/** The page with every reason and every finding: its name, what it means, and what to do. */
export const reasonsPage = (): string => {
  const reasons = Object.entries(REASONS).map(([name, reason]) =>
    [
      `### ${name} ${reason.name}`,
      `${reason.meaning} (${partOf(name as ReasonCode)})`,
      `To do: ${reason.todo}`,
    ].join('\n\n'),
  );
  const findings = Object.entries(CODES)
    .filter(([name]) => !(name in REASONS))
    .sort(([left], [right]) => compareText(left, right))
    .map(([name, finding]) => [code(name), finding.name, finding.todo]);
  const table = tableLines([['Code', 'Name', 'To do'], ...findings]);
  return `${[HEAD, reasons.join('\n\n'), BETWEEN, table.join('\n')].join('\n')}\n`;
};
