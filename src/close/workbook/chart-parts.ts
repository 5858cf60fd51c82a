import { DefectError } from '../../kernel/errors.ts';
import type { Chart } from './chart.ts';
import { chartXml } from './chart-xml.ts';
import { type PlacedSheet, type PlacedTable, tablesOn } from './layout.ts';
import { placeChart } from './place-chart.ts';
import { spreadsheetText, xmlText } from './spreadsheet-text.ts';

/** By which a sheet names its drawing. */
export const DRAWING_RELATION = 'rIdDrawing';

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006';
const CONTENT_TYPE = 'application/vnd.openxmlformats-officedocument';
const TYPES_PATH = '[Content_Types].xml';
/** English metric units of a pixel. */
const PIXEL = 9525;
/** Between a chart and the table beside it. */
const MARGIN = 12 * PIXEL;

/** The files of a package by path. */
export type PackageFiles = ReadonlyMap<string, Buffer>;

/** The files of a package with the charts of its sheets, which exceljs cannot write: a drawing and a chart for each. */
export const withCharts = (files: PackageFiles, placed: readonly PlacedSheet[]): PackageFiles => {
  const all = new Map(files);
  const charted = placed.flatMap((sheet, index) => {
    const charts = tablesOn(sheet).flatMap((table) => {
      const { chart } = table.source.sheet;
      return chart ? [{ table, chart, sheetNumber: index + 1 }] : [];
    });
    if (charts.length > 1) throw new DefectError(`${sheet.sheetName} has more than one chart`);
    return charts;
  });
  for (const [index, { table, chart, sheetNumber }] of charted.entries()) {
    const number = index + 1;
    all.set(`xl/charts/chart${number}.xml`, Buffer.from(chartXml(chart, table)));
    all.set(`xl/drawings/drawing${number}.xml`, Buffer.from(drawingXml(table, chart)));
    const toChart = relation('rId1', 'chart', `../charts/chart${number}.xml`);
    const relations = `${HEAD}<Relationships xmlns="${RELATIONS}">${toChart}</Relationships>`;
    all.set(`xl/drawings/_rels/drawing${number}.xml.rels`, Buffer.from(relations));
    const toDrawing = relation(DRAWING_RELATION, 'drawing', `../drawings/drawing${number}.xml`);
    addTo(all, `xl/worksheets/_rels/sheet${sheetNumber}.xml.rels`, '</Relationships>', toDrawing);
    addTo(
      all,
      TYPES_PATH,
      '</Types>',
      partType('drawings/drawing', number) + partType('charts/chart', number),
    );
  }
  return all;
};

const relation = (id: string, type: string, target: string): string =>
  `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;

const TYPES = { 'drawings/drawing': 'drawing+xml', 'charts/chart': 'drawingml.chart+xml' } as const;

const partType = (part: keyof typeof TYPES, number: number): string =>
  `<Override PartName="/xl/${part}${number}.xml" ContentType="${CONTENT_TYPE}.${TYPES[part]}"/>`;

/** Put something at the end of a file that exceljs wrote; a sheet with a table always has a list of relations. */
const addTo = (files: Map<string, Buffer>, path: string, end: string, addition: string): void => {
  const content = files.get(path)?.toString();
  if (!content?.endsWith(end)) throw new DefectError(`${path} does not end in ${end}`);
  files.set(path, Buffer.from(content.slice(0, -end.length) + addition + end));
};

/** One chart at its place, with its words for those who do not see it: ECMA-376 part 1, clause 20.5. */
const drawingXml = (placed: PlacedTable, chart: Chart): string => {
  const { column, row, width, height } = placeChart(placed, chart);
  return [
    `${HEAD}<xdr:wsDr xmlns:xdr="${DRAWING}/spreadsheetDrawing" xmlns:a="${DRAWING}/main">`,
    `<xdr:oneCellAnchor><xdr:from><xdr:col>${column}</xdr:col><xdr:colOff>${column === 0 ? 0 : MARGIN}</xdr:colOff>`,
    `<xdr:row>${row}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:from>`,
    `<xdr:ext cx="${width * PIXEL}" cy="${height * PIXEL}"/>`,
    '<xdr:graphicFrame macro=""><xdr:nvGraphicFramePr>',
    `<xdr:cNvPr id="2" name="${written(chart.title)}" descr="${written(chart.description)}"/>`,
    '<xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr>',
    '<xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm>',
    `<a:graphic><a:graphicData uri="${DRAWING}/chart">`,
    `<c:chart xmlns:c="${DRAWING}/chart" xmlns:r="${OFFICE}" r:id="rId1"/>`,
    '</a:graphicData></a:graphic></xdr:graphicFrame><xdr:clientData/></xdr:oneCellAnchor></xdr:wsDr>',
  ].join('');
};

const written = (text: string): string => xmlText(spreadsheetText(text));
