import { at, forgeLog, type Tampering } from './pack.ts';

const log = (
  name: string,
  file: string,
  change: (lines: readonly string[]) => readonly string[],
  problem: string,
): Tampering => [`the log of ${file}: ${name}`, (pack) => forgeLog(pack, file, change), problem];

/** The first line that has the text, with another text in its place. */
const replaced =
  (from: string | RegExp, to: string) =>
  (lines: readonly string[]): readonly string[] => {
    const index = lines.findIndex((line) => line.replace(from, to) !== line);
    return lines.map((line, number) => (number === index ? line.replace(from, to) : line));
  };
const without =
  (text: string) =>
  (lines: readonly string[]): readonly string[] => {
    const index = lines.findIndex((line) => line.includes(text));
    return lines.filter((_, number) => number !== index);
  };

/** A record that is of no sale. */
const extra = (id: string): string =>
  JSON.stringify({
    ...{ channel: 'desk', provider: 'desk', kind: 'order', id, day: '2026-10-05' },
    record: { amount: 100, sales_tax: 0 },
  });

/** Logs that say something else, with digests and counts that fit. */
export const OF_LOGS: readonly Tampering[] = [
  log('the tax of a sale', 'sales', replaced(/"salesTax":(\d+)/, '"salesTax":1$1'), 'what was sent of it'),
  log('the ZIP of a sale', 'sales', replaced('"zip":"94607"', '"zip":"94601"'), 'asked for another sale'),
  log('the city', 'sales', replaced('"city":"Oakland"', '"city":"Fresno"'), 'asked for another sale'),
  log(
    'the day of the law of a sale',
    'sales',
    replaced('"businessDate":"2026-10-01"', '"businessDate":"2026-10-01","taxDate":"2026-10-02"'),
    'asked for another sale',
  ),
  log('the amount of a sale', 'sales', replaced('"amount":10094', '"amount":20094'), 'what was sent of it'),
  log(
    'the price of a line',
    'sales',
    replaced('"unitPrice":749900', '"unitPrice":649900'),
    'asked for another sale',
  ),
  log('what a line is called', 'sales', replaced(/"description":"/, '"description":"x '), 'what was sent'),
  log('the hour of a sale', 'sales', replaced(/"instant":(\d+)1/, '"instant":$12'), 'what was sent of it'),
  log(
    'the business day',
    'sales',
    replaced('"businessDate":"2026-10-01"', '"businessDate":"2026-10-03","taxDate":"2026-10-01"'),
    'variance.xlsx, sheet',
  ),
  log('the currency of a sale', 'sales', replaced('"shipTo":', '"currency":"CAD","shipTo":'), 'comes to'),
  log('the file of a sale', 'sales', replaced('"file":"orders_export', '"file":"order_export'), ''),
  log('the reason of a sale', 'sales', replaced('"code":"R11"', '"code":"R99"'), 'reasons'),
  log('the proof of a reason', 'sales', replaced(/"proof":"/, '"proof":"x '), 'exception'),
  log(
    'a level of tax',
    'sales',
    replaced(/("level":"state"[^}]*"tax":)(\d)/, '$11$2'),
    'its jurisdictions do not add up',
  ),
  log(
    'the recorded tax',
    'sales',
    replaced(/("taxable":\d+,"recorded":)(\d)/, '$11$2'),
    'not what was read back',
  ),
  log('figures less', 'sales', replaced(/,"figures":\{.*\}(?=\}$)/, ''), 'do not tie out'),
  log('a sale less', 'sales', without('order/5045'), ''),
  log('a sale twice', 'sales', (lines) => [...lines, at(lines, 0)], ''),
  log('no sale', 'sales', () => [], ''),
  log('the answer', 'sales', replaced(/"tax":(\d+),"levels"/, '"tax":1$1,"levels"'), 'do not tie out'),
  log(
    'the answer to a sale with a variance',
    'sales',
    replaced(/"tax":(\d+)(,"levels".*"status":"explained")/, '"tax":1$1$2'),
    'its expected tax',
  ),
  log('the county of an answer', 'sales', replaced('"county":"ALAMEDA"', '"county":"ALPINE"'), ''),
  log('the rate of an answer', 'sales', replaced(/("levels":\{"state":\[)(\d+)/, '$11$2'), ''),
  log('an answer less', 'sales', replaced(/,"answer":\{.*\}(?=,"sent")/, ''), ''),
  log(
    'the answer less to a sale with a variance',
    'sales',
    replaced(/,"asked":.*(,"sent".*"status":"explained","hasNexus":true)/, '$1'),
    'its calculation is not in the log',
  ),
  log('what was asked', 'sales', replaced(/"asked":"./, '"asked":"x'), 'asked for another sale'),
  log('what was sent', 'sales', replaced(/"sent":"./, '"sent":"x'), 'what was sent of it was made from'),
  log('no submission', 'sales', replaced(/,"sent":"[0-9a-f]+"/, ''), 'what was sent of it is not in the log'),
  log('the tax read back', 'sales', replaced('"recorded":{', '"recorded":{"sales_tax":7,'), 'do not tie out'),
  log('the amount read back', 'sales', replaced('"recorded":{', '"recorded":{"amount":7,'), 'do not tie out'),
  log('the day read back', 'sales', replaced(/("recorded":\{[^}]*\})/, '$1,"recordedOn":"2026-10-09"'), ''),
  log('the city read back', 'sales', replaced('"to_city":"OAKLAND"', '"to_city":"FRESNO"'), ''),
  log('a record less', 'sales', replaced(/,"recorded":\{[^}]*\}/, ''), 'do not tie out'),
  log('a record more', 'records', () => [extra('D-999')], '1 records that'),
  log('a record twice', 'records', () => [extra('D-501')], 'its record stands among those'),
  log('an extra record twice', 'records', () => [extra('D-999'), extra('D-999')], 'stands twice'),
  log('a question', 'questions', replaced(/"to_zip":"./, '"to_zip":"x'), 'a question about it was changed'),
  log('a row less', 'set-aside', (lines) => lines.slice(1), 'follows from no other log'),
  log('all rows', 'set-aside', () => [], 'follows from no other log'),
  log('a cause', 'set-aside', replaced(/"message":"/, '"message":"x '), 'exception'),
  log('a cell', 'set-aside', replaced(/(rejected.*)"cells":\["/, '$1"cells":["x'), ', line'),
  log(
    'the total of the order of a refund',
    'refunds',
    replaced(/"orderTotal":(\d+)/, '"orderTotal":1$1'),
    'sheet Refunds',
  ),
  log(
    'a refund called reversed',
    'refunds',
    replaced('"isPosted":true', '"isPosted":true,"isReplaced":true'),
    'differ on whether it is reversed',
  ),
  log('a refund less', 'refunds', (lines) => lines.slice(1), 'sheet Refunds'),
  log('an exception less', 'report', without('"name":"exceptions","item"'), 'clusters'),
  log('an exception accepted', 'report', replaced(/"accepted":""/, '"accepted":"fine"'), 'comes to'),
  log('the rows of a file', 'report', replaced(/("name":"inputs".*"rows":)(\d+)/, '$11$2'), 'inputs'),
  log('the seller', 'report', replaced('Harbor & Pine Supply Co.', 'Harbor'), 'seller comes to'),
  log('an account number', 'report', replaced(/("of":"registrations".*"account":")/, '$1x'), ''),
  log('a registration less', 'report', without('"of":"registrations","name":"","item"'), ''),
  log('the seed of the sample', 'report', replaced('"seed":"harbor-and-pine', '"seed":"x'), ''),
  log('the trend', 'report', replaced(/("name":"trend".*"gross":)(\d+)/, '$11$2'), 'trend'),
  log('a certificate', 'report', replaced('"RES-0207"', '"RES-0208"'), ''),
  log(
    'of something else',
    'sales',
    (lines) => lines.map((line) => line.replace('"sale":', '"sold":')),
    'cannot be read',
  ),
];
