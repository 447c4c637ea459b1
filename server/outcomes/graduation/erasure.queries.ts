import { sql, type RawBuilder } from 'kysely'
import {
  applicationStatus,
  erasureKind,
  graduationStatus,
  type ErasureKind,
} from '../../../contract/core/codes/outcomes.ts'
import {
  approvalStatus,
  circleStatus,
  lessonStatus,
  questionStatus,
  supplementStatus,
  taskStatus,
} from '../../../contract/core/codes/programme.ts'
import { personType, studentStatus } from '../../../contract/core/codes/school.ts'
import type { Context } from '../../core/request/context.ts'
import type { SchoolSettings } from '../../../contract/school/school/settings.ts'

type Reader = Pick<Context, 'db' | 'actor'>

/** The setting that says after how many years each kind is erased; 0 never. */
export const yearsOf = (settings: SchoolSettings, kind: ErasureKind): number =>
  kind === erasureKind.contacts ? settings.contactYears : settings.identityYears

const erasedColumn: Record<ErasureKind, string> = {
  [erasureKind.contacts]: 'contactsErased',
  [erasureKind.identity]: 'identityErased',
}

const codes = (values: readonly string[]) => sql.join(values.map((value) => sql.lit(value)))

const endedLessons = [
  lessonStatus.completed,
  lessonStatus.archived,
  lessonStatus.unpublished,
  lessonStatus.cancelled,
  lessonStatus.abnormal,
]

/** Why a graduate is left alone: what still runs that is theirs or about them. */
const runningCase = (schoolId: string) => sql<boolean>`(
  exists (
    select from "approval" x
    where x."schoolId" = ${schoolId}
      and x."startBy" = p."suId"
      and x."insStatus" = ${sql.lit(approvalStatus.running)}
  )
  or exists (
    select from "approvalTask" x
    where x."schoolId" = ${schoolId}
      and x."checkerId" = p."suId"
      and x."taskStatus" = ${sql.lit(taskStatus.pending)}
  )
  or exists (
    select from "question" x
    where x."schoolId" = ${schoolId}
      and p."suId" in (x."targetSuId", x."reporterSuId")
      and x."delFlag" = '0'
      and x."qStatus" in (${codes([questionStatus.pending, questionStatus.inReview, questionStatus.overdue])})
  )
  or exists (
    select from "supplement" x
    where x."schoolId" = ${schoolId}
      and x."suId" = p."suId"
      and x."delFlag" = '0'
      and x."lisStatus" in (${codes([supplementStatus.inReview, supplementStatus.passed, supplementStatus.inNotice])})
  )
  or exists (
    select from "registration" x
    join "lesson" l on l."schoolId" = x."schoolId" and l."liId" = x."liId"
    where x."schoolId" = ${schoolId}
      and x."suId" = p."suId"
      and x."delFlag" = '0'
      and l."delFlag" = '0'
      and l."liStatus" not in (${codes(endedLessons)})
  )
  or exists (
    select from "lesson" x
    where x."schoolId" = ${schoolId}
      and x."liPrincipalId" = p."suId"
      and x."delFlag" = '0'
      and x."liStatus" not in (${codes(endedLessons)})
  )
  or exists (
    select from "circle" x
    where x."schoolId" = ${schoolId}
      and x."cpiPersonId" = p."suId"
      and x."delFlag" = '0'
      and x."ciStatus" <> ${sql.lit(circleStatus.dissolved)}
  )
  or exists (
    select from "transcriptApplication" x
    where x."schoolId" = ${schoolId}
      and x."suId" = p."suId"
      and x."taStatus" = ${sql.lit(applicationStatus.open)}
  )
)`

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
