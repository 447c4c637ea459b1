import { addDays, addMinutes, addSeconds } from '../core/clock.ts'
import type { AuditKind } from '../../contract/core/dictionary.ts'
import { personas, type DemoAccounts } from './demo-accounts.ts'
import { bulkInsert } from './bulk.ts'
import type { DemoSchool } from './demo-school.ts'

interface Act {
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

/** The trail of what has happened in the demo school: the life of its courses, decisions, sign-ins, an export and a refusal now and then. */
export async function makeTrail(school: DemoSchool, accounts: DemoAccounts): Promise<void> {
  const { db, schoolId, luck, now } = school
  const acts = [...(await lessonActs(school)), ...(await decisions(school)), ...officeActs(school, accounts)]
  const past = acts.map((act) => (act.at > now ? { ...act, at: now } : act)).toSorted((a, b) => (a.at < b.at ? -1 : 1))
  await bulkInsert(
    db,
    'auditLog',
    past.map(({ at, by, before, after, ...act }) => ({
      schoolId,
      logId: luck.id(),
      actorId: by?.suId ?? null,
      actorName: by?.suiName ?? '系统',
      bizId: '',
      bizName: '',
      reason: '',
      result: 'ok',
      ...act,
      before: before ?? null,
      after: after ?? null,
      requestId: luck.id(),
      ip: by ? `10.${luck.whole(1, 4)}.${luck.whole(0, 31)}.${luck.whole(2, 250)}` : '',
      agent: by ? device : 'system',
      logTime: at,
    })),
  )
}

async function lessonActs({ db, schoolId, luck }: DemoSchool): Promise<Act[]> {
  const lessons = await db
    .selectFrom('lesson')
    .select([
      'liId',
      'liName',
      'liNo',
      'liLevel',
      'liHours',
      'liStatus',
      'quota',
      'placeText',
      'startTime',
      'endTime',
      'createBy',
      'createName',
      'createTime',
      'publishTime',
      'liPublictySdate',
      'liPublictyEdate',
      'completeTime',
      'exitReason',
    ])
    .where('schoolId', '=', schoolId)
    .orderBy('liId')
    .execute()
  return lessons.flatMap((lesson): Act[] => {
    const {
      liId,
      liName,
      liNo,
      liLevel,
      liHours,
      quota,
      placeText,
      startTime,
      endTime,
      createTime,
      publishTime,
      liPublictySdate,
      liPublictyEdate,
      completeTime,
      liStatus,
      exitReason,
    } = lesson
    const by = { suId: lesson.createBy!, suiName: lesson.createName }
    const about = { bizType: 'lesson' as const, bizId: liId, bizName: liName }
    const status = (before: string, after: string) => ({ before: { liStatus: before }, after: { liStatus: after } })
    const edited = luck.odds(0.4)
      ? [
          {
            ...about,
            by,
            at: addMinutes(createTime, luck.whole(20, 600)),
            action: '编辑课程',
            before: { quota: quota - 10, placeText: '待定' },
            after: { quota, placeText },
          },
        ]
      : []
    return [
      {
        ...about,
        by,
        at: createTime,
        action: '新增课程',
        after: { liName, liNo, liLevel, liHours, quota, placeText, startTime, endTime },
      },
      ...edited,
      ...(publishTime ? [{ ...about, by, at: publishTime, action: '发布课程', ...status('20', '30') }] : []),
      ...(liPublictySdate
        ? [
            {
              ...about,
              by,
              at: liPublictySdate,
              action: '公示课程结果',
              before: { liStatus: '50' },
              after: { liStatus: '60', liPublictySdate, liPublictyEdate },
            },
          ]
        : []),
      ...(completeTime ? [{ ...about, by: null, at: completeTime, action: '课程完成', ...status('60', '70') }] : []),
      ...(liStatus === '91'
        ? [{ ...about, by, at: addDays(createTime, 4), action: '取消课程', ...status('30', '91'), reason: exitReason }]
        : []),
    ]
  })
}

async function decisions({ db, schoolId }: DemoSchool): Promise<Act[]> {
  const tasks = await db
    .selectFrom('approvalTask as t')
    .innerJoin('approval as a', (join) => join.onRef('a.schoolId', '=', 't.schoolId').onRef('a.insId', '=', 't.insId'))
    .select([
      'a.bizId',
      'a.bizName',
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
  return tasks.map(({ bizId, bizName, checkerId, checkerName, stepName, taskStatus, handleTime, opinion }) => ({
    at: handleTime!,
    by: { suId: checkerId, suiName: checkerName },
    action: taskStatus === '1' ? '审批通过' : '审批驳回',
    bizType: 'lesson',
    bizId,
    bizName,
    reason: opinion,
    after: { step: stepName, state: taskStatus === '1' ? 'passed' : 'refused' },
  }))
}

/** Sign-ins of the office on its working days, and what an office does besides. */
function officeActs({ luck, now, start }: DemoSchool, { reviewer, college, counselor, teacher }: DemoAccounts): Act[] {
  const admin = { suId: start.adminId, suiName: personas.admin }
  const staff: Person[] = [
    admin,
    { suId: reviewer, suiName: personas.reviewer },
    { suId: college, suiName: personas.college },
    { suId: counselor, suiName: personas.counselor },
    { suId: teacher, suiName: personas.teacher },
  ]
  const acts: Act[] = []
  for (let back = days; back > 0; back--) {
    const day = addDays(now.slice(0, 10), -back)
    for (const by of staff) {
      if (luck.odds(0.15)) continue
      const at = `${day} ${luck.one(['08', '09', '10', '14', '15'])}:${String(luck.whole(10, 59))}:${String(luck.whole(10, 59))}`
      if (luck.odds(0.06))
        acts.push({ by, at: addSeconds(at, -20), action: '登录', bizType: 'session', result: 'refused' })
      acts.push(
        { by, at, action: '登录', bizType: 'session' },
        { by, at: addMinutes(at, luck.whole(15, 170)), action: '退出登录', bizType: 'session' },
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
        after: { rows: luck.whole(501, 900), whole: true },
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
