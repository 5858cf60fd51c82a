import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { calendarDate } from '../../src/kernel/calendar.ts';
import { openContentFolder } from '../../src/service/content/content-folder.ts';
import { isOfficial } from '../../src/service/content/dated.ts';
import { planImport } from '../../src/service/content/import/plan-import.ts';
import { beginOf, endOf } from '../../src/service/content/import/row-days.ts';
import { dayAfter, dayBefore, knownRates } from '../../src/service/content/import/state-rows.ts';
import {
  COLUMNS,
  LOCAL_RATES,
  readRows,
  rowsText,
  type TextRow,
} from '../../src/service/content/import/table-rows.ts';
import { loadWholeContent } from '../../src/service/content/load-content.ts';
import type { TaxContent } from '../../src/service/content/tax-content.ts';
import {
  type Claim,
  type Claims,
  CORRECTIONS,
  foundClaims,
  type LeftOut,
  structures,
  taxlocusClaims,
} from './local-claims.ts';
import { tableText } from './table-text.ts';

/**
 * `node scripts/content/local-rates.ts FACTS CONTENT`: take the local rates of found-2026 and TaxLocus into a content, as
 * neutral files: official rates before secondary ones, and counties before the cities whose totals stand on them.
 */
const [facts, folder] = process.argv.slice(2);
if (facts === undefined || folder === undefined) {
  process.stderr.write('usage: node scripts/content/local-rates.ts FACTS CONTENT\n');
  process.exit(2);
}

const UNIT = 10_000_000;
const textOf = (rate: number): string => String(Math.round(rate * UNIT) / UNIT);
const leftOut: LeftOut[] = [];

/** The day on which a claim is compared with the content: the first that is known of it. */
const dayOf = ({ from, to, seen }: Claim): string => (from > seen || to !== '' ? from || seen : seen) || seen;

/** Take from the total of a city what the content has of its county, and of its districts where the total has them, too. */
const partOf = (content: TaxContent, claim: Claim, county: string): number => {
  const state = content.states.get(claim.state);
  if (claim.above === '' || claim.above === 'part' || !state || claim.rate === 0) return claim.rate;
  const levels = claim.above === 'above-all' ? ['county', 'special'] : ['county'];
  // The total of a county itself has its districts in it alone.
  if (claim.level === 'county') levels.shift();
  const others = knownRates(state, { county, name: claim.name }, calendarDate(dayOf(claim)));
  const sum = others
    .filter(({ level }) => levels.includes(level))
    .reduce((total, { rate }) => total + rate / UNIT, 0);
  return Math.round((claim.rate - sum) * UNIT) / UNIT;
};

/**
 * The claim by county: with the part that each county leaves of a total, or with one part for all. Which county a total is
 * for is not said: that of a place in counties of different rates is taken for the one with most of its ZIPs, and is weak.
 */
const byPart = (content: TaxContent, claim: Claim): readonly Claim[] => {
  const parts = claim.counties.map((county) => ({
    ...claim,
    counties: [county],
    rate: partOf(content, claim, county),
  }));
  if (claim.above === 'total') return parts;
  const [main] = parts;
  if (main && parts.every(({ rate }) => rate === main.rate)) return [{ ...main, counties: claim.counties }];
  return main ? [{ ...main, confidence: 'weak' }] : [];
};

/** Claims of one tax that follow each other with the same part are one: what changed was another part of the total. */
const merged = (claims: readonly Claim[]): readonly Claim[] => {
  const kept: Claim[] = [];
  for (const claim of claims) {
    const last = kept.at(-1);
    const follows = last && last.to !== '' && claim.from === dayAfter(last.to) && last.code === claim.code;
    if (follows && last.rate === claim.rate && last.counties.join() === claim.counties.join())
      kept[kept.length - 1] = { ...last, to: claim.to };
    else kept.push(claim);
  }
  return kept;
};

const isSameTax = (row: TextRow, { state, level, code, counties }: Claim): boolean =>
  row['state'] === state &&
  row['level'] === level &&
  row['code'] === code &&
  row['tax'] === 'general' &&
  counties.some((county) => (row['counties'] ?? '').split(' ').includes(county));

const REPLACED = 'replaced: a secondary rate of the content';

const isAt = (row: TextRow, day: string): boolean => beginOf(row) <= day && day <= endOf(row);

/** The rows that a claim brings beside those that the content has of its tax. */
const rowsFor = (claim: Claim, existing: readonly TextRow[], until: string): readonly TextRow[] => {
  const { state, level, code, counties, scope, seen, source, confidence, to } = claim;
  const rate = textOf(claim.rate);
  const here = existing.filter((row) => isSameTax(row, claim));
  const row: TextRow = {
    state,
    level,
    code,
    scope,
    rate,
    to,
    seen,
    source,
    confidence,
    name: here[0]?.['name'] ?? claim.name,
    counties: counties.join(' '),
    places: scope === 'place' ? claim.name : '',
    from: claim.from,
  };
  const known = here.find((each) => isAt(each, dayOf(claim)));
  if (known && confidence === 'weak' && claim.from === '') return [];
  if (!known) return claim.from === '' && here.length > 0 ? [] : [row];
  const isSame = textOf(Number(known['rate'])) === rate;
  const knownSeen = known['seen'] ?? '';
  const isKnownOfficial = isOfficial({ confidence: known['confidence'] ?? '' });
  const isChange = claim.from > beginOf(known) && claim.from > knownSeen;
  if (isOfficial({ confidence }) && !isKnownOfficial) {
    if (!isSame && !isChange)
      leftOut.push({ state, why: REPLACED, what: `${claim.name} ${known['rate']}, now ${rate}` });
    const since = isSame && knownSeen !== '' && knownSeen < seen ? knownSeen : seen;
    return [{ ...row, from: claim.from || beginOf(known), to: to || (known['to'] ?? ''), seen: since }];
  }
  // The table of the state ends before the claim was seen, which shows that its rate still holds.
  if (isSame && knownSeen <= until && until < seen && to === '')
    return [{ ...known, from: seen, to: '', seen, source: `${known['source']} ${source}` }];
  if (isSame && (isKnownOfficial || beginOf(known) !== '' || (knownSeen !== '' && knownSeen <= seen)))
    return [];
  if (isSame) return [{ ...row, confidence: 'secondary-2', source: `${known['source']} ${source}` }];
  const differs = (why: string) =>
    leftOut.push({ state, why, what: `${claim.name} ${rate}, and ${known['rate']} stays` });
  if (isChange) return [row];
  if (isKnownOfficial && !isOfficial({ confidence }) && knownSeen >= dayOf(claim)) {
    differs('differs from an official rate of the same day');
    return [];
  }
  if (knownSeen !== '' && knownSeen < seen && claim.to === '' && claim.from === '') {
    // Both are right of their day, and the day between them is not known.
    const gap = { ...row, from: dayAfter(knownSeen), to: dayBefore(seen), confidence: 'weak' };
    return gap.from <= gap.to ? [gap, { ...row, from: seen }] : [{ ...row, from: seen }];
  }
  leftOut.push({ state, why: REPLACED, what: `${claim.name} ${known['rate']}, now ${rate}` });
  return [{ ...row, from: claim.from || beginOf(known) }];
};

/** In Nebraska a county taxes only outside of the cities that tax themselves. */
const outsideTaxed = (rows: readonly TextRow[], claims: readonly Claim[]): readonly TextRow[] => {
  const outside = new Set(
    structures()
      .filter(({ counties }) => counties === 'outside-taxed-cities')
      .map(({ state }) => state),
  );
  return rows.map((row) => {
    if (row['level'] !== 'county' || !outside.has(row['state'] ?? '')) return row;
    const cities = claims.filter(
      ({ state, level, counties }) =>
        level === 'city' && state === row['state'] && counties.includes(row['counties'] ?? ''),
    );
    return { ...row, except_places: [...new Set(cities.map(({ name }) => name))].join(';') };
  });
};

const columns = COLUMNS[LOCAL_RATES] ?? [];

const idOf = ({ state, level, code }: Claim): string => `${state} ${level} ${code}`;

/** The official claims: a correction stands for an undated one, and a change of TaxLocus to the same rate gives it its day. */
const officialClaims = (content: TaxContent): Claims => {
  const found = foundClaims(facts, content);
  const changes = Map.groupBy(
    taxlocusClaims(facts, content).claims.filter(({ from }) => from !== ''),
    idOf,
  );
  return {
    leftOut: found.leftOut,
    claims: found.claims.flatMap((claim) => {
      if (claim.source === CORRECTIONS || claim.above !== '') return [claim];
      if (
        found.claims.some(
          (other) => other !== claim && other.source === CORRECTIONS && idOf(other) === idOf(claim),
        )
      )
        return [];
      const change = (changes.get(idOf(claim)) ?? []).find(({ rate }) => rate === claim.rate);
      return [claim.from === '' && change ? { ...claim, from: change.from } : claim];
    }),
  };
};

for (const read of [officialClaims, (content: TaxContent) => taxlocusClaims(facts, content)])
  for (const level of ['county', 'city'] as const) {
    const content = loadWholeContent(resolve(folder));
    const all = read(content);
    if (level === 'city') leftOut.push(...all.leftOut);
    const existing = readRows(openContentFolder(folder), LOCAL_RATES);
    const claims = merged(
      all.claims.filter((claim) => claim.level === level).flatMap((claim) => byPart(content, claim)),
    );
    const kept = claims.filter((claim) => {
      if (claim.rate < 0)
        leftOut.push({ state: claim.state, why: 'a total below that of its county', what: claim.name });
      else if (claim.rate === 0 && claim.above !== '')
        return isOfficial(claim) || claim.confidence === 'weak';
      return claim.rate >= 0;
    });
    const rows = outsideTaxed(
      kept.flatMap((claim) => rowsFor(claim, existing, content.states.get(claim.state)?.coveredUntil ?? '')),
      all.claims,
    );
    if (rows.length === 0) continue;
    const path = join(folder, '..', 'neutral.csv');
    writeFileSync(
      path,
      stringify(
        rows.map((row) => columns.map((column) => row[column] ?? '')),
        { header: true, columns: [...columns] },
      ),
    );
    const plan = await planImport(path, resolve(folder), {});
    for (const [table, written] of plan.tables) writeFileSync(join(folder, table), rowsText(table, written));
    process.stdout.write(
      `${read.name} ${level}: ${rows.length} rows; ${plan.warnings.length} warnings\n${plan.warnings.slice(0, 20).join('\n')}\n`,
    );
    rmSync(path);
  }

const groups = Map.groupBy(
  new Map(leftOut.map((each) => [`${each.state} ${each.why} ${each.what}`, each])).values(),
  ({ state, why }) => `${state}\t${why}`,
);
const table = [...groups]
  .sort()
  .map(([key, rows]) => [
    ...key.split('\t'),
    rows.length,
    /not a place|differs|total below|replaced|disputed|correction/.test(key)
      ? rows.map(({ what }) => what).join('; ')
      : '',
  ]);
writeFileSync(new URL('left-out.tsv', import.meta.url), tableText(['state', 'why', 'rows', 'which'], table));
