import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type Chart, drawChart } from './draw-chart.ts';
import { COLOURS } from './look.ts';

/** Pixels drawn for each pixel of the chart: sharp enough on paper. */
const SHARPNESS = 1.5;
const FONT = 'DejaVu Sans';

/**
 * Draw a chart as a PNG. The same chart gives the same bytes on every machine: the drawing is done by WebAssembly,
 * whose arithmetic is the same everywhere, and with fonts that come with the program.
 */
export const drawPng = async (chart: Chart): Promise<Uint8Array> => {
  const [svg, { Resvg, fonts }] = await Promise.all([drawChart(chart), loaded()]);
  const drawing = new Resvg(svg, {
    fitTo: { mode: 'zoom', value: SHARPNESS },
    background: COLOURS.paper,
    font: { fontBuffers: fonts, defaultFontFamily: FONT, sansSerifFamily: FONT },
  });
  try {
    const image = drawing.render();
    const png = image.asPng();
    image.free();
    return png;
  } finally {
    drawing.free();
  }
};

type Renderer = {
  readonly Resvg: typeof import('@resvg/resvg-wasm')['Resvg'];
  readonly fonts: Uint8Array[];
};

let renderer: Promise<Renderer> | undefined;

/** The renderer and its fonts, loaded once and only where a picture is drawn. */
const loaded = (): Promise<Renderer> => {
  renderer ??= load();
  return renderer;
};

const load = async (): Promise<Renderer> => {
  const require = createRequire(import.meta.url);
  const { initWasm, Resvg } = await import('@resvg/resvg-wasm');
  await initWasm(readFile(require.resolve('@resvg/resvg-wasm/index_bg.wasm')));
  const fonts = await Promise.all([
    readFile(require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf')),
    readFile(require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf')),
  ]);
  return { Resvg, fonts };
};
