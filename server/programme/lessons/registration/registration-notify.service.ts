import { sql } from 'kysely'
import { messageType } from '../../../../contract/core/codes/platform.ts'
import type { Context } from '../../../core/request/context.ts'
import { notify } from '../../../platform/notifications/notify.service.ts'
import { detailOf } from '../model/notify.service.ts'

/**
 * What students are told of their registrations. Whoever is told has an account; what they missed stands in their
 * messages.
 */
const words = {
  passed: (name: string) => ({ title: `已录取：${name}`, content: `您报名的课程“${name}”已录取，请按时参加并签到。` }),
  reserved: (name: string) => ({
    title: `已为您预留名额：${name}`,
    content: `课程“${name}”已为您预留名额并录取，请按时参加并签到；不能参加时请及时联系负责人。`,
  }),
  promoted: (name: string) => ({
    title: `候补转为录取：${name}`,
    content: `课程“${name}”有名额空出，您已由候补转为录取，请按时参加并签到。`,
  }),
  refused: (name: string, why: string) => ({
    title: `报名未通过：${name}`,
    content: `您报名的课程“${name}”未通过。原因：${why}`,
  }),
  removed: (name: string, why: string) => ({
    title: `已移出名单：${name}`,
    content: `您已被移出课程“${name}”的名单。${why ? `原因：${why}` : ''}`,
  }),
  waiting: (name: string) => ({
    title: `进入候补：${name}`,
    content: `课程“${name}”名额已满，您已进入候补；有名额空出时按顺序递补并通知您。`,
  }),
  passedOver: (name: string, why: string) => ({
    title: `候补未能递补：${name}`,
    content: `课程“${name}”有名额空出，但您暂不能录取。原因：${why}。您仍在候补名单中，原因消除后再有名额时按顺序递补。`,
  }),
  drawn: (name: string) => ({
    title: `抽签中签：${name}`,
    content: `课程“${name}”已抽签，您已中签录取，请按时参加并签到。`,
  }),
  notDrawn: (name: string) => ({ title: `抽签未中：${name}`, content: `课程“${name}”已抽签，您未中签。` }),
  cancelled: (name: string) => ({ title: `已取消报名：${name}`, content: `您在课程“${name}”的报名已取消。` }),
  onLeave: (name: string) => ({
    title: `请假已登记：${name}`,
    content: `您在课程“${name}”的请假已登记，本次不记为缺席。`,
  }),
} satisfies Record<string, (name: string, why: string) => { title: string; content: string }>

export type RegistrationNotice = keyof typeof words

/** Those of students who have not been told the very same of a course before. */
export async function untold(
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  lesson: { liId: string; liName: string },
  suIds: readonly string[],
  what: RegistrationNotice,
  why: string,
): Promise<string[]> {
  const { rows } = await sql<{ suId: string }>`
    select r."suId"
    from "informationReceiver" r
    join "information" i on i."schoolId" = r."schoolId" and i."iiId" = r."iiId"
    where r."schoolId" = ${actor.schoolId}
      and r."suId" = any(${suIds}::uuid[])
      and i."bizId" = ${lesson.liId}
      and i."iiContent" = ${words[what](lesson.liName, why).content}`.execute(db)
  const told = new Set(rows.map(({ suId }) => suId))
  return suIds.filter((suId) => !told.has(suId))
}

/** Tells students what became of their registration, in the caller's transaction. */
export async function notifyStudents(
  ctx: Context,
  lesson: { liId: string; liName: string },
  suIds: readonly string[],
  what: RegistrationNotice,
  why = '',
): Promise<void> {
  if (suIds.length === 0) return
  await notify(ctx, {
    suIds,
    ...words[what](lesson.liName, why),
    type: messageType.reminder,
    bizType: 'lesson',
    bizId: lesson.liId,
    link: detailOf(lesson),
  })
}
