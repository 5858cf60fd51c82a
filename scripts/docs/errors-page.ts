import { ERRORS, type ErrorCode } from '../../src/kernel/error-codes.ts';
import { exitCodeOf, TieoutError } from '../../src/kernel/errors.ts';
import { tableLines } from './markdown.ts';

const HEAD = `# Errors

Every message names the place and the rule, and the sentence behind it the next step. The exit code says what kind of step that is.
`;

const EXIT_CODES: readonly (readonly string[])[] = [
  ['exit code', 'means'],
  ['0', 'closed, and nothing the policy forbids is open'],
  [
    '1',
    'something is open: read the sheet Exceptions; or a proof does not hold; or a plan is over its limit',
  ],
  ['2', 'the command was used wrongly'],
  ['65', 'input stopped the run: repair the input'],
  [
    '69',
    'something outside is unavailable: if the message names a disk, space or memory, see to it first; run again later, the run continues where it stopped',
  ],
  ['70', 'a defect of Tieout: report it'],
  [
    '75',
    'another run is active, or a database or a content folder is in use: with E_RUN_LOCKED nothing; otherwise run the same command again',
  ],
  ['78', 'configuration: correct it'],
];

/** The page with every error code, its exit code and what it means. */
export const errorsPage = (): string => {
  const rows = Object.values(ERRORS)
    .flatMap((codes) => Object.entries(codes) as [ErrorCode, string][])
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([code, meaning]) => {
      const exit = exitCodeOf(new TieoutError({ code, message: '', nextStep: '' }));
      return [code, String(exit), meaning];
    });
  const codes = tableLines([['code', 'exit', 'what it means'], ...rows]);
  return `${[HEAD, ...tableLines(EXIT_CODES), '', ...codes].join('\n')}\n`;
};
