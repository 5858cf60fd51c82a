import { COLOURS } from './look.ts';

/** A chart as the text of an SVG element, which can be inserted in a page as it is. */
export type Svg = string;

type Attributes = Readonly<Record<string, string | number | undefined>>;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? '');

/** Rounds pixels to a tenth: finer than a screen shows, and the same text on every machine. */
const attributeText = (value: string | number): string =>
  typeof value === 'number' ? String(Math.round(value * 10) / 10) : escaped(value);

/** Builds an SVG element. Its content is SVG already; an attribute without a value is omitted. */
export const element = (name: string, attributes: Attributes, ...content: readonly Svg[]): Svg => {
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${attributeText(value)}"`],
  );
  const open = `<${name}${written.join('')}`;
  return content.length === 0 ? `${open}/>` : `${open}>${content.join('')}</${name}>`;
};

/** Builds text that is hidden from screen readers, because the mark it belongs to already says it. */
export const text = (attributes: Attributes, words: string): Svg =>
  element('text', { 'aria-hidden': 'true', fill: 'currentColor', ...attributes }, escaped(words));

export type Mark = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly fill: string;
  /** Text alternative of the mark. */
  readonly words: string;
  /** The target in the page, if the mark is a link. */
  readonly href?: string | undefined;
  /** Width of the line around it. */
  readonly frame?: number;
};

/** Draws a rectangle with a meaning, as a link if it has a target. */
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

/** Draws a chart of a fixed size. It does not request fonts by name, and does not depend on the width of drawn text. */
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
