import { sql, type RawBuilder } from 'kysely'
import { creditType } from '../../../contract/core/codes/programme.ts'
import { earnedKind } from './earned-format.ts'
import { records } from './rollups.ts'

/** Seconds of wall-clock time since 2000, which fit into 32 bits until 2068. */
const seconds = (column: string) =>
  sql`(floor(extract(epoch from ${sql.ref(column)} at time zone 'Asia/Shanghai'))::bigint - 946684800)::int`

/** The course `l` and the supplement `u` that an entry or record came from: one of them, or none. */
const joinSource = (from: string) => sql`
      left join "lesson" l on l."schoolId" = ${sql.ref(`${from}.schoolId`)} and l."liId" = ${sql.ref(`${from}.bizId`)}
      left join "supplement" u on u."schoolId" = ${sql.ref(`${from}.schoolId`)} and u."lisId" = ${sql.ref(`${from}.bizId`)}`
const path = sql`coalesce(l."lsPath", u."lsPath", '{}')`
const level = sql`coalesce(l."liLevel", u."lisLevel", '')`

/** What records and abilities name by number, as far as it has none yet. @param whose a condition on `c`, the ledger */
export const newItems = (schoolId: string, whose: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    select n.*
    from (
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
        and ${whose}
    ) n
    where not exists (
      select
      from "statItem" i
      where i."schoolId" = n."schoolId" and i."item" = n."item" and i."path" = n."path" and i."level" = n."level"
    )`

/**
 * What each person earned, packed as `earned-format.ts` says; the same records as in every other rollup.
 * @param whose a condition on `c`, the ledger
 */
export const earnedPacked = (schoolId: string, whose: RawBuilder<unknown>): RawBuilder<unknown> => sql`
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
        from (select ${schoolId} "schoolId", r.* from (${records(schoolId, whose)}) r) r
        ${joinSource('r')}
        join "statItem" i
          on i."schoolId" = r."schoolId" and i."item" = r."moduleId" and i."path" = ${path} and i."level" = ${level}
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
        from (
          select c."schoolId", c."suId", c."bizId", c."sqlId", min(c."occurTime") "occurTime",
            sum(c."clValue")::int "score"
          from "creditLedger" c
          where c."schoolId" = ${schoolId}
            and c."clType" = ${sql.lit(creditType.ability)}
            and c."sqlId" is not null
            and ${whose}
          group by c."schoolId", c."suId", c."bizId", c."sqlId"
        ) c
        join "statItem" i
          on i."schoolId" = c."schoolId" and i."item" = c."sqlId" and i."path" = '{}' and i."level" = ''
      ) a
      group by a."suId"
    ) a on a."suId" = r."suId"`
