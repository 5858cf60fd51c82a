import { at, forgeLog, type Tampering } from './pack.ts';

type Change = (lines: readonly string[]) => readonly string[];

const log = (name: string, file: string, change: Change, problem: string): Tampering => [
  `the log of ${file}: ${name}`,
  (pack) => forgeLog(pack, file, change),
  problem,
];
const entries = (name: string, change: Change, problem: string): Tampering =>
  log(name, 'entries', change, problem);

/** The first line that has the text, with another text in its place. */
const replaced =
  (from: string | RegExp, to: string): Change =>
  (lines) => {
    const index = lines.findIndex((line) => line.replace(from, to) !== line);
    return lines.map((line, number) => (number === index ? line.replace(from, to) : line));
  };
const without =
  (text: string): Change =>
  (lines) => {
    const index = lines.findIndex((line) => line.includes(text));
    return lines.filter((_, number) => number !== index);
  };

/** A record that is of no sale. */
const stray = (id: string): string =>
  JSON.stringify({
    ...{ channel: 'desk', provider: 'desk', kind: 'order', id, day: '2026-10-05' },
    record: { amount: 100, sales_tax: 0 },
  });

/** Logs that say something else, with digests and counts that fit. */
export const OF_LOGS: readonly Tampering[] = [
  entries('the tax of a sale', replaced(/"salesTax":(\d+)/, '"salesTax":1$1'), 'add up to its collected tax'),
  entries('the ZIP of a sale', replaced('"zip":"94607"', '"zip":"94601"'), 'asked for another sale'),
  entries('the city', replaced('"city":"Oakland"', '"city":"Fresno"'), 'asked for another sale'),
  entries('the day of its law', replaced('"taxDate":"2026-10-01"', '"taxDate":"2026-10-02"'), 'another sale'),
  entries('the amount of a sale', replaced('"amount":10094', '"amount":20094'), 'its differences'),
  entries(
    'the price of a line',
    replaced('"unitPrice":749900', '"unitPrice":649900'),
    'asked for another sale',
  ),
  entries('what a line is called', replaced(/"description":"/, '"description":"x '), 'its differences'),
  entries('the hour of a sale', replaced(/"instant":(\d+)1/, '"instant":$12'), 'its differences'),
  entries(
    'the business day',
    replaced('"businessDate":"2026-10-01"', '"businessDate":"2026-10-03"'),
    'variance.xlsx, sheet',
  ),
  entries('the currency of a sale', replaced('"currency":"USD"', '"currency":"CAD"'), 'it has figures'),
  entries('the file of a sale', replaced('"file":"orders_export', '"file":"order_export'), ''),
  entries('the reason of a sale', replaced('"code":"R11"', '"code":"R99"'), 'exceptions.open comes to'),
  entries('the proof of a reason', replaced(/"proof":"/, '"proof":"x '), 'variance.xlsx, sheet Detail'),
  entries(
    'a level of tax',
    replaced(/("level":"state"[^}]*"tax":)(\d)/, '$11$2'),
    'its figures are not those of its calculation',
  ),
  entries('the recorded tax', replaced(/("taxable":\d+,"recorded":)(\d)/, '$11$2'), 'not what was read back'),
  entries('figures less', replaced(/,"figures":\{.*\}(?=\}$)/, ''), 'it is recorded and not posted'),
  entries('a sale less', without('order/5045'), ''),
  entries('a sale twice', (lines) => [...lines, at(lines, 0)], ''),
  entries('no sale', () => [], ''),
  entries('the answer', replaced('"amount_to_collect":', '"amount_to_collect":1'), 'its expected tax'),
  entries(
    'the answer to a sale with a variance',
    replaced(/"amount_to_collect":(\d.*"status":"explained")/, '"amount_to_collect":1$1'),
    'its expected tax',
  ),
  entries('the county of an answer', replaced('"county":"ALAMEDA"', '"county":"ALPINE"'), ''),
  entries('the rate of an answer', replaced(/("us":\{"order":\[(?:\d+,){4})(\d+)/, '$11$2'), ''),
  entries('an answer less', replaced(/,"answer":\{.*\}(?=,"recorded")/, ''), ''),
  entries(
    'the answer less to a sale with a variance',
    replaced(/,"answer":.*(,"recorded".*"status":"explained","hasNexus":true)/, '$1'),
    'its calculation is not in the log',
  ),
  entries('what was asked', replaced(/"request":"./, '"request":"x'), 'asked for another sale'),
  entries(
    'a record that is there',
    replaced('"recorded":{', '"sent":{"state":"missing"},"recorded":{'),
    'missing',
  ),
  entries('the source read back', replaced('"provider":"desk"', '"provider":"shop"'), 'its differences'),
  entries('the tax read back', replaced(/("record":.*?"sales_tax":)(\d)/, '$11$2'), 'not what was read back'),
  entries('the amount read back', replaced(/("record":.*?"amount":)(\d)/, '$11$2'), 'its differences'),
  entries(
    'the day read back',
    replaced('"recorded":{"day":"2026-10-01"', '"recorded":{"day":"2026-10-09"'),
    '',
  ),
  entries('the city read back', replaced('"to_city":"OAKLAND"', '"to_city":"FRESNO"'), 'its differences'),
  entries(
    'a record less',
    replaced(/,"recorded":\{.*\}(?=,"figures")/, ''),
    'what the service has of it is not',
  ),
  log('a record more', 'strays', () => [stray('D-999')], 'exceptions.open comes to 1'),
  log('a record twice', 'strays', () => [stray('D-501')], 'its record stands among those'),
  log('an extra record twice', 'strays', () => [stray('D-999'), stray('D-999')], 'stands twice'),
  entries('a question', replaced(/("asked":.*?"to_zip":")./, '$1x'), 'a question about it was changed'),
  log('a row less', 'set-aside', (lines) => lines.slice(1), 'exceptions.seen comes to'),
  log('all rows', 'set-aside', () => [], 'exceptions.accepted comes to'),
  log('a cause', 'set-aside', replaced(/"message":"/, '"message":"x '), 'variance.xlsx, sheet Exceptions'),
  log(
    'a cell',
    'set-aside',
    replaced(/(rejected.*)"cells":\["/, '$1"cells":["x'),
    'is not what the logs give',
  ),
  log(
    'the order of a refund',
    'report',
    replaced(/("of":"orders".*"amount":)(\d+)/, '$11$2'),
    'variance.xlsx, sheet Exceptions',
  ),
  log('an order of a refund less', 'report', without('"of":"orders","item"'), 'exceptions.seen comes to'),
  entries(
    'a refund of another order',
    replaced('"reference":"5002"', '"reference":"5004"'),
    'its differences',
  ),
  log(
    'a decision less',
    'report',
    without('"of":"decisions","item"'),
    'open-items.csv is not what the logs give',
  ),
  log(
    'why it was decided',
    'report',
    replaced(/("of":"decisions","item".*"why":")/, '$1x'),
    'open-items.csv is not what the logs give',
  ),
  log('the rows of a file', 'report', replaced(/("of":"inputs".*"rows":)(\d+)/, '$11$2'), 'inputs'),
  log('the seller', 'report', replaced('Harbor & Pine Supply Co.', 'Harbor'), 'seller comes to'),
  log('an account number', 'report', replaced(/("of":"filing".*"account":")/, '$1x'), ''),
  log('a registration less', 'report', without('"of":"filing","item"'), ''),
  log('the working papers', 'report', without('"of":"workingPapers"'), ''),
  log('until when rates are known', 'report', replaced(/("of":"rateSources".*"until":")/, '$1x'), ''),
  log('a certificate', 'report', replaced('"name":"RES-0207"', '"name":"RES-0208"'), ''),
  entries(
    'of something else',
    (lines) => lines.map((line) => line.replace('"sale":', '"sold":')),
    'cannot be read',
  ),
];
