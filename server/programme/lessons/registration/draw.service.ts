import { sql } from 'kysely'
import type { Checked } from '../../../../contract/core/call.ts'
import { yesNo } from '../../../../contract/core/codes/platform.ts'
import { applyStatus, applyWay } from '../../../../contract/core/codes/programme.ts'
import { labelOf } from '../../../../contract/core/dictionary.ts'
import { Failure } from '../../../../contract/core/failure.ts'
import type { FileAnswer } from '../../../../contract/core/file.ts'
import { admissionApi } from '../../../../contract/programme/lessons/admission.calls.ts'
import { isTeamCourse } from '../../../../contract/programme/lessons/team-fields.ts'
import { recordset } from '../../../core/database/bulk.ts'
import { addMinutes } from '../../../core/base/clock.ts'
import { from } from '../../../core/database/tenant.ts'
import type { Context } from '../../../core/request/context.ts'
import { schoolSettings } from '../../../school/school/settings.service.ts'
import { promiseSeed } from '../model/draw-seed.ts'
import { drawOrder, ticketOf } from '../model/draw.ts'
import { refusalOf } from '../model/lesson-life.ts'
import { lessonFor, reachLesson, lessonAuthorities, type ReachedLesson } from '../model/lessons.queries.ts'
import { notifyStudents } from './registration-notify.service.ts'
import { moveCounters } from './registration-write.ts'
import { auditPeople, withCourseQueue } from './registration.service.ts'
import { formAnew } from './team-members.ts'
import { groupsOf, seatGroups } from '../model/seats.ts'
import { seatsOf } from '../model/seats.queries.ts'

/** What was drawn: registrations, or teams where those register. */
type Ranked = [drawnId: string, laStatus: string][]
/** Rows of the draw that the screen shows; the sheet has all. */
const maxShown = 200

const drawOf = (ctx: Pick<Context, 'db' | 'actor'>, liId: string) =>
  from(ctx, 'lessonDraw').selectAll().where('liId', '=', liId).executeTakeFirst()

/** Draws lots among all who applied; the course must be over its deadline and not have drawn. */
export function drawLots(ctx: Context, { liId }: Checked<typeof admissionApi.draw>) {
  return withCourseQueue(ctx, liId, async (tx) => {
    const lesson = await lessonFor(tx, 'admit', liId)
    if (lesson.applyWay !== applyWay.draw) throw new Failure('not-a-lottery')
    if (lesson.applyEnd !== null && tx.clock.now() <= lesson.applyEnd)
      throw new Failure('draw-early', { time: lesson.applyEnd.slice(0, 16) })
    return drawLocked(tx, lesson)
  })
}

interface Entrant {
  laId: string
  teamId: string | null
  suId: string
  suiName: string
  suiNumber: string
  suiCollegeId: string | null
  laSignStatus: string
  laResult: string
}

/**
 * The draw itself, for a locked course: winners are admitted while places last, the others wait in the order of the
 * draw or are told. A team draws one ticket, and wins or loses as a whole.
 */
export async function drawLocked(ctx: Context, lesson: ReachedLesson) {
  const { schoolId, suNickname } = ctx.actor
  const { liId } = lesson
  const now = ctx.clock.now()
  await promiseSeed(ctx, liId)
  const promised = (await drawOf(ctx, liId))!
  if (promised.drawnTime !== null) throw new Failure('drawn-already', { time: promised.drawnTime.slice(0, 16) })
  const { rows: entrants } = await sql<Entrant>`
      select r."laId", r."teamId", r."suId", p."suiName", p."suiNumber", p."suiCollegeId", r."laSignStatus", r."laResult"
      from "registration" r
      join "person" p on p."schoolId" = r."schoolId" and p."suId" = r."suId"
      where r."schoolId" = ${schoolId}
        and r."liId" = ${liId}::uuid
        and r."delFlag" = '0'
        and r."laStatus" = ${sql.lit(applyStatus.pending)}
      order by r."laId"
      for update of r`.execute(ctx.db)
  if (entrants.length === 0) throw new Failure('no-entrants')
  const order = drawOrder(
    promised.seed,
    groupsOf(entrants).map((group) => ({ laId: group[0]!.teamId ?? group[0]!.laId, group })),
  )
  const seats = await seatsOf(ctx, lesson)
  const { seated, left } = seatGroups(
    order.map(({ group }) => group),
    seats,
  )
  const won = new Set(seated)
  const otherwise = lesson.waitlistOn === yesNo.yes ? applyStatus.waitlisted : applyStatus.refused
  const waitOf = new Map(groupsOf(left).flatMap((group, at) => group.map(({ laId }) => [laId, at + 1] as const)))
  const rows = order.flatMap(({ group }, at) =>
    group.map((one) => ({
      laId: one.laId,
      laStatus: won.has(one) ? applyStatus.accepted : otherwise,
      drawNo: at + 1,
      waitNo: won.has(one) || otherwise !== applyStatus.waitlisted ? null : waitOf.get(one.laId)!,
      refuseReason: won.has(one) || otherwise === applyStatus.waitlisted ? '' : '未中签',
    })),
  )
  await sql`
    update "registration" t
    set "laStatus" = r."laStatus",
      "drawNo" = r."drawNo",
      "waitNo" = r."waitNo",
      "refuseReason" = r."refuseReason",
      "auditTime" = ${now}::timestamptz,
      "updateTime" = ${now}::timestamptz,
      "version" = t."version" + 1
    from ${recordset(rows, { laId: 'uuid', laStatus: 'text', drawNo: 'int', waitNo: 'int', refuseReason: 'text' })}
    where t."schoolId" = ${schoolId} and t."laId" = r."laId"`.execute(ctx.db)
  const byId = new Map(rows.map((row) => [row.laId, row.laStatus]))
  if (otherwise === applyStatus.refused) await formAnew(ctx, left)
  await moveCounters(
    ctx,
    liId,
    entrants.map((row) => ({ ...row, laStatus: applyStatus.pending })),
    entrants.map((row) => ({ ...row, laStatus: byId.get(row.laId)! })),
  )
  const ranked: Ranked = order.map(({ laId, group }) => [laId, byId.get(group[0]!.laId)!])
  await ctx.db
    .updateTable('lessonDraw')
    .set({ drawnTime: now, drawnBy: suNickname, places: seats.free, ranked: JSON.stringify(ranked) })
    .where('schoolId', '=', schoolId)
    .where('liId', '=', liId)
    .execute()
  await auditPeople(ctx, admissionApi.draw.summary, lesson, seated, {
    digest: promised.digest,
    seed: promised.seed,
    entrants: entrants.length,
  })
  await notifyStudents(
    ctx,
    lesson,
    seated.map(({ suId }) => suId),
    'drawn',
  )
  await notifyStudents(
    ctx,
    lesson,
    left.map(({ suId }) => suId),
    otherwise === applyStatus.waitlisted ? 'waiting' : 'notDrawn',
  )
  return {
    affected: seated.length,
    waiting: otherwise === applyStatus.waitlisted ? left.length : 0,
    refused: otherwise === applyStatus.refused ? left.length : 0,
    seed: promised.seed,
  }
}

interface Person {
  laId: string
  suiName: string
  suiNumber: string
}

/** Who took part, by registration or team; those deleted since are not named. */
async function entrantsNamed(
  { db, actor }: Context,
  lesson: ReachedLesson,
  laIds: readonly string[],
): Promise<Map<string, Person>> {
  const { rows } = isTeamCourse(lesson)
    ? await sql<Person>`
      select t."teamId" as "laId", t."teamName" as "suiName", count(r."laId") || ' 人' as "suiNumber"
      from "team" t
      left join "registration" r on r."schoolId" = t."schoolId" and r."teamId" = t."teamId" and r."delFlag" = '0'
      where t."schoolId" = ${actor.schoolId} and t."teamId" = any(${laIds}::uuid[])
      group by t."teamId", t."teamName"`.execute(db)
    : await sql<Person>`
      select r."laId", p."suiName", p."suiNumber"
      from "registration" r
      join "person" p on p."schoolId" = r."schoolId" and p."suId" = r."suId"
      where r."schoolId" = ${actor.schoolId} and r."laId" = any(${laIds}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.laId, row]))
}

/** How many would take part in a draw now: people, or teams where those register. */
async function waitingForDraw(ctx: Context, lesson: ReachedLesson): Promise<number> {
  if (!isTeamCourse(lesson)) return lesson.pendingCount
  const { n } = await from(ctx, 'registration')
    .select(sql<number>`count(distinct "teamId")::int`.as('n'))
    .where('liId', '=', lesson.liId)
    .where('laStatus', '=', applyStatus.pending)
    .executeTakeFirstOrThrow()
  return n
}

/** What is known of a course's draw: before it the digest of its seed, after it the seed and what everybody drew. */
export async function drawInfo(ctx: Context, { liId }: Checked<typeof admissionApi.drawInfo>) {
  const lesson = await reachLesson(ctx, liId)
  if (lesson.applyWay !== applyWay.draw) return null
  const rules = await schoolSettings(ctx, ctx.actor.schoolId)
  const draw = await drawOf(ctx, liId)
  const drawn = draw?.drawnTime != null
  const ranked = (draw?.ranked ?? []) as Ranked
  const shown = ranked.slice(0, maxShown)
  const people = await entrantsNamed(
    ctx,
    lesson,
    shown.map(([laId]) => laId),
  )
  const now = ctx.clock.now()
  const allowed =
    !drawn &&
    (lesson.applyEnd === null || now > lesson.applyEnd) &&
    !refusalOf('admit', lesson, lessonAuthorities(ctx.actor, rules)(lesson), now)
  return {
    digest: draw?.digest ?? '',
    committedTime: draw?.committedTime ?? null,
    seed: drawn ? draw.seed : null,
    drawnTime: draw?.drawnTime ?? null,
    drawnBy: draw?.drawnBy ?? '',
    places: draw?.places ?? null,
    entrants: drawn ? ranked.length : await waitingForDraw(ctx, lesson),
    ranked: shown.map(([laId, laStatus], at) => ({
      drawNo: at + 1,
      laId,
      laStatus,
      ticket: ticketOf(draw!.seed, laId),
      suiName: people.get(laId)?.suiName ?? '（已删除）',
      suiNumber: people.get(laId)?.suiNumber ?? '',
    })),
    opens: lesson.applyEnd,
    due: lesson.applyEnd && addMinutes(lesson.applyEnd, 60 * rules.pickHours),
    can: allowed ? ['draw' as const] : [],
  }
}

/** The whole draw as a text table that any digest tool can check. Students are named by registration number only. */
export async function drawSheet(ctx: Context, { liId }: Checked<typeof admissionApi.drawSheet>): Promise<FileAnswer> {
  const lesson = await reachLesson(ctx, liId)
  const draw = lesson.applyWay === applyWay.draw ? await drawOf(ctx, liId) : undefined
  if (!draw || draw.drawnTime === null) throw new Failure('not-found')
  const drawn = isTeamCourse(lesson) ? '队伍编号' : '报名编号'
  const fits = isTeamCourse(lesson)
    ? '名额内依次录取，余下名额容不下整队的顺延'
    : '名额内依次录取（设学院名额的，学院满额后顺延）'
  const lines = [
    `课程,${lesson.liNo}`,
    `种子摘要（SHA-256，公布于 ${draw.committedTime}）,${draw.digest}`,
    `种子（公布于 ${draw.drawnTime}）,${draw.seed}`,
    `抽签时名额,${draw.places ?? ''}`,
    `核对方法,签号 = SHA-256(种子:${drawn})；按签号从小到大排序，${fits}`,
    '',
    `顺序,${drawn},签号,抽签结果`,
    ...(draw.ranked as Ranked).map(
      ([laId, laStatus], at) => `${at + 1},${laId},${ticketOf(draw.seed, laId)},${labelOf('apply_status', laStatus)}`,
    ),
  ]
  return {
    name: `抽签记录_${lesson.liNo}.csv`,
    type: 'text/csv; charset=utf-8',
    body: Buffer.from(`\ufeff${lines.join('\r\n')}\r\n`),
  }
}
