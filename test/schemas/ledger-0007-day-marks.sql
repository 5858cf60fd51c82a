pragma application_id = 1414088015;
CREATE TABLE "accounts" ("id" integer primary key, "name" text not null unique, "address" text, "nexus" text not null, "api_version" text not null, "plan_limit" integer, "created_at" integer not null, "block_over_plan" integer default 0 not null, "buyer_use" text) strict;
insert into "accounts" values (1, 'shop', '{"country":"US","state":"CA","zip":"95814","city":"Sacramento","street":"1 K Street"}', '[{"country":"US","state":"CA","from":"2019-01-01"}]', '2020-08-07', null, 1793577600000, 0, null);
CREATE TABLE "customers" ("account_id" integer not null references "accounts" ("id"), "customer_id" text not null, "exemption_type" text not null, "name" text not null, "exempt_regions" text not null, "country" text, "zip" text, "state" text, "city" text, "street" text, constraint "customers_key" primary key ("account_id", "customer_id")) strict;
CREATE TABLE "keys" ("id" integer primary key, "account_id" integer not null references "accounts" ("id"), "hash" text not null unique, "hint" text not null, "created_at" integer not null, "revoked_at" integer) strict;
CREATE TABLE "ledger_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);
insert into "ledger_migration" values ('0001-accounts', '2026-11-02T00:00:00.000Z');
insert into "ledger_migration" values ('0002-customers', '2026-11-02T00:00:00.000Z');
insert into "ledger_migration" values ('0003-transactions', '2026-11-02T00:00:00.000Z');
insert into "ledger_migration" values ('0004-usage', '2026-11-02T00:00:00.000Z');
insert into "ledger_migration" values ('0005-blocking', '2026-11-02T00:00:00.000Z');
insert into "ledger_migration" values ('0006-buyer-use', '2026-11-02T00:00:00.000Z');
insert into "ledger_migration" values ('0007-day-marks', '2026-11-02T00:00:00.000Z');
CREATE TABLE "ledger_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null);
insert into "ledger_migration_lock" values ('migration_lock', 0);
CREATE TABLE "transaction_day" ("day" integer primary key, "mark" text not null) strict;
insert into "transaction_day" values (20736, '66D3D26424CDC6F76B7C9D51F30638BD');
insert into "transaction_day" values (20746, '00B63DEE687873B458C080F5F8631DBA');
CREATE TABLE "transactions" ("account_id" integer not null references "accounts" ("id"), "kind" text not null, "provider" text not null, "transaction_id" text not null, "transaction_date" integer not null, "transaction_reference_id" text, "exemption_type" text, "customer_id" text, "amount" integer not null, "shipping" integer not null, "sales_tax" integer not null, "line_items" text not null, "revision" integer not null, "from_country" text, "to_country" text, "from_zip" text, "to_zip" text, "from_state" text, "to_state" text, "from_city" text, "to_city" text, "from_street" text, "to_street" text, constraint "transactions_key" primary key ("account_id", "kind", "provider", "transaction_id")) strict;
insert into "transactions" values (1, 'order', 'shopify', '1', 1791658800000, null, null, null, 1000000, 0, 107500, '[{"id":"1","quantity":1,"product_identifier":"GEN-LAN01","description":"Lantern","product_tax_code":null,"unit_price":1000000,"discount":0,"sales_tax":107500}]', 1, 'US', 'US', '95814', '94607', 'CA', 'CA', 'Sacramento', 'Oakland', '1 K Street', '1 Main St');
insert into "transactions" values (1, 'order', 'shopify', '2', 1791658800000, null, null, null, 1000000, 0, 107500, '[{"id":"1","quantity":1,"product_identifier":"GEN-LAN01","description":"Lantern","product_tax_code":null,"unit_price":1000000,"discount":0,"sales_tax":107500}]', 1, 'US', 'US', '95814', '94607', 'CA', 'CA', 'Sacramento', 'Oakland', '1 K Street', '1 Main St');
insert into "transactions" values (1, 'order', 'shopify', '3', 1791658800000, null, null, null, 400000, 0, 43000, '[{"id":"1","quantity":1,"product_identifier":"GEN-LAN01","description":"Lantern","product_tax_code":null,"unit_price":400000,"discount":0,"sales_tax":43000}]', 1, 'US', 'US', '95814', '94607', 'CA', 'CA', 'Sacramento', 'Oakland', '1 K Street', '1 Main St');
insert into "transactions" values (1, 'refund', 'shopify', '2-refund', 1792512000000, '2', null, null, -1000000, 0, -107500, '[{"id":"1","quantity":1,"product_identifier":"GEN-LAN01","description":"Lantern","product_tax_code":null,"unit_price":-1000000,"discount":0,"sales_tax":-107500}]', 1, 'US', 'US', '95814', '94607', 'CA', 'CA', 'Sacramento', 'Oakland', '1 K Street', '1 Main St');
CREATE TABLE "usage" ("account_id" integer not null references "accounts" ("id"), "month" text not null, "calculations" integer not null, constraint "usage_key" primary key ("account_id", "month")) strict;
insert into "usage" values (1, '2026-11', 2);
CREATE INDEX "transactions_by_date" on "transactions" ("account_id", "kind", "provider", "transaction_date", "transaction_id");
CREATE TRIGGER "transactions_delete" after delete on transactions
      begin insert into transaction_day (day, mark)
    values ("old"."transaction_date" / 86400000, hex(randomblob(16)))
    on conflict (day) do update set mark = excluded.mark; end;
CREATE TRIGGER "transactions_insert" after insert on transactions
      begin insert into transaction_day (day, mark)
    values ("new"."transaction_date" / 86400000, hex(randomblob(16)))
    on conflict (day) do update set mark = excluded.mark; end;
CREATE TRIGGER "transactions_update" after update on transactions
      begin insert into transaction_day (day, mark)
    values ("old"."transaction_date" / 86400000, hex(randomblob(16)))
    on conflict (day) do update set mark = excluded.mark; insert into transaction_day (day, mark)
    values ("new"."transaction_date" / 86400000, hex(randomblob(16)))
    on conflict (day) do update set mark = excluded.mark; end;
