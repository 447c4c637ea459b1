import { sql } from 'kysely'
import { noticeDays } from '../../../contract/outcomes/graduation/graduation.calls.ts'
import { erasureKind, type ErasureKind } from '../../../contract/core/codes/outcomes.ts'
import { messageType } from '../../../contract/core/codes/platform.ts'
import { audit } from '../../core/audit/audit.ts'
import { addDays, dayOf, dayStart } from '../../core/base/clock.ts'
import { newId } from '../../core/base/ids.ts'
import { from } from '../../core/database/tenant.ts'
import { forgetActors } from '../../core/request/actor-cache.ts'
import type { Context } from '../../core/request/context.ts'
import { systemContext, type JobServices } from '../../core/request/system.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { notify } from '../../platform/notifications/notify.service.ts'
import { holdersOf } from '../../school/roles/holders.service.ts'
import { lockPeople } from '../../school/people/student-status.service.ts'
import { schoolSettings } from '../../school/school/settings.service.ts'
import { moveState } from '../../school/school/school-status.ts'
import { eraseContacts, eraseIdentity, tracesOf } from './erase-people.service.ts'
import { eraseTexts } from './erase-texts.service.ts'
import { dueGraduates, yearsOf } from './erasure.queries.ts'

/** Hours of the night in which data are erased. */
const night = { from: 1, to: 5 }

/** People erased in one transaction, and people looked for in one reading of all texts. */
const limits = { batch: 200, sweep: 20_000 }

const kinds = [erasureKind.contacts, erasureKind.identity] as const

/**
 * The recurring job: by night, what is due in every school that works; at any hour, what was announced in those that
 * stand still is taken back.
 */
export async function eraseByNight(services: JobServices): Promise<void> {
  const hour = Number(services.clock.now().slice(11, 13))
  await (hour >= night.from && hour < night.to ? eraseGraduates(services) : takeBackWhereSuspended(services))
}

/**
 * Carries out the erasures that were announced and whose day has come, and announces the next ones. One that was
 * interrupted is taken up where it was. The fault of one school keeps no other from it. Schools that are suspended, or
 * that move or have moved, erase nobody: nobody could sign in to have somebody kept. What was announced in suspended
 * ones is taken back, but for those that are moving.
 * @param only one school instead of all
 * @returns how many people were erased, one counted for each kind
 */
export async function eraseGraduates(services: JobServices, only?: string): Promise<number> {
  await takeBackWhereSuspended(services, only)
  const schools = await services.db
    .selectFrom('school')
    .select('schoolId')
    .where('suspendedTime', 'is', null)
    .$if(only !== undefined, (query) => query.where('schoolId', '=', only!))
    .execute()
  let erased = 0
  for (const { schoolId } of schools) {
    const ctx = systemContext(services, schoolId)
    try {
      const settings = await schoolSettings(ctx, schoolId)
      for (const kind of kinds) erased += await enforceErasureTerm(ctx, kind, yearsOf(settings, kind))
    } catch (err) {
      ctx.log.error({ err, schoolId }, 'the data of graduates could not be erased')
    }
  }
  return erased
}

/**
 * Takes back what was announced in schools that stand still: its days ran while nobody could object, so it is announced
 * anew, for all its days, once the school works again. A school on its way to another installation stays as it is
 * copied.
 * @param only one school instead of all
 */
async function takeBackWhereSuspended(services: JobServices, only?: string): Promise<void> {
  const schools = await services.db
    .selectFrom('school')
    .select('schoolId')
    .where('suspendedTime', 'is not', null)
    .where('moveState', '!=', moveState.moving)
    .$if(only !== undefined, (query) => query.where('schoolId', '=', only!))
    .execute()
  for (const { schoolId } of schools) {
    const ctx = systemContext(services, schoolId)
    try {
      for (const kind of kinds) {
        const open = await openErasure(ctx, kind)
        if (open) await takeBack(ctx, open)
      }
    } catch (err) {
      ctx.log.error({ err, schoolId }, 'an announcement to a school that stands still could not be taken back')
    }
  }
}

async function enforceErasureTerm(ctx: Context, kind: ErasureKind, years: number): Promise<number> {
  const open = await openErasure(ctx, kind)
  if (years === 0) {
    if (open) await withdraw(ctx, open.erId)
    return 0
  }
  if (!open) {
    await announce(ctx, kind, years)
    return 0
  }
  if (open.dueTime > ctx.clock.now()) return 0
  const people = await announcedPeople(ctx, open.erId)
  // another process has just come to its end
  if (people === undefined) return 0
  if (people !== null) return carryOut(ctx, kind, years, { ...open, people })
  // announced by a version that kept only how many: nobody can tell who was meant
  await takeBack(ctx, open)
  await announce(ctx, kind, years)
  return 0
}

/** The erasure that has been announced and not carried out. */
export const openErasure = (ctx: Pick<Context, 'db' | 'actor'>, kind: ErasureKind) =>
  from(ctx, 'erasure')
    .select(['erId', 'announceTime', 'dueTime', 'announced', 'erased'])
    .where('erKind', '=', kind)
    .where('doneTime', 'is', null)
    .executeTakeFirst()

/** Who was announced, by their ids; null where it was not kept, undefined where it has been carried out. */
async function announcedPeople(ctx: Context, erId: string): Promise<string[] | null | undefined> {
  const open = await from(ctx, 'erasure')
    .select('announcedIds')
    .where('erId', '=', erId)
    .where('doneTime', 'is', null)
    .executeTakeFirst()
  return open?.announcedIds
}

/** Takes an announcement back; one that was begun ends where it is, and whoever is left comes with the next. */
const takeBack = (ctx: Context, { erId, erased }: { erId: string; erased: number }): Promise<void> =>
  erased === 0 ? withdraw(ctx, erId) : finish(ctx, erId)

/** Takes back what nothing was done of: the school has decided otherwise since, or it is announced anew. */
async function withdraw(ctx: Context, erId: string): Promise<void> {
  await ctx.db
    .deleteFrom('erasure')
    .where('schoolId', '=', ctx.actor.schoolId)
    .where('erId', '=', erId)
    .where('erased', '=', 0)
    .where('doneTime', 'is', null)
    .execute()
}

const words = {
  [erasureKind.contacts]: '电话、邮箱、住址、证件号、照片和登录痕迹将被删除',
  [erasureKind.identity]: '姓名、学号等将以化名代替，证明材料将被删除；学分、统计和已签发的成绩单不变',
}

/**
 * Tells the administrators how many graduates fall due by when, so that they can object in time, and keeps who they
 * are: whoever falls due otherwise meanwhile, by an import or by other years, is announced with the next ones.
 */
async function announce(ctx: Context, kind: ErasureKind, years: number): Promise<void> {
  const now = ctx.clock.now()
  const day = addDays(dayOf(now), noticeDays)
  const people = await dueGraduates(ctx, kind, { years, day })
  const due = people.length
  if (due === 0) return
  await inTransaction(ctx, async (tx) => {
    const added = await tx.db
      .insertInto('erasure')
      .values({
        schoolId: tx.actor.schoolId,
        erId: newId(),
        erKind: kind,
        announceTime: now,
        dueTime: dayStart(day),
        announced: due,
        announcedIds: people,
      })
      // another process may have been quicker
      .onConflict((taken) => taken.doNothing())
      .executeTakeFirst()
    if (added.numInsertedOrUpdatedRows === 0n) return
    await notify(tx, {
      suIds: await holdersOf(tx, 'student:graduate'),
      title: `${due} 名毕业生的信息将于 ${day} 起${kind === erasureKind.contacts ? '删除联系方式' : '匿名'}`,
      content: `毕业满 ${years} 年的 ${due} 名学生，${words[kind]}，删除后不能恢复。需要保留的人员，请在此之前逐人设置“保留”；保留年限在“学校信息 → 规则设置 → 毕业生信息”中调整。`,
      type: messageType.system,
      link: '/personnelAdmin/studentAdmin/graduation?tab=keep',
    })
  })
}

/**
 * First what others wrote of these people, while their names are still known; then the people themselves, batch by
 * batch, each counted in the trail. Nobody is among them who was not announced; whoever has been given a case or a hold
 * meanwhile is left alone.
 */
async function carryOut(
  ctx: Context,
  kind: ErasureKind,
  years: number,
  { erId, dueTime, people }: { erId: string; dueTime: string; people: readonly string[] },
): Promise<number> {
  const day = dayOf(dueTime)
  let erased = 0
  for (;;) {
    const suIds = await dueGraduates(ctx, kind, { years, day, limit: limits.sweep, among: people })
    await eraseTexts(ctx, await tracesOf(ctx, kind, suIds))
    for (let at = 0; at < suIds.length; at += limits.batch)
      erased += await eraseBatch(ctx, kind, { years, day, erId }, suIds.slice(at, at + limits.batch))
    if (suIds.length < limits.sweep) break
  }
  await finish(ctx, erId)
  return erased
}

/** What stays on record is how many, not who. */
async function finish(ctx: Context, erId: string): Promise<void> {
  await ctx.db
    .updateTable('erasure')
    .set({ doneTime: ctx.clock.now(), announcedIds: null })
    .where('schoolId', '=', ctx.actor.schoolId)
    .where('erId', '=', erId)
    .execute()
}

async function eraseBatch(
  ctx: Context,
  kind: ErasureKind,
  { years, day, erId }: { years: number; day: string; erId: string },
  suIds: readonly string[],
): Promise<number> {
  const done = await inTransaction(ctx, async (tx) => {
    await lockPeople(tx, suIds)
    const due = await dueGraduates(tx, kind, { years, day, limit: suIds.length, among: suIds })
    if (due.length === 0) return due
    await (kind === erasureKind.contacts ? eraseContacts(tx, due) : eraseIdentity(tx, due))
    await tx.db
      .updateTable('erasure')
      .set({ erased: sql`"erased" + ${due.length}::int` })
      .where('schoolId', '=', tx.actor.schoolId)
      .where('erId', '=', erId)
      .execute()
    await audit(tx, {
      action: kind === erasureKind.contacts ? '删除毕业生联系方式' : '毕业生信息匿名',
      bizType: 'graduation',
      bizId: erId,
      bizName: `毕业满 ${years} 年`,
      after: { affected: due.length },
    })
    return due
  })
  forgetActors(ctx.actor.schoolId, done)
  return done.length
}
