import { sql } from 'kysely'
import {
  applyWay,
  approvalStatus,
  lessonStatus,
  questionStatus,
  taskStatus as taskStatusCodes,
} from '../../contract/core/codes/programme.ts'
import { personType } from '../../contract/core/codes/school.ts'
import { labelOf } from '../../contract/core/dictionary.ts'
import { addDays, addMinutes, addSeconds } from '../core/base/clock.ts'
import { termByCut } from '../school/school/calendar.ts'
import type { AuditKind } from '../../contract/core/dictionary.ts'
import { personas, type DemoAccounts } from './demo-accounts.ts'
import { bulkInsert } from './bulk.ts'
import { officeMoments, universityCalendar } from './demo-calendar.ts'
import type { DemoSchool } from './demo-school.ts'

interface Action {
  at: string
  by: Person | null
  action: string
  bizType: AuditKind
  bizId?: string
  bizName?: string
  before?: object
  after?: object
  reason?: string
  result?: 'refused'
}

interface Person {
  suId: string
  suiName: string
}

const device =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
/** Days of sign-ins that the trail goes back. */
const days = 60

/**
 * The trail of what has happened in the demo school: the life of its courses, decisions, sign-ins, an export and a
 * refusal now and then.
 */
export async function makeTrail(school: DemoSchool, accounts: DemoAccounts): Promise<void> {
  const { db, schoolId, random, now } = school
  const acts = [
    ...(await lessonActions(school)),
    ...(await decisions(school)),
    ...(await questionActions(school)),
    ...officeActions(school, accounts),
  ]
  const past = acts.map((act) => (act.at > now ? { ...act, at: now } : act)).toSorted((a, b) => (a.at < b.at ? -1 : 1))
  await bulkInsert(
    db,
    'auditLog',
    past.map(({ at, by, before, after, ...act }) => ({
      schoolId,
      logId: random.id(),
      actorId: by?.suId ?? null,
      actorName: by?.suiName ?? '系统',
      bizId: '',
      bizName: '',
      reason: '',
      result: 'ok',
      ...act,
      before: before ?? null,
      after: after ?? null,
      requestId: random.id(),
      ip: by ? `10.${random.whole(1, 4)}.${random.whole(0, 31)}.${random.whole(2, 250)}` : '',
      agent: by ? device : 'system',
      logTime: at,
    })),
  )
}

/** What the services write of a course, from its making to its archive. */
async function lessonActions({ db, schoolId, random, now }: DemoSchool): Promise<Action[]> {
  const { rows } = await sql<LessonLife>`
      select l."liId", l."liName", l."liNo", l."liLevel", l."liHours", l."liStatus", l."quota", l."placeText",
        l."startTime", l."endTime", l."createBy", l."createName", l."createTime", l."publishTime", l."applyWay",
        l."passCount", l."signCount", l."resultCount", l."completeTime", l."exitReason", l."updateTime",
        l."liPublictySdate", l."liPublictyEdate", r."startTime" "noticeTime", r."startName" "noticeName",
        p."startTime" "submitTime", q."startTime" "resultTime"
      from "lesson" l
      left join "publictyRound" r on r."schoolId" = l."schoolId" and r."liId" = l."liId" and r."roundNo" = 1
      left join "approval" p on p."schoolId" = l."schoolId" and p."bizId" = l."liId" and p."bizType" = 'publish'
      left join "approval" q on q."schoolId" = l."schoolId" and q."bizId" = l."liId" and q."bizType" = 'result'
      where l."schoolId" = ${schoolId}
      order by l."liId"`.execute(db)
  const staff = new Map(
    (
      await db
        .selectFrom('person')
        .select(['suId', 'suiName'])
        .where('schoolId', '=', schoolId)
        .where('suiType', '<>', personType.student)
        .orderBy('suId', 'desc')
        .execute()
    ).map(({ suId, suiName }) => [suiName, suId]),
  )
  const calendar = universityCalendar()
  const today = now.slice(0, 10)
  const term = termByCut(today, { springStart: '02-15', autumnStart: '08-16' })
  return rows.flatMap((lesson): Action[] => {
    const { liId, liName, liStatus, quota, placeText, startTime, endTime, createTime } = lesson
    const by = { suId: lesson.createBy, suiName: lesson.createName }
    const about = { bizType: 'lesson' as const, bizId: liId, bizName: liName }
    const status = (before: string, after: string) => ({ before: { liStatus: before }, after: { liStatus: after } })
    const act = (at: string | null, action: string, more: Partial<Action> = {}): Action[] =>
      at ? [{ ...about, by, at, action, ...more }] : []
    const within = (from: string, to: string) => officeMoments(calendar, random.whole, 1, from, to, 'after')[0]!
    const { liNo, liLevel, liHours, submitTime, resultTime, completeTime } = lesson
    const archiveTime =
      liStatus === lessonStatus.archived && completeTime
        ? `${latest(startTime < term.tmStart ? nextTerm(startTime) : today, addDays(completeTime.slice(0, 10), 31))} 02:10:0${random.whole(1, 9)}`
        : null
    return [
      ...act(createTime, '新增课程', {
        after: { liName, liNo, liLevel, liHours, quota, placeText, startTime, endTime },
      }),
      ...(submitTime && random.odds(0.4)
        ? act(within(createTime, submitTime), '编辑课程', {
            before: { quota: Math.max(1, quota - 10), placeText: '待定' },
            after: { quota, placeText },
          })
        : []),
      ...act(submitTime, '提交发布审批', status('0', '10')),
      ...act(lesson.publishTime, '发布课程', status('20', '30')),
      ...(lesson.applyWay === applyWay.review && lesson.passCount > 0 && lesson.publishTime
        ? act(within(lesson.publishTime, startTime < now ? startTime : now), '批量通过报名', {
            after: { count: lesson.passCount },
          })
        : []),
      ...(lesson.signCount > 0
        ? act(addMinutes(startTime, 35), '登记签到', { after: { laSignStatus: '已签到', count: lesson.signCount } })
        : []),
      ...(lesson.resultCount > 0 && resultTime
        ? act(addMinutes(resultTime, -random.whole(5, 40)), '评定结果', {
            after: { laResult: '合格', count: lesson.resultCount },
          })
        : []),
      ...act(resultTime, '提交结果审批', status('30', '40')),
      ...act(lesson.noticeTime, '公示课程结果', {
        by: { suId: staff.get(lesson.noticeName ?? '') ?? lesson.createBy, suiName: lesson.noticeName ?? '' },
        before: { liStatus: lessonStatus.resultPassed },
        after: {
          liStatus: lessonStatus.inNotice,
          liPublictySdate: lesson.liPublictySdate,
          liPublictyEdate: lesson.liPublictyEdate,
        },
      }),
      ...act(completeTime, '课程完成', { by: null, ...status('60', '70') }),
      ...act(archiveTime, '学期结束归档', { by: null, ...status('70', '80') }),
      ...(liStatus === lessonStatus.unpublished
        ? act(lesson.updateTime, '取消发布', { ...status('30', '90'), reason: lesson.exitReason })
        : []),
      ...(liStatus === lessonStatus.cancelled
        ? act(lesson.updateTime, '取消课程', { ...status('30', '91'), reason: lesson.exitReason })
        : []),
      ...(liStatus === lessonStatus.abnormal
        ? act(lesson.updateTime, '异常结项', { ...status('30', '92'), reason: lesson.exitReason })
        : []),
    ]
  })
}

const latest = (a: string, b: string): string => (a > b ? a : b)
const nextTerm = (day: string): string =>
  addDays(termByCut(day.slice(0, 10), { springStart: '02-15', autumnStart: '08-16' }).tmEnd, 1)

interface LessonLife {
  liId: string
  liName: string
  liNo: string
  liLevel: string
  liHours: number
  liStatus: string
  quota: number
  placeText: string
  startTime: string
  endTime: string
  createBy: string
  createName: string
  createTime: string
  publishTime: string | null
  applyWay: string
  passCount: number
  signCount: number
  resultCount: number
  completeTime: string | null
  exitReason: string
  updateTime: string
  liPublictySdate: string | null
  liPublictyEdate: string | null
  noticeTime: string | null
  noticeName: string | null
  submitTime: string | null
  resultTime: string | null
}

async function decisions({ db, schoolId }: DemoSchool): Promise<Action[]> {
  const tasks = await db
    .selectFrom('approvalTask as t')
    .innerJoin('approval as a', (join) => join.onRef('a.schoolId', '=', 't.schoolId').onRef('a.insId', '=', 't.insId'))
    .select([
      'a.bizId',
      'a.bizName',
      'a.insStatus',
      'a.stepSort as last',
      't.stepSort',
      't.bizType',
      't.checkerId',
      't.checkerName',
      't.stepName',
      't.taskStatus',
      't.handleTime',
      't.opinion',
    ])
    .where('t.schoolId', '=', schoolId)
    .where('t.handleTime', 'is not', null)
    .where('t.bizType', 'in', ['publish', 'result'])
    .orderBy('t.taskId')
    .execute()
  return tasks.flatMap((task): Action[] => {
    const { bizId, bizName, taskStatus, opinion } = task
    const about = {
      bizType: 'lesson' as const,
      bizId,
      bizName,
      by: { suId: task.checkerId, suiName: task.checkerName },
    }
    const isLast = task.insStatus !== approvalStatus.running && task.stepSort === task.last
    const [name, asked, passed, refused] =
      task.bizType === 'publish' ? ['发布', '10', '20', '11'] : ['结果', '40', '50', '41']
    const passes = taskStatus === taskStatusCodes.passed
    return [
      // what it means for the course is written before the decision itself, in the same moment
      ...(isLast
        ? [
            {
              ...about,
              at: task.handleTime!,
              action: passes ? `${name}审批通过` : `${name}审批被驳回`,
              before: { liStatus: asked },
              after: { liStatus: passes ? passed : refused },
              reason: passes ? '' : opinion,
            },
          ]
        : []),
      {
        ...about,
        at: task.handleTime!,
        action: passes ? '审批通过' : '审批驳回',
        reason: opinion,
        after: { step: task.stepName, state: !passes ? 'refused' : isLast ? 'passed' : 'running' },
      },
    ]
  })
}

/** What is told of questions: that somebody asked, and what came of it. */
async function questionActions({ db, schoolId }: DemoSchool): Promise<Action[]> {
  const rows = await db
    .selectFrom('question as q')
    .innerJoin('lesson as l', (join) => join.onRef('l.schoolId', '=', 'q.schoolId').onRef('l.liId', '=', 'q.liId'))
    .select([
      'q.qId',
      'q.qType',
      'q.qStatus',
      'q.createBy',
      'q.createName',
      'q.createTime',
      'q.updateTime',
      'l.liId',
      'l.liName',
      'l.liStatus',
    ])
    .where('q.schoolId', '=', schoolId)
    .orderBy('q.qId')
    .execute()
  const ends: Record<string, string> = {
    [questionStatus.inReview]: '受理质疑',
    [questionStatus.upheld]: '认定质疑',
    [questionStatus.rejected]: '认定质疑',
    [questionStatus.withdrawn]: '撤回质疑',
    [questionStatus.overdue]: '不予受理',
  }
  return rows.flatMap(
    ({ qId, qType, qStatus, createBy, createName, createTime, updateTime, liName, ...question }): Action[] => {
      const about = {
        bizType: 'question' as const,
        bizId: qId,
        bizName: `${liName} · ${labelOf('question_type', qType)}`,
        by: { suId: createBy!, suiName: createName },
      }
      const asked = { ...about, at: createTime, action: '登记质疑', after: { qType, proofs: 0 } }
      const end = ends[qStatus]
      const taken: Action = {
        bizType: 'lesson',
        bizId: question.liId,
        bizName: liName,
        by: about.by,
        at: updateTime,
        action: '开始处理质疑',
        before: { liStatus: lessonStatus.inNotice },
        after: { liStatus: lessonStatus.questioned },
      }
      return [
        asked,
        ...(end
          ? [{ ...about, at: updateTime, action: end, before: { qStatus: questionStatus.pending }, after: { qStatus } }]
          : []),
        ...(qStatus === questionStatus.inReview && question.liStatus === lessonStatus.questioned ? [taken] : []),
      ]
    },
  )
}

/** Sign-ins of the office on its working days, and what an office does besides. */
function officeActions(
  { random, now, start }: DemoSchool,
  { reviewer, college, counselor, teacher }: DemoAccounts,
): Action[] {
  const admin = { suId: start.adminId, suiName: personas.admin }
  const staff: Person[] = [
    admin,
    { suId: reviewer, suiName: personas.reviewer },
    { suId: college, suiName: personas.college },
    { suId: counselor, suiName: personas.counselor },
    { suId: teacher, suiName: personas.teacher },
  ]
  const acts: Action[] = []
  const calendar = universityCalendar()
  for (let back = days; back > 0; back--) {
    const day = addDays(now.slice(0, 10), -back)
    if (!calendar.isWorked(day)) continue
    for (const by of staff) {
      if (random.odds(0.15)) continue
      const at = `${day} ${random.one(['08', '09', '10', '14', '15'])}:${String(random.whole(10, 59))}:${String(random.whole(10, 59))}`
      if (random.odds(0.06))
        acts.push({ by, at: addSeconds(at, -20), action: '登录', bizType: 'session', result: 'refused' })
      acts.push(
        { by, at, action: '登录', bizType: 'session' },
        { by, at: addMinutes(at, random.whole(15, 170)), action: '退出登录', bizType: 'session' },
      )
    }
    if (back % 9 === 0)
      acts.push({
        by: admin,
        at: `${day} 16:20:00`,
        action: '导出学生',
        bizType: 'export',
        bizName: '学生',
        reason: '报送学校年度统计',
        after: { rows: random.whole(501, 900), whole: true },
      })
    if (back % 13 === 0)
      acts.push({
        by: staff[4]!,
        at: `${day} 11:05:00`,
        action: '导出学生',
        bizType: 'permit',
        bizId: 'student:list',
        result: 'refused',
      })
  }
  return acts
}
