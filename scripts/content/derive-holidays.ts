import { readFactTree } from './fact-file.ts';
import { type Cell, tableText } from './table-text.ts';

type Holiday = {
  readonly from: string;
  readonly to: string;
  readonly categories: readonly string[];
  readonly cap_per_item: string | null;
  readonly source_keys: readonly string[];
  readonly confidence: string;
  readonly conflict?: boolean;
};

/** Our categories for the words of the holidays; `none` is goods without a category. Other words have none. */
const CODES: Readonly<Record<string, string>> = {
  clothing: '20010',
  books: '81100',
  all: 'none 20010 20041 40020 81100 81110 81120 81310',
};

/** States in which localities decide themselves whether they take part. */
const LOCAL_DECIDES: ReadonlySet<string> = new Set(['AL']);

/** Days on which a state exempts some goods below a price. Windows that sources disagree on are switched off. */
export const deriveHolidays = (folder: string): Record<string, string> => {
  const tree = readFactTree(folder, 'states.json') as {
    states: Readonly<Record<string, { readonly sales_tax_holidays_2026?: readonly Holiday[] }>>;
  };
  const rows: Cell[][] = [];
  for (const [state, { sales_tax_holidays_2026: holidays = [] }] of Object.entries(tree.states)) {
    for (const holiday of holidays) {
      const codes = holiday.categories.map((word) => CODES[word]).filter((code) => code !== undefined);
      if (codes.length === 0) continue;
      rows.push([
        state,
        codes.join(' '),
        holiday.cap_per_item,
        LOCAL_DECIDES.has(state) ? 'unknown' : 'follow',
        holiday.conflict ? 'off' : 'on',
        holiday.from,
        holiday.to,
        holiday.source_keys.join(' '),
        holiday.confidence,
      ]);
    }
  }
  const header = ['state', 'codes', 'below', 'local', 'switch', 'from', 'to', 'source', 'confidence'];
  return { 'holidays.tsv': tableText(header, rows) };
};
