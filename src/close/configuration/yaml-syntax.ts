import type { YAMLError } from 'yaml';

/** What is wrong with a text that is not YAML, for anyone who wrote it. */
export const syntaxText = ({ code, message }: YAMLError): string =>
  SAID[code] ?? (message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '');

const SAID: { readonly [Code in YAMLError['code']]?: string } = {
  BAD_INDENT:
    'a [ or { before this place is not closed, or the line is indented less than what it belongs to',
  BAD_SCALAR_START: 'a text that begins with this character must be in quotes',
  BLOCK_AS_IMPLICIT_KEY:
    'a second value follows a key: put a text with a colon in quotes, and indent a key as far as the keys beside it',
  DUPLICATE_KEY: 'this key was given before',
  MISSING_CHAR: 'a quote, bracket or brace is not closed',
  MULTILINE_IMPLICIT_KEY: 'a line without a colon stands where a key is wanted',
  TAB_AS_INDENT: 'the line is indented with a tab; use spaces',
  UNEXPECTED_TOKEN: 'this does not fit what stands before it',
};
