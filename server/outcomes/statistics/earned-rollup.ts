import { sql, type RawBuilder } from 'kysely'
import { approvalStatus, creditType, supplementStatus } from '../../../contract/core/codes/programme.ts'
import { earnedKind } from './earned-format.ts'
import { records } from './rollups.ts'

/** Seconds of wall-clock time since 2000, which fit into 32 bits until 2068. */
export const seconds = (column: string): RawBuilder<unknown> =>
  sql`(floor(extract(epoch from ${sql.ref(column)} at time zone 'Asia/Shanghai'))::bigint - 946684800)::int`

/** The course `l` and the supplement `u` that an entry or record came from: one of them, or none. */
const joinSource = (from: string) => sql`
      left join "lesson" l on l."schoolId" = ${sql.ref(`${from}.schoolId`)} and l."liId" = ${sql.ref(`${from}.bizId`)}
      left join "supplement" u on u."schoolId" = ${sql.ref(`${from}.schoolId`)} and u."lisId" = ${sql.ref(`${from}.bizId`)}`
const path = sql`coalesce(l."lsPath", u."lsPath", '{}')`
const level = sql`coalesce(l."liLevel", u."lisLevel", '')`

/** Of rows `n` those that `statItem` does not have. */
const unknown = (rows: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    select n.*
    from (${rows}) n
    where not exists (
      select
      from "statItem" i
      where i."schoolId" = n."schoolId" and i."item" = n."item" and i."path" = n."path" and i."level" = n."level"
    )`

/** What records and abilities name by number, as far as it has none yet. @param whose a condition on `c`, the ledger */
export const newItems = (schoolId: string, whose: RawBuilder<unknown>): RawBuilder<unknown> =>
  unknown(sql`
      select distinct c."schoolId", c."moduleId" "item", ${path} "path", ${level} "level"
      from (
        select distinct c."schoolId", c."moduleId", c."bizId"
        from "creditLedger" c
        where c."schoolId" = ${schoolId} and ${whose}
      ) c
      ${joinSource('c')}
      union
      select distinct c."schoolId", c."sqlId", '{}'::uuid[], ''
      from "creditLedger" c
      where c."schoolId" = ${schoolId}
        and c."clType" = ${sql.lit(creditType.ability)}
        and c."sqlId" is not null
        and ${whose}`)

/** The module of a supplement `u`. */
const moduleOf = sql`coalesce(u."lsPath"[1], u."lsId")`

/** What supplements name by number, as far as it has none yet. @param whose a condition on `u`, the supplement */
export const newItemsOfSupplements = (schoolId: string, whose: RawBuilder<unknown>): RawBuilder<unknown> =>
  unknown(sql`
      select distinct u."schoolId", ${moduleOf} "item", u."lsPath" "path", u."lisLevel" "level"
      from "supplement" u
      where u."schoolId" = ${schoolId} and ${whose}`)

/** That an approval `x` of a supplement has ended with a decision. */
export const decided = sql`x."bizType" = 'supplement'
  and x."insStatus" in (${sql.lit(approvalStatus.passed)}, ${sql.lit(approvalStatus.refused)})
  and x."endTime" is not null`

/** What the ledger holds of a supplement, in hundredths of hours: what caps and best-only groups left of it. */
export const grantedHours = (supplement: string): RawBuilder<number> => sql<number>`(
    select coalesce(sum(c."clValue"), 0)::int
    from "creditLedger" c
    where c."schoolId" = ${sql.ref(`${supplement}.schoolId`)}
      and c."bizId" = ${sql.ref(`${supplement}.lisId`)}
      and c."suId" = ${sql.ref(`${supplement}.suId`)}
      and c."clType" = ${sql.lit(creditType.hours)}
  )`

/** That a supplement `u` was handed in and stands. */
const isHandedIn = sql`u."delFlag" = '0'
  and u."lisStatus" in (
    ${sql.lit(supplementStatus.inReview)}, ${sql.lit(supplementStatus.passed)}, ${sql.lit(supplementStatus.refused)},
    ${sql.lit(supplementStatus.inNotice)}, ${sql.lit(supplementStatus.credited)}
  )`

/**
 * The supplements that each student handed in, packed as `earned-format.ts` says. Those of one name, level and award
 * share a number.
 * @param whose a condition on `u`, the supplement
 */
export const supplementsPacked = (schoolId: string, whose: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    select ${schoolId} "schoolId", r."suId",
      string_agg(
        int4send(r."at") || int4send(r."itId") || int4send(r."codes") || int4send(r."hours")
          || int4send(case when r."alike" > 1 then r."same" else 0 end) || int4send(r."seconds")
          || int4send(r."decided"),
        ''::bytea
        order by r."at", r."lisId"
      ) "records"
    from (
      select u."suId", u."lisId", ${seconds('u.createTime')} "at", i."itId",
        u."lisStatus"::int * 256 + u."lisType"::int "codes",
        case when u."lisStatus" = ${sql.lit(supplementStatus.credited)} then ${grantedHours('u')} else u."lisHours" end
        "hours",
        count(*) over (partition by u."suId", u."lisName", u."lisLevel", u."lisAward") "alike",
        (dense_rank() over (partition by u."suId" order by u."lisName", u."lisLevel", u."lisAward"))::int "same",
        coalesce(a."seconds", 0)::int "seconds", coalesce(a."decided", 0)::int "decided"
      from "supplement" u
      join "statItem" i
        on i."schoolId" = u."schoolId" and i."item" = ${moduleOf} and i."path" = u."lsPath" and i."level" = u."lisLevel"
      left join lateral (
        select sum(extract(epoch from x."endTime" - x."startTime")) "seconds", count(*) "decided"
        from "approval" x
        where x."schoolId" = u."schoolId" and x."bizId" = u."lisId" and ${decided}
      ) a on true
      where u."schoolId" = ${schoolId} and ${isHandedIn} and ${whose}
    ) r
    group by r."suId"`

/**
 * What each person earned, packed as `earned-format.ts` says; the same records as in every other rollup. Records and
 * abilities are put together before their numbers are looked up: how many there are cannot be foreseen, and the
 * database, expecting few, would go through the ledger for each number.
 * @param whose a condition on `c`, the ledger
 */
export const earnedPacked = (schoolId: string, whose: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    with r as materialized (
      select r.*, ${path} "path", ${level} "level"
      from (select ${schoolId} "schoolId", r.* from (${records(schoolId, whose)}) r) r
      ${joinSource('r')}
    ), c as materialized (
      select c."suId", c."bizId", c."sqlId", min(c."occurTime") "occurTime", sum(c."clValue")::int "score"
      from "creditLedger" c
      where c."schoolId" = ${schoolId}
        and c."clType" = ${sql.lit(creditType.ability)}
        and c."sqlId" is not null
        and ${whose}
      group by c."suId", c."bizId", c."sqlId"
    )
    select ${schoolId} "schoolId", r."suId", r."records", coalesce(a."abilities", ''::bytea) "abilities"
    from (
      select r."suId",
        string_agg(
          int4send(r."at") || int4send(r."what") || int4send(r."hours") || int4send(r."credit"),
          ''::bytea
          order by r."at", r."what", r."bizId"
        ) "records"
      from (
        select r."suId", r."bizId", ${seconds('r.occurTime')} "at",
          i."itId" * 8
            + case r."kind" ${sql.join(
              Object.entries(earnedKind).map(([kind, number]) => sql`when ${sql.lit(kind)} then ${sql.lit(number)}`),
              sql` `,
            )} end
            + case when r."stands" then 4 else 0 end "what",
          r."hours"::int "hours", r."credit"::int "credit"
        from r
        join "statItem" i
          on i."schoolId" = ${schoolId}
          and i."item" = r."moduleId"
          and i."path" = r."path"
          and i."level" = r."level"
      ) r
      group by r."suId"
    ) r
    left join (
      select a."suId",
        string_agg(
          int4send(a."at") || int4send(a."itId") || int4send(a."score"),
          ''::bytea
          order by a."at", a."itId", a."bizId"
        ) "abilities"
      from (
        select c."suId", c."bizId", i."itId", ${seconds('c.occurTime')} "at", c."score"
        from c
        join "statItem" i
          on i."schoolId" = ${schoolId} and i."item" = c."sqlId" and i."path" = '{}' and i."level" = ''
      ) a
      group by a."suId"
    ) a on a."suId" = r."suId"`
