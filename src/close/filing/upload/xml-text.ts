import { DefectError } from '../../../kernel/errors.ts';

/** An XML element: its name, attributes, and either text or elements inside. */
export type XmlElement = {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly content: string | readonly XmlElement[];
};

const NAME = /^[A-Za-z_][\w.-]*$/;
const MARKUP = /[&<>"']/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 has no form for these characters.
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/g;

const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(UNWRITABLE, '\ufffd')
    .replace(MARKUP, (found) => ENTITIES[found] ?? found);

export const element = (
  name: string,
  content: string | readonly XmlElement[],
  attributes?: Readonly<Record<string, string>>,
): XmlElement => ({ name, content, ...(attributes && { attributes }) });

/** A document with a declaration, two blanks of indent and LF. @throws {DefectError} for a name XML does not allow */
export const xmlText = (root: XmlElement): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${linesOf(root, '').join('\n')}\n`;

const linesOf = ({ name, attributes = {}, content }: XmlElement, indent: string): string[] => {
  for (const each of [name, ...Object.keys(attributes)]) {
    if (!NAME.test(each)) throw new DefectError(`${each} is not a name of an XML element or attribute`);
  }
  const head = [name, ...Object.entries(attributes).map(([key, value]) => `${key}="${escaped(value)}"`)];
  if (typeof content === 'string') return [`${indent}<${head.join(' ')}>${escaped(content)}</${name}>`];
  return [
    `${indent}<${head.join(' ')}>`,
    ...content.flatMap((child) => linesOf(child, `${indent}  `)),
    `${indent}</${name}>`,
  ];
};
