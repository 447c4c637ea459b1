import { sql, type Kysely } from 'kysely'

/**
 * What a school's data platform may read (decision 102): views of its own school alone, without ways to reach people
 * and without identity numbers. Their columns never change; what is new comes as `platform_v2`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create table "platformReader" (
  "schoolId" text not null references "school" ("schoolId"),
  "roleName" text not null unique,
  "endDate" date not null,
  "createTime" timestamptz not null default now(),
  primary key ("schoolId")
);
comment on table "platformReader" is 'roles of the database that read the views of platform_v1, one a school';

create schema if not exists platform_v1;
`,
    )
    .execute(db)
  for (const [name, query] of Object.entries(views))
    await sql
      .raw(
        `create view platform_v1.${name} with (security_barrier) as
with own as (select "schoolId" from "platformReader" where "roleName" = session_user)
${query}`,
      )
      .execute(db)
}

/** A moment as wall-clock text of Asia/Shanghai is: without zone. */
const wall = (column: string) => `${column} at time zone 'Asia/Shanghai'`
/** Hundredths as a number with two decimals. */
const amount = (column: string) => `(${column} / 100.0)::numeric(12, 2)`

const views: Record<string, string> = {
  students: `
select p."suId" as student_id, p."suiNumber" as student_number, p."suiName" as name, c."scName" as college,
  m."smName" as major, k."scClassName" as class, p."suiGrade" as grade, p."suiEduLevel" as education_level,
  p."suiStatus" as status, p."suiEnterDate" as entered_on, p."suiGraduateDate" as graduates_on,
  ${wall('p."updateTime"')} as updated_at
from own
join "person" p on p."schoolId" = own."schoolId" and p."suiType" = '1' and p."delFlag" = '0'
left join "college" c on c."schoolId" = p."schoolId" and c."scId" = p."suiCollegeId"
left join "major" m on m."schoolId" = p."schoolId" and m."smId" = p."majorId"
left join "schoolClass" k on k."schoolId" = p."schoolId" and k."scClassId" = p."scClassId"`,
  modules: `
select n."lsId" as module_id, n."lsPid" as parent_id, n."lsName" as name, n."lsCode" as code,
  n."required" = '1' as is_required, ${amount('n."minHours"')} as required_hours, n."enable" = '1' as is_enabled
from own
join "curriculum" n on n."schoolId" = own."schoolId"`,
  activities: `
select l."liId" as activity_id, l."liNo" as activity_number, l."liName" as name, l."lsId" as module_id,
  l."liLevel" as level, v."llName" as level_name, l."liStatus" as status, c."scName" as college,
  l."quota" as places, l."applyCount" as registrations, ${wall('l."startTime"')} as starts_at,
  ${wall('l."endTime"')} as ends_at, ${amount('l."liHours"')} as hours, ${amount('l."liCredit"')} as credit,
  ${wall('l."updateTime"')} as updated_at
from own
join "lesson" l on l."schoolId" = own."schoolId" and l."delFlag" = '0'
left join "lessonLevel" v on v."schoolId" = l."schoolId" and v."llId" = l."liLevel"
left join "college" c on c."schoolId" = l."schoolId" and c."scId" = l."liCollegeId"`,
  participations: `
select r."laId" as participation_id, r."liId" as activity_id, r."suId" as student_id, r."laStatus" as status,
  r."laSignStatus" as attendance, r."laResult" as result, r."awardName" as award,
  ${wall('r."applyTime"')} as registered_at, ${wall('r."signInTime"')} as signed_in_at,
  ${wall('r."signOutTime"')} as signed_out_at, ${wall('r."updateTime"')} as updated_at
from own
join "registration" r on r."schoolId" = own."schoolId" and r."delFlag" = '0'`,
  credits: `
select e."clId" as entry_id, e."suId" as student_id, e."clType" as kind, e."moduleId" as module_id,
  e."lsId" as node_id, ${amount('e."clValue"')} as amount, e."source" as source, e."bizId" as record_id,
  e."bizName" as record_name, e."reverseOf" as reverses, ${wall('e."occurTime"')} as occurred_at,
  ${wall('e."grantedAt"')} as granted_at
from own
join "creditLedger" e on e."schoolId" = own."schoolId"`,
  supplements: `
select s."lisId" as supplement_id, s."suId" as student_id, s."lisName" as name, s."lsId" as module_id,
  s."lisType" as type, s."lisLevel" as level, s."lisAward" as award, s."lisObtainDate" as obtained_on,
  s."lisStatus" as status, ${amount('s."lisHours"')} as hours, ${wall('s."updateTime"')} as updated_at
from own
join "supplement" s on s."schoolId" = own."schoolId" and s."delFlag" = '0' and s."lisStatus" <> '0'`,
  transcripts: `
select t."tiId" as issue_id, t."suId" as student_id, t."tiExtract" as extract, t."tiLang" as language,
  t."tiStatus" as status, ${wall('t."issueTime"')} as issued_at, ${wall('t."endTime"')} as ended_at
from own
join "transcriptIssue" t on t."schoolId" = own."schoolId"`,
}
