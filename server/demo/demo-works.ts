import { applyStatus, lessonKind, lessonStatus } from '../../contract/core/codes/programme.ts'
import { addSeconds, secondsBetween } from '../core/base/clock.ts'
import { bulkInsert } from './bulk.ts'
import type { DemoSchool } from './demo-school.ts'

/** What a practice asks its participants for. */
const request = '实践报告一篇（不少于 800 字），写明时间、地点、所做的工作与收获；可附现场照片'

const reports = [
  '本次实践我负责问卷发放与访谈记录，共回收有效问卷 46 份，访谈 8 户。走进现场之后才体会到，书本上的“调研”两个字背后是一次次耐心的沟通。',
  '三天里我跟着师傅熟悉了从接待到归档的整套流程，独立完成了 12 份登记。最大的收获是学会了先听清楚对方要什么，再动手。',
  '我们小组完成了现场走访、数据整理和成果汇报。我承担数据整理，发现同一问题不同人的说法差别很大，于是补做了第二轮访谈。',
  '从不敢开口到能够独立讲解，这次实践让我认识到准备工作的重要。报告附有当日行程与所做工作的清单。',
]
const phone =
  'Mozilla/5.0 (Linux; Android 14; V2318A) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36'
/** Courses whose participants have handed in something; most of each have. */
const courses = 8
const share = 0.7

/**
 * Has practices ask for a report, and participants of those that have begun last hand one in: between beginning and
 * end, each with its row of the trail, as from their phones.
 */
export async function makeWorks({ db, schoolId, random, now }: DemoSchool): Promise<void> {
  await db
    .updateTable('lesson')
    .set({ workRequest: request })
    .where('schoolId', '=', schoolId)
    .where('liKind', '=', lessonKind.practice)
    .where('liStatus', '<>', lessonStatus.draft)
    .execute()
  const begun = await db
    .selectFrom('lesson')
    .select(['liId', 'liName', 'startTime', 'endTime'])
    .where('schoolId', '=', schoolId)
    .where('liKind', '=', lessonKind.practice)
    .where('liStatus', 'in', [
      lessonStatus.published,
      lessonStatus.resultInReview,
      lessonStatus.resultPassed,
      lessonStatus.inNotice,
      lessonStatus.completed,
    ])
    .where('startTime', '<', now)
    .where('passCount', '>', 0)
    .orderBy('startTime', 'desc')
    .orderBy('liId')
    .limit(courses)
    .execute()
  for (const { liId, liName, startTime, endTime } of begun) {
    const participants = await db
      .selectFrom('registration as r')
      .innerJoin('person as p', (join) => join.onRef('p.schoolId', '=', 'r.schoolId').onRef('p.suId', '=', 'r.suId'))
      .select(['r.laId', 'p.suId', 'p.suiName'])
      .where('r.schoolId', '=', schoolId)
      .where('r.liId', '=', liId)
      .where('r.laStatus', '=', applyStatus.accepted)
      .orderBy('r.laId')
      .execute()
    const last = secondsBetween(startTime, endTime < now ? endTime : now)
    const works = participants
      .filter(() => random.odds(share))
      .map((participant) => ({ ...participant, time: addSeconds(startTime, random.whole(0, last)) }))
    for (const { laId, time } of works)
      await db
        .updateTable('registration')
        .set({ workText: random.one(reports), workTime: time })
        .where('schoolId', '=', schoolId)
        .where('laId', '=', laId)
        .execute()
    await bulkInsert(
      db,
      'auditLog',
      works.map(({ suId, suiName, time }) => ({
        schoolId,
        logId: random.id(),
        actorId: suId,
        actorName: suiName,
        action: '提交成果',
        bizType: 'lesson',
        bizId: liId,
        bizName: liName,
        reason: '',
        result: 'ok',
        before: null,
        after: null,
        requestId: random.id(),
        ip: `10.${random.whole(1, 4)}.${random.whole(0, 31)}.${random.whole(2, 250)}`,
        agent: phone,
        logTime: time,
      })),
    )
  }
}
