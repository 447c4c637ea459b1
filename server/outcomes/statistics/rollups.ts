import { sql, type RawBuilder } from 'kysely'
import { applyStatus, approvalStatus, creditType, resultStatus } from '../../../contract/core/codes/programme.ts'
import { studentStatus } from '../../../contract/core/codes/school.ts'
import { presentStatuses } from '../../programme/lessons/model/registration-counts.ts'
import { undone } from '../../programme/credits/statement.service.ts'

/**
 * What every rollup holds, as one query over the raw rows each: the refresh writes what they say for the keys that
 * changed, the rebuild for all keys, the check compares. There is no second wording of any of them.
 */

/** Sums of the hour columns, one by one: arrays are not added by the database. */
const hourSums = (column: string): RawBuilder<unknown> =>
  sql`array[${sql.join(Array.from({ length: 24 }, (_, at) => sql`sum(${sql.ref(column)}[${sql.lit(at + 1)}])::int`))}]`

const ofType = (clType: string): RawBuilder<unknown> =>
  sql`coalesce(sum(c."clValue") filter (where c."clType" = ${sql.lit(clType)}), 0)`

/**
 * The records of students in their ledger (see `statementOf`): reversals are netted with what they reverse and go with
 * its day.
 */
const records = (schoolId: string, which: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    select c."suId",
      c."bizId",
      c."moduleId",
      min(c."occurTime") "occurTime",
      ${ofType(creditType.hours)} "hours",
      ${ofType(creditType.credit)} "credit",
      ${ofType(creditType.points)} "points",
      case
        (array_agg(c."source" order by c."reverseOf" is not null, c."grantedAt", c."clId"))[1]
        when 'LESSON' then 'L'
        when 'SUP' then 'S'
        else 'O'
      end "kind",
      not ${undone} "stands"
    from "creditLedger" c
    where c."schoolId" = ${schoolId} and ${which}
    group by c."suId", c."bizId", c."moduleId"`

/** Places that people are at. @param which a condition on `p`, the person */
export const placesOf = (schoolId: string, which: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    select distinct p."schoolId",
      case p."suiType" when '1' then '1' else '2' end "plKind",
      p."suiStatus" = ${sql.lit(studentStatus.enrolled)} "enrolled",
      p."suiCollegeId" "collegeId",
      case p."suiType" when '1' then p."majorId" end "majorId",
      case p."suiType" when '1' then p."scClassId" end "classId",
      nullif(case p."suiType" when '1' then p."suiGrade" end, '') "grade"
    from "person" p
    where p."schoolId" = ${schoolId} and p."delFlag" = '0' and ${which}`

/** The goal of graduation against modules and total: `p` holds a student's hours of all modules and of each. */
const met = (schoolId: string, totalHours: number): RawBuilder<unknown> => sql`
    (
      p."hours" >= ${totalHours}
      and not exists (
        select
        from "curriculum" m
        where m."schoolId" = ${schoolId}
          and m."lsPid" is null
          and m."enable" = '1'
          and m."required" = '1'
          and m."minHours" > coalesce((p."modules" ->> m."lsId"::text)::int, 0)
      )
    )`

/** Equality that holds for two that are not known, too, and by which tables can still be joined fast. */
const nowhere = sql`'00000000-0000-0000-0000-000000000000'::uuid`
const same = (column: string, value: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`coalesce(${sql.ref(column)}, ${nowhere}) = coalesce(${value}, ${nowhere})`

/**
 * Every person with their totals. They are put together before the places are looked up: how many people have a place
 * cannot be foreseen from the expressions it is found by, and the database, expecting one, would sum the whole ledger
 * up again for each.
 * @param which a condition on `p`, the person; @param whose the same people as a condition on `c`, the ledger
 */
export const personTotals = (
  schoolId: string,
  totalHours: number,
  which: RawBuilder<unknown>,
  whose: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
    with p as materialized (
      select p.*, t."modules", coalesce(t."hours", 0)::int "hours", coalesce(t."credit", 0)::int "credit",
        coalesce(t."points", 0)::int "points", coalesce(t."activities", 0)::int "activities",
        coalesce(t."sups", 0)::int "sups", t."lastTime"
      from (
        select p."schoolId", p."suId", p."suiType", p."suiSex", p."suiPolitical", p."suiCredibility", p."blackUntil",
          p."suiEnterDate", p."suiStatus", p."suiCollegeId", p."majorId", p."scClassId", p."suiGrade"
        from "person" p
        where p."schoolId" = ${schoolId} and p."delFlag" = '0' and ${which}
      ) p
      left join (
        select m."suId", sum(m."hours") "hours", sum(m."credit") "credit", sum(m."points") "points",
          sum(m."activities") "activities", sum(m."sups") "sups", max(m."lastTime") "lastTime",
          jsonb_object_agg(m."moduleId", m."hours") "modules"
        from (
          select r."suId", r."moduleId", sum(r."hours") "hours", sum(r."credit") "credit", sum(r."points") "points",
            count(*) filter (where r."stands" and r."kind" = 'L') "activities",
            count(*) filter (where r."stands" and r."kind" = 'S') "sups",
            max(r."occurTime") filter (where r."stands") "lastTime"
          from (${records(schoolId, whose)}) r
          group by r."suId", r."moduleId"
        ) m
        group by m."suId"
      ) t on t."suId" = p."suId"
    )
    select p."schoolId", p."suId", pl."plId", p."suiSex" "sex", p."suiPolitical" "political",
      p."suiCredibility" "credibility", p."blackUntil", p."suiEnterDate" "enterDate", p."hours", p."credit",
      p."points", p."activities", p."sups", p."lastTime", ${met(schoolId, totalHours)} "met"
    from p
    join "statPlace" pl
      on pl."schoolId" = p."schoolId"
      and pl."plKind" = case p."suiType" when '1' then '1' else '2' end
      and pl."enrolled" = (p."suiStatus" = ${sql.lit(studentStatus.enrolled)})
      and ${same('pl.collegeId', sql`p."suiCollegeId"`)}
      and ${same('pl.majorId', sql`case p."suiType" when '1' then p."majorId" end`)}
      and ${same('pl.classId', sql`case p."suiType" when '1' then p."scClassId" end`)}
      and coalesce(pl."grade", '') = coalesce(case p."suiType" when '1' then p."suiGrade" end, '')`

/** What people have of each ability. @param whose a condition on `c`, the ledger */
export const abilityTotals = (schoolId: string, whose: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    select c."schoolId", c."suId", c."sqlId", sum(c."clValue")::int "score"
    from "creditLedger" c
    where c."schoolId" = ${schoolId}
      and c."clType" = ${sql.lit(creditType.ability)}
      and c."sqlId" is not null
      and ${whose}
    group by c."schoolId", c."suId", c."sqlId"`

/**
 * What the people of places earned by day.
 * @param whose a condition on `c`, the ledger; @param there one on `s`, the person's totals
 */
export const earnedByDay = (
  schoolId: string,
  whose: RawBuilder<unknown>,
  there: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
    select ${schoolId} "schoolId", s."plId", r."occurTime"::date "stDay", r."kind" "stKind", r."moduleId" "item",
      sum(r."hours")::int "hours", sum(r."credit")::int "credit", (count(*) filter (where r."stands"))::int "records"
    from (${records(schoolId, whose)}) r
    join "statPerson" s on s."schoolId" = ${schoolId} and s."suId" = r."suId" and ${there}
    group by 2, 3, 4, 5
    union all
    select ${schoolId}, s."plId", r."occurTime"::date, 'A', r."sqlId", sum(r."score")::int, 0, count(*)::int
    from (
      select c."suId", c."bizId", c."sqlId", min(c."occurTime") "occurTime", sum(c."clValue") "score"
      from "creditLedger" c
      where c."schoolId" = ${schoolId}
        and c."clType" = ${sql.lit(creditType.ability)}
        and c."sqlId" is not null
        and ${whose}
      group by c."suId", c."bizId", c."sqlId"
    ) r
    join "statPerson" s on s."schoolId" = ${schoolId} and s."suId" = r."suId" and ${there}
    group by 2, 3, 5`

/**
 * Sign-ins of places by day.
 * @param which a condition on `d`, the person's day; @param there one on `s`, the person's totals
 */
export const loginsByDay = (
  schoolId: string,
  which: RawBuilder<unknown>,
  there: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
    select d."schoolId", s."plId", d."logDay", count(*)::int "people", sum(d."times")::int "times",
      ${hourSums('d.hours')} "hours"
    from "loginDay" d
    join "statPerson" s on s."schoolId" = d."schoolId" and s."suId" = d."suId" and ${there}
    where d."schoolId" = ${schoolId} and ${which}
    group by d."schoolId", s."plId", d."logDay"`

/** The days on which people signed in, as bits of a year: the first stands for 1 January. */
export const loginYears = (schoolId: string, which: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    select d."schoolId", d."suId", extract(year from d."logDay")::int "logYear",
      bit_or(set_bit(repeat('0', 366)::bit(366), extract(doy from d."logDay")::int - 1, 1)) "days"
    from "loginDay" d
    where d."schoolId" = ${schoolId} and ${which}
    group by 1, 2, 3`

const present = sql`r."laStatus" = ${sql.lit(applyStatus.accepted)}
  and r."laSignStatus" = any(${presentStatuses}::text[])`

/** Every course with what became of it. @param which a condition on `l`, the course */
export const lessonTotals = (schoolId: string, which: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    select l."schoolId", l."liId", coalesce(r."applied", 0)::int "applied", coalesce(r."passed", 0)::int "passed",
      coalesce(r."signed", 0)::int "signed", coalesce(r."qualified", 0)::int "qualified",
      coalesce(g."granted", 0)::int "granted", coalesce(g."hours", 0)::int "hours",
      (select count(*)::int from "lessonSession" x where x."schoolId" = l."schoolId" and x."liId" = l."liId")
      "sessions", coalesce(r."stars", '{0,0,0,0,0}'::int[]) "stars",
      coalesce(a."decideSeconds", 0)::bigint "decideSeconds", coalesce(a."decided", 0)::int "decided", a."firstPass",
      k."members", k."membersSigned"
    from "lesson" l
    left join lateral (
      select count(*) "applied", count(*) filter (where r."laStatus" = ${sql.lit(applyStatus.accepted)}) "passed",
        count(*) filter (where ${present}) "signed",
        count(*) filter (
          where r."laStatus" = ${sql.lit(applyStatus.accepted)}
            and r."laResult" in (${sql.lit(resultStatus.passed)}, ${sql.lit(resultStatus.awarded)})
        ) "qualified",
        array[
          ${sql.join([1, 2, 3, 4, 5].map((star) => sql`(count(*) filter (where r."laStars" = ${sql.lit(star)}))::int`))}
        ] "stars"
      from "registration" r
      where r."schoolId" = l."schoolId" and r."liId" = l."liId" and r."delFlag" = '0'
    ) r on true
    left join lateral (
      select count(*) filter (where g."stands") "granted", sum(g."hours") "hours"
      from (
        select c."suId",
          coalesce(sum(c."clValue") filter (where c."clType" = ${sql.lit(creditType.hours)}), 0) "hours",
          not ${undone} "stands"
        from "creditLedger" c
        where c."schoolId" = l."schoolId" and c."bizId" = l."liId"
        group by c."suId"
      ) g
    ) g on true
    left join lateral (
      select sum(extract(epoch from a."endTime" - a."startTime")) filter (
        where a."insStatus" in (${sql.lit(approvalStatus.passed)}, ${sql.lit(approvalStatus.refused)})
          and a."endTime" is not null
      ) "decideSeconds",
        count(*) filter (
          where a."insStatus" in (${sql.lit(approvalStatus.passed)}, ${sql.lit(approvalStatus.refused)})
            and a."endTime" is not null
        ) "decided",
        (
          array_agg(a."insStatus" = ${sql.lit(approvalStatus.passed)} order by a."startTime", a."insId") filter (where
            a."insStatus" in (${sql.lit(approvalStatus.passed)}, ${sql.lit(approvalStatus.refused)}))
        )[1] "firstPass"
      from "approval" a
      where a."schoolId" = l."schoolId" and a."bizId" = l."liId" and a."bizType" = 'publish'
    ) a on true
    left join lateral (
      select count(*)::int "members",
        (
          count(*) filter (
            where exists (
              select
              from "registration" r
              where r."schoolId" = l."schoolId"
                and r."liId" = l."liId"
                and r."suId" = m."suId"
                and r."delFlag" = '0'
                and ${present}
            )
          )
        )::int "membersSigned"
      from "circleMember" m
      where m."schoolId" = l."schoolId"
        and m."ciId" = l."liCircleId"
        and m."joinTime" <= l."startTime"
        and (m."quitTime" is null or m."quitTime" > l."startTime")
    ) k on true
    where l."schoolId" = ${schoolId} and ${which}`
