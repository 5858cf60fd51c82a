import { DefectError } from '../../kernel/errors.ts';
import { shownValue } from './cell.ts';
import type { Chart, ChartSeries } from './chart.ts';
import { type Format, ruleOf } from './format.ts';
import { type PlacedSheet, type PlacedTable, tablesOn } from './layout.ts';
import { placeChart } from './place-chart.ts';
import { columnLetter, quotedSheetName } from './spreadsheet-name.ts';
import { spreadsheetText, xmlText } from './spreadsheet-text.ts';

/** The relation ID under which a sheet refers to its drawing. */
export const DRAWING_RELATION = 'rIdDrawing';

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006';

const CONTENT_TYPE = 'application/vnd.openxmlformats-officedocument';

const TYPES_PATH = '[Content_Types].xml';

/** English metric units (EMU) per pixel. */
const PIXEL = 9525;

/** Space between a chart and the table beside it. */
const MARGIN = 12 * PIXEL;

/** The files of a package by path. */
export type PackageFiles = ReadonlyMap<string, Buffer>;

/** Adds the sheets' charts, which exceljs cannot write, to the files of a package: a drawing and a chart part each. */
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

/**
 * Inserts XML before the closing tag of a file that exceljs wrote. A sheet with a table always has a relations file.
 */
const addTo = (files: Map<string, Buffer>, path: string, end: string, addition: string): void => {
  const content = files.get(path)?.toString();
  if (!content?.endsWith(end)) throw new DefectError(`${path} does not end in ${end}`);
  files.set(path, Buffer.from(content.slice(0, -end.length) + addition + end));
};

/** The drawing part of one chart, with its position and alternative text: ECMA-376 part 1, clause 20.5. */
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

const INK = '#1f2937';

const FAINT = '#d0d5dd';

const TEXT_SIZE = 1000;

const TITLE_SIZE = 1400;

/** IDs by which the two axes refer to each other. */
const [CATEGORIES, VALUES] = [1, 2];

/** Gap between columns, as a percentage of their width. */
const GAP = 50;

/** Up to this count, each whole number gets a gridline of its own. */
const COUNT_LINES_MAX = 10;

/** Number formats of the axis and of the data labels; a zero gets no data label. */
const CODES: { readonly [F in Format]?: { readonly axis: string; readonly labels: string } } = {
  money: { axis: '#,##0.00', labels: '#,##0.00;-#,##0.00;' },
  count: { axis: '#,##0', labels: '#,##0;-#,##0;' },
};

const USUAL_CODES = { axis: 'General', labels: 'General' };

/**
 * The chart part: ECMA-376 part 1, clause 21.2. Excel requires its order of elements. The part also caches the values
 * that the cells have when the file is written, for programs that draw without calculating.
 */
const chartXml = (chart: Chart, placed: PlacedTable): string => {
  const categories = chartCells(placed, chart.categories);
  const series = chart.series.map((each) => ({ ...each, cells: chartCells(placed, each.column) }));
  const codes = CODES[series[0]?.cells.format ?? 'text'] ?? USUAL_CODES;
  const drawn = series.map((each, index) =>
    seriesXml(chart, each, { index, categories, code: codes.labels }),
  );
  return [
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n',
    '<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"',
    ' xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
    ' xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">',
    '<c:roundedCorners val="0"/><c:chart>',
    titleXml(chart.title, { size: TITLE_SIZE, isBold: true }),
    '<c:autoTitleDeleted val="0"/><c:plotArea><c:layout/><c:barChart>',
    `<c:barDir val="${chart.direction === 'columns' ? 'col' : 'bar'}"/>`,
    `<c:grouping val="${chart.isStacked ? 'stacked' : 'clustered'}"/><c:varyColors val="0"/>`,
    ...drawn,
    `<c:gapWidth val="${GAP}"/><c:overlap val="100"/>`,
    `<c:axId val="${CATEGORIES}"/><c:axId val="${VALUES}"/></c:barChart>`,
    categoryAxis(chart),
    valueAxis(chart, codes.axis, isFewCounts(series.map(({ cells }) => cells))),
    '</c:plotArea>',
    legendXml(chart.series),
    '<c:plotVisOnly val="1"/><c:dispBlanksAs val="gap"/></c:chart>',
    `<c:spPr><a:solidFill><a:srgbClr val="FFFFFF"/></a:solidFill>${lineXml(FAINT)}</c:spPr>`,
    textProperties(TEXT_SIZE),
    '</c:chartSpace>',
  ].join('');
};

type SeriesPlace = { readonly index: number; readonly categories: ChartCells; readonly code: string };

const seriesXml = (
  { isStacked }: Chart,
  { column, colour, labels, cells }: ChartSeries & { readonly cells: ChartCells },
  { index, categories, code }: SeriesPlace,
): string =>
  [
    `<c:ser><c:idx val="${index}"/><c:order val="${index}"/>`,
    `<c:tx><c:strRef><c:f>${xmlText(cells.header)}</c:f>${textCache([spreadsheetText(column)])}</c:strRef></c:tx>`,
    `<c:spPr>${colour === undefined ? '<a:noFill/>' : fillXml(colour)}<a:ln><a:noFill/></a:ln></c:spPr>`,
    '<c:invertIfNegative val="0"/>',
    labels === undefined ? '' : labelsXml(labels, code, isStacked ? 'ctr' : 'outEnd'),
    `<c:cat><c:strRef><c:f>${xmlText(categories.range)}</c:f>${textCache(categories.values)}</c:strRef></c:cat>`,
    `<c:val><c:numRef><c:f>${xmlText(cells.range)}</c:f><c:numCache><c:formatCode>General</c:formatCode>`,
    `${pointsXml(cells.values)}</c:numCache></c:numRef></c:val></c:ser>`,
  ].join('');

const textCache = (values: ChartCells['values']): string => `<c:strCache>${pointsXml(values)}</c:strCache>`;

const pointsXml = (values: ChartCells['values']): string => {
  const points = values.map((value, index) =>
    value === undefined ? '' : `<c:pt idx="${index}"><c:v>${xmlText(value)}</c:v></c:pt>`,
  );
  return `<c:ptCount val="${values.length}"/>${points.join('')}`;
};

const labelsXml = (colour: string, code: string, place: string): string =>
  [
    `<c:dLbls><c:numFmt formatCode="${xmlText(code)}" sourceLinked="0"/>`,
    '<c:spPr><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr>',
    textProperties(TEXT_SIZE, colour),
    `<c:dLblPos val="${place}"/><c:showLegendKey val="0"/><c:showVal val="1"/><c:showCatName val="0"/>`,
    '<c:showSerName val="0"/><c:showPercent val="0"/><c:showBubbleSize val="0"/></c:dLbls>',
  ].join('');

/** The category axis. Its names are at the low end, even when values are negative; bars read from top to bottom. */
const categoryAxis = ({ direction }: Chart): string =>
  [
    `<c:catAx><c:axId val="${CATEGORIES}"/>`,
    `<c:scaling><c:orientation val="${direction === 'columns' ? 'minMax' : 'maxMin'}"/></c:scaling>`,
    `<c:delete val="0"/><c:axPos val="${direction === 'columns' ? 'b' : 'l'}"/>`,
    '<c:numFmt formatCode="General" sourceLinked="0"/><c:majorTickMark val="none"/><c:minorTickMark val="none"/>',
    `<c:tickLblPos val="low"/><c:spPr>${lineXml(INK)}</c:spPr>`,
    `<c:crossAx val="${VALUES}"/><c:crosses val="autoZero"/><c:auto val="0"/><c:lblAlgn val="ctr"/>`,
    '<c:lblOffset val="100"/><c:tickLblSkip val="1"/><c:noMultiLvlLbl val="1"/></c:catAx>',
  ].join('');

const valueAxis = ({ direction, axisTitle }: Chart, code: string, isFew: boolean): string =>
  [
    `<c:valAx><c:axId val="${VALUES}"/><c:scaling><c:orientation val="minMax"/></c:scaling>`,
    `<c:delete val="0"/><c:axPos val="${direction === 'columns' ? 'l' : 'b'}"/>`,
    `<c:majorGridlines><c:spPr>${lineXml(FAINT)}</c:spPr></c:majorGridlines>`,
    titleXml(axisTitle, { size: TEXT_SIZE, isBold: false, isUpright: direction === 'columns' }),
    `<c:numFmt formatCode="${xmlText(code)}" sourceLinked="0"/>`,
    '<c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="nextTo"/>',
    '<c:spPr><a:ln><a:noFill/></a:ln></c:spPr>',
    `<c:crossAx val="${CATEGORIES}"/><c:crosses val="${direction === 'columns' ? 'autoZero' : 'max'}"/>`,
    `<c:crossBetween val="between"/>${isFew ? '<c:majorUnit val="1"/>' : ''}</c:valAx>`,
  ].join('');

/** Whether all counts are so small that an automatic axis could place gridlines at halves of a count. */
const isFewCounts = (series: readonly ChartCells[]): boolean => {
  const rows = series[0]?.values.map((_, row) => series.map(({ values }) => Number(values[row] ?? 0))) ?? [];
  const longest = rows.map((parts) => parts.reduce((total, part) => total + part, 0));
  return series[0]?.format === 'count' && longest.every((count) => count <= COUNT_LINES_MAX);
};

/** The legend, if there are at least two series to name. */
const legendXml = (series: readonly ChartSeries[]): string => {
  const isLeftOut = ({ colour, isUnnamed }: ChartSeries): boolean =>
    colour === undefined || isUnnamed === true;
  if (series.filter((each) => !isLeftOut(each)).length < 2) return '';
  const entries = series.map((each, index) =>
    isLeftOut(each) ? `<c:legendEntry><c:idx val="${index}"/><c:delete val="1"/></c:legendEntry>` : '',
  );
  return `<c:legend><c:legendPos val="b"/>${entries.join('')}<c:overlay val="0"/></c:legend>`;
};

type TitleLook = { readonly size: number; readonly isBold: boolean; readonly isUpright?: boolean };

const titleXml = (text: string, { size, isBold, isUpright }: TitleLook): string => {
  const look = `sz="${size}" b="${isBold ? 1 : 0}"`;
  const turned = isUpright === true ? ' rot="-5400000" vert="horz"' : '';
  return [
    `<c:title><c:tx><c:rich><a:bodyPr${turned}/><a:lstStyle/><a:p><a:pPr><a:defRPr ${look}/></a:pPr>`,
    `<a:r><a:rPr lang="en-US" ${look}>${fillXml(INK)}</a:rPr><a:t>${xmlText(spreadsheetText(text))}</a:t></a:r></a:p>`,
    '</c:rich></c:tx><c:overlay val="0"/></c:title>',
  ].join('');
};

const textProperties = (size: number, colour = INK): string =>
  `<c:txPr><a:bodyPr/><a:lstStyle/><a:p><a:pPr><a:defRPr sz="${size}" b="0">${fillXml(colour)}</a:defRPr></a:pPr><a:endParaRPr lang="en-US"/></a:p></c:txPr>`;

const fillXml = (colour: string): string =>
  `<a:solidFill><a:srgbClr val="${colour.slice(1).toUpperCase()}"/></a:solidFill>`;

const lineXml = (colour: string): string => `<a:ln w="9525">${fillXml(colour)}</a:ln>`;

/** The cells of a column that a chart refers to, with the values they show when the file is written. */
type ChartCells = {
  readonly header: string;
  readonly range: string;
  readonly format: Format;
  /** Values as the file stores them; `undefined` for a blank cell. */
  readonly values: readonly (string | undefined)[];
};

/** @throws {DefectError} when the table has no such column, or its rows are not all in memory and on one sheet. */
const chartCells = (placed: PlacedTable, title: string): ChartCells => {
  const { source, sheetName, parts, headerRow, firstRow, lastRow } = placed;
  const index = source.sheet.columns.findIndex((column) => column.title === title);
  const column = source.sheet.columns[index];
  if (!column) throw new DefectError(`a chart refers to ${sheetName}[${title}], which has no such column`);
  if (column.format === 'mixed') throw new DefectError(`${sheetName}[${title}] has no format of its own`);
  if (!source.rows || parts > 1) {
    throw new DefectError(`${sheetName} has a chart, and not all of its rows in memory and on one sheet`);
  }
  const rule = ruleOf(column.format);
  const values = source.rows.map((row) => {
    const value = shownValue(column.value(row));
    if (value === undefined) return undefined;
    return rule.isText ? spreadsheetText(rule.encode(value)) : rule.encode(value);
  });
  const at = `${quotedSheetName(sheetName)}!$${columnLetter(index + 1)}$`;
  return {
    header: at + headerRow,
    range: `${at}${firstRow}:$${columnLetter(index + 1)}$${lastRow}`,
    format: column.format,
    values,
  };
};
