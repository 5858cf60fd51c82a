import { COLOURS } from './look.ts';

/** A chart as the text of an SVG element, which stands in a page as it is. */
export type Svg = string;

type Attributes = Readonly<Record<string, string | number | undefined>>;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? '');

/** Pixels to a tenth: finer than a screen shows, and the same text on every machine. */
const attributeText = (value: string | number): string =>
  typeof value === 'number' ? String(Math.round(value * 10) / 10) : escaped(value);

/** An SVG element. Its content is SVG already; an attribute without a value is left out. */
export const element = (name: string, attributes: Attributes, ...content: readonly Svg[]): Svg => {
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${attributeText(value)}"`],
  );
  const open = `<${name}${written.join('')}`;
  return content.length === 0 ? `${open}/>` : `${open}>${content.join('')}</${name}>`;
};

/** Text that is read with the mark it belongs to, and so is not read aloud again. */
export const text = (attributes: Attributes, words: string): Svg =>
  element('text', { 'aria-hidden': 'true', fill: 'currentColor', ...attributes }, escaped(words));

export type Mark = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly fill: string;
  /** What the mark shows, for those who do not see it. */
  readonly words: string;
  /** Where it leads in the page; nowhere when it is missing. */
  readonly href?: string | undefined;
  /** Width of the line around it. */
  readonly frame?: number;
};

/** A rectangle that has a meaning, and leads somewhere if it has an address. */
export const mark = ({ words, href, frame, ...shape }: Mark): Svg => {
  const rectangle = element('rect', {
    ...shape,
    stroke: frame === undefined ? undefined : COLOURS.ink,
    'stroke-width': frame,
    role: 'graphics-symbol',
    'aria-label': words,
  });
  return href === undefined ? rectangle : element('a', { href }, rectangle);
};

/** A chart of a fixed size. No fonts are asked for by name, and nothing depends on how wide a text is drawn. */
export const chart = (
  { width, height, description }: { width: number; height: number; description: string },
  ...content: readonly Svg[]
): Svg =>
  element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: 'graphics-document',
      'aria-label': description,
      'font-family': 'sans-serif',
      'font-size': 12,
    },
    ...content,
  );
