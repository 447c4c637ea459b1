import { sql, type RawBuilder } from 'kysely'
import { erasureKind, graduationStatus, type ErasureKind } from '../../../contract/core/codes/outcomes.ts'
import { personType, studentStatus } from '../../../contract/core/codes/school.ts'
import type { Context } from '../../core/request/context.ts'
import type { SchoolSettings } from '../../../contract/school/school/settings.ts'
import { runningCase } from './running-cases.ts'

type Reader = Pick<Context, 'db' | 'actor'>

/** The setting that says after how many years each kind is erased; 0 never. */
export const yearsOf = (settings: SchoolSettings, kind: ErasureKind): number =>
  kind === erasureKind.contacts ? settings.contactYears : settings.identityYears

const erasedColumn: Record<ErasureKind, string> = {
  [erasureKind.contacts]: 'contactsErased',
  [erasureKind.identity]: 'identityErased',
}

/**
 * Graduates of whom this kind has not been erased yet, with the day of their graduation: the later one of what their
 * record says and of the graduation by which they left; null where neither is known.
 */
const graduates = ({ actor }: Reader, kind: ErasureKind) => sql`
  select p."suId", p."holdReason",
    greatest(
      p."suiGraduateDate",
      (
        select max(b."doneTime")::date
        from "graduationRow" g
        join "graduationBatch" b on b."schoolId" = g."schoolId" and b."gbId" = g."gbId"
        where g."schoolId" = p."schoolId"
          and g."suId" = p."suId"
          and g."statusAfter" = ${sql.lit(studentStatus.graduated)}
          and b."gbStatus" = ${sql.lit(graduationStatus.done)}
      )
    ) "left"
  from "person" p
  where p."schoolId" = ${actor.schoolId}
    and p."suiType" = ${sql.lit(personType.student)}
    and p."suiStatus" = ${sql.lit(studentStatus.graduated)}
    and p."delFlag" = '0'
    and p."identityErased" is null
    and ${sql.ref(`p.${erasedColumn[kind]}`)} is null`

/** Of graduates `p` with the day they left: whose years are over on a day. */
const isOver = (years: number, day: string): RawBuilder<boolean> =>
  sql<boolean>`p."left" + make_interval(years => ${years}::int) <= ${day}::date`

/** How many graduates a kind of erasure concerns, and why some are left alone. */
interface ErasureCounts {
  /** Erased on that day. */
  due: number
  /** Their years are over, but something of theirs still runs. */
  running: number
  /** Their years are over, but they are to be kept. */
  held: number
  /** Nobody knows when they graduated. */
  undated: number
  /** When the years of the next of all others are over, as a day; null where there is none. */
  next: string | null
}

/** What an erasure would do on a day; nothing is changed. */
export async function countErasure(
  reader: Reader,
  kind: ErasureKind,
  years: number,
  day: string,
): Promise<ErasureCounts> {
  const { rows } = await sql<ErasureCounts>`
    with "graduate" as (${graduates(reader, kind)}),
    "counted" as (
      select p."left", ${isOver(years, day)} "over", p."holdReason" <> '' "held",
        case when ${isOver(years, day)} then ${runningCase(reader.actor.schoolId)} else false end "running"
      from "graduate" p
    )
    select
      (count(*) filter (where "over" and not "held" and not "running"))::int "due",
      (count(*) filter (where "over" and not "held" and "running"))::int "running",
      (count(*) filter (where "over" and "held"))::int "held",
      (count(*) filter (where "left" is null))::int "undated",
      (min("left") filter (where not "over") + make_interval(years => ${years}::int))::date::text "next"
    from "counted"`.execute(reader.db)
  return rows[0]!
}

/**
 * The next of those who are due on a day, by id; without a limit all of them.
 * @param among only these, to look at them again
 */
export async function dueGraduates(
  reader: Reader,
  kind: ErasureKind,
  { years, day, limit, among }: { years: number; day: string; limit?: number; among?: readonly string[] },
): Promise<string[]> {
  const { rows } = await sql<{ suId: string }>`
    select p."suId"
    from (${graduates(reader, kind)}) p
    where ${isOver(years, day)}
      and p."holdReason" = ''
      and ${among ? sql`p."suId" = any(${among}::uuid[])` : sql`true`}
      and not ${runningCase(reader.actor.schoolId)}
    order by p."suId"
    ${limit === undefined ? sql`` : sql`limit ${limit}`}`.execute(reader.db)
  return rows.map(({ suId }) => suId)
}
