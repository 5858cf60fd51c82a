pragma application_id = 1414088015;
CREATE TABLE "accounts" ("id" integer primary key, "name" text not null unique, "address" text, "nexus" text not null, "api_version" text not null, "plan_limit" integer, "created_at" integer not null) strict;
insert into "accounts" values (1, 'shop', '{"country":"US","state":"CA","zip":"95814","city":"Sacramento","street":"1 K Street"}', '[{"country":"US","state":"CA","from":"2019-01-01"}]', '2020-08-07', null, 1793577600000);
CREATE TABLE "keys" ("id" integer primary key, "account_id" integer not null references "accounts" ("id"), "hash" text not null unique, "hint" text not null, "created_at" integer not null, "revoked_at" integer) strict;
CREATE TABLE "ledger_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);
insert into "ledger_migration" values ('0001-accounts', '2026-11-02T00:00:00.000Z');
CREATE TABLE "ledger_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null);
insert into "ledger_migration_lock" values ('migration_lock', 0);
