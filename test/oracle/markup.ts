/** An element of an XML or HTML text, with its own name without a prefix. */
export type Element = {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (Element | string)[];
};

type Open = Element & { readonly children: (Element | string)[] };

const TAG =
  /<!--.*?-->|<[!?][^>]*>|<(?<end>\/?)(?<name>[\w:.-]+)(?<attributes>(?:[^>"']|"[^"]*"|'[^']*')*?)(?<empty>\/?)>/gs;
const ATTRIBUTE = /([\w:.-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;
const NEVER_CLOSED = new Set(['meta', 'link', 'input', 'br', 'hr', 'img', 'wbr']);
/** What stands in these elements of a page is not text. */
const RAW = /(<(script|style)\b[^>]*>).*?(<\/\2>)/gs;

/** Read XML or HTML as a tree; the root is a nameless element around everything. */
export const parseMarkup = (text: string): Element => {
  const source = text.replace(RAW, '$1$3');
  const root: Open = { name: '', attributes: {}, children: [] };
  const path = [root];
  const inner = (): Open => path.at(-1) ?? root;
  let from = 0;
  for (const tag of source.matchAll(TAG)) {
    if (tag.index > from) inner().children.push(decoded(source.slice(from, tag.index)));
    from = tag.index + tag[0].length;
    const { name, end, attributes = '', empty } = tag.groups ?? {};
    if (name === undefined) continue;
    const own = name.replace(/^.*:/, '');
    if (end) {
      const depth = path.findLastIndex((open) => open.name === own);
      if (depth > 0) path.length = depth;
      continue;
    }
    const element: Open = { name: own, attributes: attributesOf(attributes), children: [] };
    inner().children.push(element);
    if (!empty && !NEVER_CLOSED.has(own)) path.push(element);
  }
  if (from < source.length) inner().children.push(decoded(source.slice(from)));
  return root;
};

/** All elements below another, in reading order. */
export const elementsBelow = (within: Element): readonly Element[] =>
  within.children.flatMap((child) => (typeof child === 'string' ? [] : [child, ...elementsBelow(child)]));

/** All elements of a name below another, in reading order. */
export const elementsOf = (within: Element, name: string): readonly Element[] =>
  elementsBelow(within).filter((element) => element.name === name);

export const elementOf = (within: Element, name: string): Element | undefined => elementsOf(within, name)[0];

/** All text below an element, as it stands there. */
export const textOf = (within: Element | string | undefined): string => {
  if (within === undefined) return '';
  return typeof within === 'string' ? within : within.children.map(textOf).join('');
};

const attributesOf = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...text.matchAll(ATTRIBUTE)].map(([, name = '', double, single, bare]) => [
      name,
      decoded(double ?? single ?? bare ?? ''),
    ]),
  );

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

const decoded = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hexadecimal, decimal, name) =>
    name === undefined
      ? String.fromCodePoint(Number.parseInt(decimal ?? hexadecimal, decimal ? 10 : 16))
      : (ENTITIES[name] ?? whole),
  );
