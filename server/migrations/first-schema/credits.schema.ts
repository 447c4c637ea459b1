import { editedColumns } from './edited.columns.ts'

/** Supplement records, and the ledger that a transcript is read from. */
export const credits = `
-- Supplement records (补录): experiences outside the system (decision 018).
create table "supplement" (
  "schoolId" text not null references "school",
  "lisId" uuid not null,
  "lisName" text not null,
  "suId" uuid not null,
  "lsId" uuid not null,
  "lsPath" uuid[] not null,
  "lisType" text not null, -- sup_type
  "lisLevel" text not null,
  "lisPartakeMode" text not null default '1', -- partake_mode
  "lisAward" text not null default '',
  "lisOrg" text not null default '',
  "lisStartDate" date,
  "lisEndDate" date,
  "lisObtainDate" date not null,
  "certNo" text not null default '',
  "certUrl" text not null default '',
  "lisTeamSize" int,
  "lisRank" int,
  "lisProofs" uuid[] not null default '{}',
  "lisDesc" text not null default '',
  "lisHoursDeclared" int, -- what the student asks for; hundredths
  "lisHours" int not null default 0, -- what is approved; hundredths, as credit and points
  "lisCredit" int not null default 0,
  "lisPoints" int not null default 0,
  "esId" uuid, -- the rule and the award it is rated by
  "lisAwardDetailId" uuid,
  "lisStatus" text not null default '0', -- sup_status
  "statusBefore" text not null default '', -- before it was deleted
  "refuseReason" text not null default '',
  "passTime" timestamptz,
  "lisPublictySdate" timestamptz,
  "lisPublictyEdate" timestamptz,
  "lisPublictyStatus" text not null default '0', -- publicty_status
  "completeTime" timestamptz,
  "source" text not null default '1', -- sup_source
  "importBatchId" uuid,
  "delFlag" text not null default '0',
  ${editedColumns},
  primary key ("schoolId", "lisId"),
  foreign key ("schoolId", "suId") references "person",
  foreign key ("schoolId", "lsId") references "curriculum",
  foreign key ("schoolId", "lisLevel") references "lessonLevel"
);
-- the list as it opens, a page anywhere in it and under any filter of codes, from the index alone
create index "supplement_list" on "supplement" ("schoolId", "createTime", "lisId")
  include ("suId", "lisType", "lisLevel", "lisStatus", "source", "lisObtainDate")
  where "delFlag" = '0';
-- the tab of deleted records
create index "supplement_deleted" on "supplement" ("schoolId", "createTime", "lisId")
  where "delFlag" = '1';
-- the records of a student; duplicates; lists by students, from the index alone
create index "supplement_person" on "supplement" ("schoolId", "suId", "createTime", "lisId")
  include ("lisType", "lisLevel", "lisStatus", "source", "lisObtainDate", "delFlag");
-- the list within a period, counted from the index alone, and by the day of obtaining
create index "supplement_obtained" on "supplement" ("schoolId", "lisObtainDate", "lisId")
  include ("lisType", "lisLevel", "lisStatus", "source")
  where "delFlag" = '0';
-- the list of a kind within a period
create index "supplement_type" on "supplement" ("schoolId", "lisType", "lisObtainDate")
  where "delFlag" = '0';
-- the list by name
create index "supplement_name" on "supplement" ("schoolId", "lisName", "lisId")
  where "delFlag" = '0';
-- the list by hours
create index "supplement_hours" on "supplement" ("schoolId", "lisHours", "lisId")
  where "delFlag" = '0';
-- the list by the end of the public notice
create index "supplement_notice" on "supplement" ("schoolId", "lisPublictyEdate", "lisId")
  where "delFlag" = '0';
-- substring search (decision 004)
create index "supplement_name_grams" on "supplement" using gin (grams("lisName"));
-- substring search (decision 004)
create index "supplement_certificate_grams" on "supplement" using gin (grams("certNo"))
  where "certNo" <> '';
-- substring search (decision 004)
create index "supplement_award_grams" on "supplement" using gin (grams("lisAward"))
  where "lisAward" <> '';
-- records of a curriculum subtree
create index "supplement_path" on "supplement" using gin ("lsPath");
-- the job that ends public notices
create index "supplement_publicity" on "supplement" ("lisPublictyEdate")
  where "lisStatus" = '5';
-- the tabs of the list, from the index alone
create index "supplement_status" on "supplement" ("schoolId", "lisStatus", "createTime", "lisId")
  include ("suId", "lisType", "lisLevel", "source", "lisObtainDate")
  where "delFlag" = '0';
-- duplicates by certificate number
create index "supplement_certificate" on "supplement" ("schoolId", "certNo")
  where "certNo" <> '';
-- the records a person entered
create index "supplement_creator" on "supplement" ("schoolId", "createBy");
-- undoing an import
create index "supplement_import" on "supplement" ("schoolId", "importBatchId")
  where "importBatchId" is not null;
-- records that share a proof: duplicates
create index "supplement_proofs" on "supplement" using gin ("lisProofs");
-- statistics of supplements, from the index alone
create index "supplement_counted" on "supplement" ("schoolId", "createTime")
  include ("lisId", "suId", "lisStatus", "lisType", "lisLevel", "lisHours", "lsPath", "lisName", "lisAward")
  where "delFlag" = '0' and "lisStatus" in ('1', '2', '3', '5', '6');

-- How many supplement records there are of each kind: sums, and a row for what each statement since has changed; a job
-- sums them up. Rows are only added and removed, never updated: no writer waits for another one (decision 004).
create table "supplementCount" (
  "schoolId" text not null,
  "countNo" bigint generated always as identity,
  "deletedFlag" text not null,
  "lisStatus" text not null,
  "lisType" text not null,
  "lisLevel" text not null,
  "source" text not null,
  "lsPath" uuid[] not null,
  "records" int not null, -- records more, or fewer
  primary key ("schoolId", "countNo")
);
create function "supplement_count_insert"() returns trigger language plpgsql as $$
begin
  insert into "supplementCount"
    ("schoolId", "deletedFlag", "lisStatus", "lisType", "lisLevel", "source", "lsPath", "records")
  select "schoolId", "delFlag", "lisStatus", "lisType", "lisLevel", "source", "lsPath", count(*)
  from became
  group by 1, 2, 3, 4, 5, 6, 7;
  return null;
end $$;
create trigger "supplement_count_insert" after insert on "supplement"
  referencing new table as became
  for each statement execute function "supplement_count_insert"();
create function "supplement_count_delete"() returns trigger language plpgsql as $$
begin
  insert into "supplementCount"
    ("schoolId", "deletedFlag", "lisStatus", "lisType", "lisLevel", "source", "lsPath", "records")
  select "schoolId", "delFlag", "lisStatus", "lisType", "lisLevel", "source", "lsPath", -count(*)
  from was
  group by 1, 2, 3, 4, 5, 6, 7;
  return null;
end $$;
create trigger "supplement_count_delete" after delete on "supplement"
  referencing old table as was
  for each statement execute function "supplement_count_delete"();
create function "supplement_count_update"() returns trigger language plpgsql as $$
begin
  insert into "supplementCount"
    ("schoolId", "deletedFlag", "lisStatus", "lisType", "lisLevel", "source", "lsPath", "records")
  select "schoolId", "delFlag", "lisStatus", "lisType", "lisLevel", "source", "lsPath", sum("records")
  from (
    select "schoolId", "delFlag", "lisStatus", "lisType", "lisLevel", "source", "lsPath", 1 "records"
    from became
    union all
    select "schoolId", "delFlag", "lisStatus", "lisType", "lisLevel", "source", "lsPath", -1
    from was
  ) changed
  group by 1, 2, 3, 4, 5, 6, 7
  having sum("records") <> 0;
  return null;
end $$;
create trigger "supplement_count_update" after update on "supplement"
  referencing old table as was new table as became
  for each statement execute function "supplement_count_update"();

-- What students earned, as a ledger: rows are only added, a mistake is reversed by a further row (decision 007).
create table "creditLedger" (
  "schoolId" text not null,
  "clId" uuid not null,
  "suId" uuid not null,
  "clType" text not null, -- credit_type: 1 hours, 2 credit, 3 points, 4 volunteer hours, 5 ability (with sqlId)
  "lsId" uuid not null,
  "moduleId" uuid not null, -- the first node of the path of lsId
  "sqlId" uuid,
  "clValue" int not null, -- signed hundredths
  "source" text not null, -- LESSON, SUP, CONVERT, ADJUST, REVERSE
  "bizId" uuid not null,
  "bizName" text not null,
  "ruleVersion" int not null default 1,
  "explain" jsonb not null, -- how the value came about
  "occurTime" timestamptz not null, -- when the activity was; grantedAt is when it was entered
  "grantedAt" timestamptz not null default now(),
  "grantedBy" uuid,
  "reverseOf" uuid,
  primary key ("schoolId", "clId"),
  foreign key ("schoolId", "suId") references "person"
);
-- nothing is granted or reversed twice
create unique index "creditLedger_once" on "creditLedger" ("schoolId", "suId", "source", "bizId", "clType",
    coalesce("sqlId", '00000000-0000-0000-0000-000000000000'),
    coalesce("reverseOf", '00000000-0000-0000-0000-000000000000'));
-- what a course or record granted
create index "creditLedger_biz" on "creditLedger" ("schoolId", "bizId");
-- the score list across students reads one row (the hours) a record; pages and numbers from the index alone
create index "creditLedger_score" on "creditLedger" ("schoolId", "occurTime" desc, "clId")
  include ("suId", "lsId", "bizId")
  where "clType" = '1' and "reverseOf" is null;
-- substring search in the score list (decision 004)
create index "creditLedger_name_grams" on "creditLedger" using gin (grams("bizName"))
  where "clType" = '1';
-- how frequent a word is in it: the planner does not take that from an index of some of the rows
create statistics "creditLedger_name_words" on (grams("bizName")) from "creditLedger";
-- the score list of a module
create index "creditLedger_module" on "creditLedger" ("schoolId", "lsId", "occurTime" desc, "clId")
  include ("suId", "bizId")
  where "clType" = '1' and "reverseOf" is null;
-- what a student already has in a group of which only the best counts
create index "creditLedger_group" on "creditLedger" ("schoolId", "suId", (("explain" ->> 'bestGroup')))
  where "explain" ->> 'bestGroup' is not null;
-- entries since the nightly job of warnings last ran
create index "creditLedger_granted" on "creditLedger" ("schoolId", "grantedAt");
-- abilities earned in a period, from the index alone
create index "creditLedger_ability" on "creditLedger" ("schoolId", "occurTime")
  include ("suId", "sqlId", "clValue")
  where "clType" = '5' and "reverseOf" is null;
-- what was earned in a period, from the index alone
create index "creditLedger_earned" on "creditLedger" ("schoolId", "occurTime")
  include ("suId", "bizId", "moduleId", "clType", "clValue", "source")
  where "clType" in ('1', '2', '3') and "reverseOf" is null;
-- the reversals of an entry
create index "creditLedger_corrections" on "creditLedger" ("schoolId", "reverseOf")
  where "reverseOf" is not null;
-- reversals are few and go by the day of what they reverse: statistics
create index "creditLedger_reversal" on "creditLedger" ("schoolId", "clType")
  include ("suId", "sqlId", "clValue", "reverseOf")
  where "reverseOf" is not null;
create trigger "creditLedger_append_only" before update or delete on "creditLedger"
  for each row execute function refuse_change();
create trigger "creditLedger_no_truncate" before truncate on "creditLedger"
  execute function refuse_change();

-- Hours above the cap of a term that a student was granted; written once, never changed.
create table "overCap" (
  "schoolId" text not null references "school",
  "ocId" uuid not null,
  "suId" uuid not null,
  "tmName" text not null,
  "tmStart" date not null,
  "tmEnd" date not null,
  "hours" int not null check ("hours" > 0), -- hundredths
  "reason" text not null,
  "createBy" uuid not null,
  "createName" text not null,
  "createTime" timestamptz not null,
  primary key ("schoolId", "ocId"),
  foreign key ("schoolId", "suId") references "person"
);
-- what a student was granted
create index "overCap_student" on "overCap" ("schoolId", "suId");
`
