import { sql, type RawBuilder } from 'kysely'
import { peopleKind, dayFigure } from '../../../contract/core/codes/outcomes.ts'
import { applyStatus, approvalStatus, creditType, resultStatus } from '../../../contract/core/codes/programme.ts'
import { studentStatus, personType } from '../../../contract/core/codes/school.ts'
import { allTakenBack } from '../../programme/credits/ledger.service.ts'
import { presentStatuses } from '../../programme/lessons/model/registration-counts.ts'

/**
 * What every rollup holds, as one query over the raw rows each: the refresh writes what they say for the keys that
 * changed, the rebuild for all keys, the check compares. There is no second wording of any of them.
 */

const ofType = (clType: string): RawBuilder<unknown> =>
  sql`coalesce(sum(c."clValue") filter (where c."clType" = ${sql.lit(clType)}), 0)`

/**
 * The records of students in their ledger (see `statementOf`): reversals are netted with what they reverse and go with
 * its day.
 */
export const records = (schoolId: string, which: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    select c."suId",
      c."bizId",
      c."moduleId",
      min(c."occurTime") "occurTime",
      ${ofType(creditType.hours)} "hours",
      ${ofType(creditType.credit)} "credit",
      ${ofType(creditType.points)} "points",
      case
        (array_agg(c."source" order by c."reverseOf" is not null, c."grantedAt", c."clId"))[1]
        when 'LESSON' then ${sql.lit(dayFigure.lesson)}
        when 'SUP' then ${sql.lit(dayFigure.supplement)}
        else ${sql.lit(dayFigure.other)}
      end "kind",
      not ${allTakenBack('c')} "stands"
    from "creditLedger" c
    where c."schoolId" = ${schoolId} and ${which}
    group by c."suId", c."bizId", c."moduleId"`

/** The kind of place that the person `p` is at, and a column that only students have. */
const kindOfPlace = sql`case p."suiType"
        when ${sql.lit(personType.student)} then ${sql.lit(peopleKind.students)}
        else ${sql.lit(peopleKind.staff)}
      end`
const ofStudent = (column: 'majorId' | 'scClassId' | 'suiGrade') =>
  sql`case p."suiType" when ${sql.lit(personType.student)} then ${sql.ref(`p.${column}`)} end`

/** Places that people are at. @param which a condition on `p`, the person */
export const placesOf = (schoolId: string, which: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    select distinct p."schoolId",
      ${kindOfPlace} "plKind",
      p."suiStatus" = ${sql.lit(studentStatus.enrolled)} "enrolled",
      p."suiCollegeId" "collegeId",
      ${ofStudent('majorId')} "majorId",
      ${ofStudent('scClassId')} "classId",
      nullif(${ofStudent('suiGrade')}, '') "grade"
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
            count(*) filter (where r."stands" and r."kind" = ${sql.lit(dayFigure.lesson)}) "activities",
            count(*) filter (where r."stands" and r."kind" = ${sql.lit(dayFigure.supplement)}) "sups",
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
      and pl."plKind" = ${kindOfPlace}
      and pl."enrolled" = (p."suiStatus" = ${sql.lit(studentStatus.enrolled)})
      and ${same('pl.collegeId', sql`p."suiCollegeId"`)}
      and ${same('pl.majorId', ofStudent('majorId'))}
      and ${same('pl.classId', ofStudent('scClassId'))}
      and coalesce(pl."grade", '') = coalesce(${ofStudent('suiGrade')}, '')`

/** What people have of each ability. @param whose a condition on `c`, the ledger */
export const abilityTotals = (schoolId: string, whose: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    select c."schoolId", c."suId", c."sqlId", sum(c."clValue")::int "score"
    from "creditLedger" c
    where c."schoolId" = ${schoolId}
      and c."clType" = ${sql.lit(creditType.ability)}
      and c."sqlId" is not null
      and ${whose}
    group by c."schoolId", c."suId", c."sqlId"`

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
      k."members", k."membersSigned", l."delFlag" = '1' "removed", l."liStatus", l."publishTime", l."startTime", l."liHours",
      l."liCollegeId", l."liDepartmentId", l."liCircleId", l."liPrincipalId", l."createBy", l."lsPath", l."liLevel",
      array(
        select x."suId"
        from "lessonPerson" x
        where x."schoolId" = l."schoolId" and x."liId" = l."liId" and x."lpRole" = 'teacher'
        order by x."suId"
      ) "teachers"
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
          not ${allTakenBack('c')} "stands"
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
