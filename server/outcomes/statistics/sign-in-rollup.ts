import { sql, type RawBuilder } from 'kysely'

/**
 * When each person signed in, packed: 32-bit numbers, the highest byte first, in the order of time. For each day:
 * 32 times the day since 2000, and the sign-ins of that day; then for each hour with any the same number with the hour
 * and one added, and the sign-ins of that hour.
 * @param which a condition on `d`, the person's day
 */
export const signInsPacked = (schoolId: string, which: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    select ${schoolId} "schoolId", t."suId",
      string_agg(int4send(t."key") || int4send(t."times"), ''::bytea order by t."key") "days"
    from (
      select d."suId", (d."logDay" - '2000-01-01'::date) * 32 + h."place"::int - 1 "key", h."times"
      from "loginDay" d
      cross join lateral unnest(d."times" || d."hours") with ordinality h("times", "place")
      where d."schoolId" = ${schoolId} and ${which} and (h."place" = 1 or h."times" > 0)
    ) t
    group by t."suId"`
