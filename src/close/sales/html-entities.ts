/** The entities that web shops write into names and addresses, beside numbered ones. */
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '\u2013',
  mdash: '\u2014',
  hellip: '\u2026',
  times: '\u00d7',
  deg: '\u00b0',
  reg: '\u00ae',
  copy: '\u00a9',
  trade: '\u2122',
  lsquo: '\u2018',
  rsquo: '\u2019',
  ldquo: '\u201c',
  rdquo: '\u201d',
  eacute: '\u00e9',
  egrave: '\u00e8',
  aacute: '\u00e1',
  iacute: '\u00ed',
  oacute: '\u00f3',
  uacute: '\u00fa',
  ntilde: '\u00f1',
  auml: '\u00e4',
  ouml: '\u00f6',
  uuml: '\u00fc',
  szlig: '\u00df',
  ccedil: '\u00e7',
};

const ENTITY = /&(?:#(\d{1,6})|#x([\da-f]{1,5})|([a-z]{2,8}));/gi;

/** Neither a control character nor half of a pair, which no text can hold. */
const isCharacter = (code: number): boolean =>
  code >= 32 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);

/** A text as its reader saw it in the shop: `Salt &amp; Pepper` is Salt & Pepper. What is not an entity stays. */
export const withoutEntities = (text: string): string =>
  text.includes('&')
    ? text.replace(ENTITY, (entity, decimal?: string, hexadecimal?: string, name?: string) => {
        if (name !== undefined) return NAMED[name] ?? entity;
        const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
        return isCharacter(code) ? String.fromCodePoint(code) : entity;
      })
    : text;
