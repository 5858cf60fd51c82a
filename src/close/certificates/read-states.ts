import { usRegionCode } from '../../kernel/us-regions.ts';

const EVERY = new Set(['all', 'all states', 'us', 'usa', 'united states']);

/** Uniform forms of many states. A form says nothing by its name: it holds where the buyer claimed it. */
const FORMS = new Set([
  'sst',
  'ssuta',
  'streamlined',
  'mtc',
  'multistate',
  'multi-state',
  'multijurisdiction',
  'uniform',
]);

/** The states that a cell names by code or name, between commas, semicolons, bars or blanks; or what is wrong. */
export const readStates = (
  text: string,
): { readonly states: readonly string[] | 'all' } | { readonly problem: string } => {
  if (text === '') return { problem: 'is blank: name the states, or write "all"' };
  if (EVERY.has(text.toLowerCase())) return { states: 'all' };
  const codes = new Set<string>();
  for (const part of text.split(/[,;|/\n]/).map((piece) => piece.trim())) {
    if (part === '') continue;
    const found = codesOf(part);
    if (found === undefined) return { problem: problemOf(part) };
    for (const code of found) codes.add(code);
  }
  if (codes.size === 0) return { problem: 'names no state' };
  return { states: [...codes].sort() };
};

/** One state, or several with blanks between their codes. */
const codesOf = (part: string): readonly string[] | undefined => {
  const whole = usRegionCode(part);
  if (whole !== undefined) return [whole];
  const codes = part.split(/\s+/).map(usRegionCode);
  return codes.every((code) => code !== undefined) ? codes : undefined;
};

const problemOf = (part: string): string =>
  FORMS.has(part.toLowerCase())
    ? `names a form, "${part}", which holds in the states that the buyer wrote on it: list them`
    : `has "${part}", which is not a state of the United States`;
