import type { TopLevelSpec } from 'vega-lite';
import { LOOK } from './look.ts';

/** A chart as Vega-Lite describes it, without what all charts share. */
export type Chart = {
  /** What the chart shows, in a sentence for those who do not see it. */
  readonly description: string;
  /** Printed above the chart where nothing around it says what it is: a heading, and how to read it. */
  readonly heading?: { readonly text: string; readonly lines: readonly string[] };
  /** Size of the plot itself, in pixels; labels stand in the margins. */
  readonly width: number;
  readonly height: number;
  readonly margins: {
    readonly top: number;
    readonly right: number;
    readonly bottom: number;
    readonly left: number;
  };
  readonly rows: readonly object[];
  readonly layer: readonly object[];
};

/**
 * Draw a chart as the text of an SVG element. The same chart gives the same text: sizes are fixed, so that nothing
 * depends on how wide a machine thinks a text is, and no fonts are asked for by name.
 */
export const drawChart = async ({
  description,
  heading,
  width,
  height,
  margins,
  rows,
  layer,
}: Chart): Promise<string> => {
  // Imported here because nothing but a report needs them, and they take a while to load.
  const [{ parse, View }, { compile }] = await Promise.all([import('vega'), import('vega-lite')]);
  const spec = {
    description,
    width,
    height,
    padding: heading ? { ...margins, top: margins.top + headingHeight(heading) } : margins,
    ...(heading && { title: titleOf(heading, margins.left) }),
    autosize: 'none',
    background: 'transparent',
    data: { values: rows },
    config: LOOK,
    layer,
  } as unknown as TopLevelSpec;
  const view = new View(parse(compile(spec).spec), { renderer: 'none' });
  const svg = await view.toSVG();
  view.finalize();
  return svg;
};

const LINE_HEIGHT = 18;

/** What a heading adds to the height of its chart. */
export const headingHeight = ({ lines }: NonNullable<Chart['heading']>): number =>
  LINE_HEIGHT * (lines.length + 2);

/** At the left edge of the picture, whatever the labels of the chart need. */
const titleOf = ({ text, lines }: NonNullable<Chart['heading']>, left: number) => ({
  text,
  subtitle: lines,
  anchor: 'start',
  frame: 'group',
  dx: -left,
  offset: LINE_HEIGHT,
  fontSize: 16,
  subtitleFontSize: 12,
  subtitleLineHeight: LINE_HEIGHT,
  subtitlePadding: 6,
});
