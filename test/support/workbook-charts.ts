import { readFile } from 'node:fs/promises';
import { readPackage } from './read-package.ts';
import { storedCells } from './stored-cells.ts';

type Value = string | number | boolean | undefined;

/** A range of cells that a chart refers to: what the chart has kept of it, and what the cells hold. */
export type ChartReference = {
  readonly range: string;
  readonly kept: readonly Value[];
  readonly held: readonly Value[];
};

export type WorkbookChart = {
  /** As those read it who do not see the chart. */
  readonly title: string;
  readonly description: string;
  readonly xml: string;
  readonly references: readonly ChartReference[];
};

/** The charts of a workbook, found as a program finds them: from sheet to drawing to chart. */
export const workbookCharts = async (path: string): Promise<readonly WorkbookChart[]> => {
  const files = await readPackage(await readFile(path));
  const text = (name: string): string => files.get(name)?.toString() ?? '';
  const held = new Map((await storedCells(path)).map(({ place, value }) => [place, value]));
  const sheets = [...files.keys()].filter((name) => /^xl\/worksheets\/sheet\d+\.xml$/.test(name));
  return sheets.flatMap((sheet) =>
    targetsOf(sheet, 'drawing', text).flatMap((drawing) => {
      const [, title = '', description = ''] = /name="([^"]*)" descr="([^"]*)"/.exec(text(drawing)) ?? [];
      return targetsOf(drawing, 'chart', text).map((chart): WorkbookChart => {
        const xml = text(chart);
        return { title, description, xml, references: referencesIn(xml, held) };
      });
    }),
  );
};

/** What a part refers to by relations of a type, wherever the part itself names the relation. */
const targetsOf = (part: string, type: string, text: (name: string) => string): readonly string[] => {
  const [, folder = '', name = ''] = /^(.*)\/([^/]+)$/.exec(part) ?? [];
  return [...text(`${folder}/_rels/${name}.rels`).matchAll(/<Relationship [^>]*>/g)].flatMap(([relation]) => {
    const of = (key: string): string => new RegExp(`${key}="([^"]*)"`).exec(relation)?.[1] ?? '';
    const isNamed = text(part).includes(`r:id="${of('Id')}"`);
    if (!of('Type').endsWith(`/relationships/${type}`) || !isNamed) return [];
    return [of('Target').replace('../', 'xl/').replace(/^\//, '')];
  });
};

const referencesIn = (xml: string, held: ReadonlyMap<string, Value>): readonly ChartReference[] =>
  [...xml.matchAll(/<c:(num|str)Ref>.*?<c:f>([^<]*)<\/c:f>(.*?)<\/c:\1Ref>/gs)].map(
    ([, type, range = '', cache = '']) => {
      const kept = [...cache.matchAll(/<c:v>([^<]*)<\/c:v>/g)].map(([, value]) =>
        type === 'num' ? Number(value) : value,
      );
      return { range, kept, held: placesOf(range).map((place) => held.get(place)) };
    },
  );

/** `'By state'!$C$7:$C$9` as its cells. */
const placesOf = (range: string): readonly string[] => {
  const [, sheet = '', column = '', first = '', last = first] =
    /^'?(.*?)'?!\$([A-Z]+)\$(\d+)(?::\$[A-Z]+\$(\d+))?$/.exec(range) ?? [];
  const count = Number(last) - Number(first) + 1;
  return Array.from({ length: count }, (_, index) => `${sheet}!${column}${Number(first) + index}`);
};
