import { type Element, elementsBelow, parseMarkup, textOf } from './markup.ts';

const BLOCKS = new Set(['p', 'li', 'figcaption', 'caption', 'label', 'button', 'summary', 'title']);
const HEADINGS: Readonly<Record<string, string>> = { h1: '# ', h2: '## ', h3: '### ' };

/**
 * The text of a page in reading order: paragraphs as lines, rows of tables with bars between their cells, and of
 * maps what is said of them and their tiles to those who cannot see them.
 */
export const pageText = (html: string): string => {
  const page = parseMarkup(html);
  return `${[page].flatMap(linesOf).join('\n')}\n`;
};

const linesOf = (element: Element): readonly string[] => {
  const { name } = element;
  if (element.attributes['class']?.startsWith('map')) return mapLines(element);
  if (name === 'tr') {
    const cells = element.children.filter((child) => typeof child !== 'string');
    return [`| ${cells.map((cell) => tidy(textOf(cell))).join(' | ')} |`];
  }
  const term = element.children.find((child) => typeof child !== 'string' && child.name === 'dt');
  if (term !== undefined)
    return [
      `${tidy(textOf(term))}: ${tidy(
        element.children
          .filter((child) => child !== term)
          .map(textOf)
          .join(' '),
      )}`,
    ];
  const heading = HEADINGS[name];
  if (heading !== undefined) return ['', heading + tidy(textOf(element))];
  if (BLOCKS.has(name)) return lineOf(textOf(element));
  return element.children.flatMap((child) => (typeof child === 'string' ? lineOf(child) : linesOf(child)));
};

const lineOf = (text: string): readonly string[] => (tidy(text) === '' ? [] : [tidy(text)]);

const tidy = (text: string): string => text.replace(/\s+/g, ' ').trim();

const mapLines = (map: Element): readonly string[] => [
  'map:',
  ...[map, ...elementsBelow(map)].flatMap(({ attributes }) => attributes['aria-label'] ?? []),
];
