import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { marketOrders } from './market-orders.ts';
import { shopOrders } from './shop-orders.ts';

/** Writes the sample's files beside this one, or into the folder that is given; the bytes are always the same. */
const folder = process.argv[2] ?? import.meta.dirname;
writeFileSync(join(folder, 'orders_export.csv'), shopOrders());
writeFileSync(join(folder, 'market_orders.csv'), marketOrders());
