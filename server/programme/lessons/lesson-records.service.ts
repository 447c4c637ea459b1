import { sql } from 'kysely'
import { taskStatus } from '../../../contract/core/codes/programme.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { Context } from '../../core/request/context.ts'
import { contains, countOf, titleContains } from '../../core/database/paging.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import type { RecordSource, RecordRelations } from '../../core/request/record-kind.ts'
import { schoolSettings } from '../../school/school/settings.service.ts'
import { lessonCan, lessonMoves } from './model/lesson-life.ts'
import { lessonAuthorities, visibleLessons, loadLessonForCheck } from './model/lessons.queries.ts'

const lessons = (ctx: Context) =>
  visibleLessons(ctx)
    .select([
      'lesson.liId',
      'lesson.liName',
      'lesson.liNo',
      'lesson.liCollegeId',
      'lesson.liDepartmentId',
      'lesson.lsPath',
    ])
    .orderBy('lesson.createTime', 'desc')
    .limit(20)
type LessonColumns = {
  liId: string
  liName: string
  liNo: string
  liCollegeId: string | null
  liDepartmentId: string | null
  lsPath: string[]
}
const asLesson = ({ liId, liName, liNo, liCollegeId, liDepartmentId, lsPath }: LessonColumns) => ({
  id: liId,
  name: liName,
  hint: liNo,
  location: { college: liCollegeId, department: liDepartmentId, path: lsPath },
})

const relationNames = {
  creator: '发起人',
  principal: '负责人',
  teacher: '指导老师',
  signer: '签到负责人',
  signUpChecker: '流程指定的报名审核人',
  signInChecker: '流程指定的签到管理人',
  initiator: '审批的提交人',
} as const

/** What a person is to a course, whether its approval waits for them, and what they could do to it now. */
async function relationsOfLesson(ctx: Context, liId: string): Promise<RecordRelations> {
  const { actor, db, clock } = ctx
  const task = await from({ db, actor }, 'approvalTask as t')
    .innerJoin('approval as a', withinSchool('a.insId', 't.insId'))
    .select(sql`1`.as('one'))
    .where('t.checkerId', '=', actor.suId)
    .where('t.taskStatus', '=', taskStatus.pending)
    .where('t.bizType', 'in', ['publish', 'result'])
    .where('a.bizId', '=', liId)
    .limit(1)
    .executeTakeFirst()
  try {
    const lesson = await loadLessonForCheck(ctx, liId)
    const authority = lessonAuthorities(actor, await schoolSettings(ctx, actor.schoolId))(lesson)
    return {
      relations: [...authority.relations].map((one) => relationNames[one]),
      hasTask: task !== undefined,
      acts: lessonCan(lesson, authority, clock.now()).map((act) => lessonMoves[act].name),
    }
  } catch (error) {
    if (error instanceof Failure && error.reason === 'not-found')
      return { relations: [], hasTask: task !== undefined, acts: [] }
    throw error
  }
}

/** Courses as records that rights reach. */
export const lessonRecords = {
  lesson: {
    find: async (ctx, word) =>
      (
        await (
          word
            ? lessons(ctx).where((or) => or.or([titleContains('lesson.liName', word), contains('lesson.liNo', word)]))
            : lessons(ctx)
        ).execute()
      ).map(asLesson),
    one: async (ctx, id) => (await lessons(ctx).where('lesson.liId', '=', id).execute()).map(asLesson)[0],
    count: (ctx) => countOf(visibleLessons(ctx)),
    relations: relationsOfLesson,
  } satisfies RecordSource,
}
