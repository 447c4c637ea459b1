import { beforeAll, describe, expect, test } from 'vitest'
import { loginState, warnLevel } from '../contract/core/codes/outcomes.ts'
import {
  circleApplyType,
  circleAuthStatus,
  circleMemberRole,
  circleStatus,
  creditType,
  lessonStatus,
  questionType,
  supplementStatus,
  supplementType,
} from '../contract/core/codes/programme.ts'
import { convertFrom, convertTo, flowType } from '../contract/core/codes/rules.ts'
import { dataScope as dataScopeCodes, personType } from '../contract/core/codes/school.ts'
import { provinceApi } from '../contract/outcomes/province/province.calls.ts'
import { reportApi } from '../contract/outcomes/reports/reports.calls.ts'
import { abilityStatApi } from '../contract/outcomes/statistics/ability-statistics.calls.ts'
import { lessonStatApi } from '../contract/outcomes/statistics/lesson-statistics.calls.ts'
import { loginStatApi } from '../contract/outcomes/statistics/login-statistics.calls.ts'
import { studentStatApi } from '../contract/outcomes/statistics/student-statistics.calls.ts'
import { supplementStatApi } from '../contract/outcomes/statistics/supplement-statistics.calls.ts'
import { teacherStatApi } from '../contract/outcomes/statistics/teacher-statistics.calls.ts'
import { auditApi } from '../contract/school/audit/audit.calls.ts'
import { awardApi } from '../contract/rules/awards/awards.calls.ts'
import { circleApplyApi } from '../contract/programme/circles/applications.calls.ts'
import { approvalApi } from '../contract/programme/approvals/approvals.calls.ts'
import { circleApi, circleClassApi } from '../contract/programme/circles/circles.calls.ts'
import { fullPath, type Call } from '../contract/core/call.ts'
import { csvType } from '../contract/core/file.ts'
import type { Page } from '../contract/core/paging.ts'
import { curriculumApi, type CurriculumNode } from '../contract/rules/curriculum/curriculum.calls.ts'
import { evaluationApi } from '../contract/rules/evaluation/evaluation.calls.ts'
import { graduationApi } from '../contract/outcomes/graduation/graduation.calls.ts'
import { allCalls } from '../contract/index.ts'
import { labelApi } from '../contract/rules/labels/labels.calls.ts'
import { lessonApi } from '../contract/programme/lessons/lessons.calls.ts'
import { disputeApi } from '../contract/programme/disputes/disputes.calls.ts'
import { registrationApi } from '../contract/programme/lessons/registration.calls.ts'
import { teamApi } from '../contract/programme/lessons/teams.calls.ts'
import { webhookApi } from '../contract/school/integration/webhooks.calls.ts'
import { channelApi } from '../contract/school/channels/channels.calls.ts'
import { messageApi } from '../contract/school/messages/messages.calls.ts'
import { newsApi, newsTypeApi } from '../contract/platform/news/news.calls.ts'
import { classApi } from '../contract/school/organisation/classes.calls.ts'
import { collegeApi } from '../contract/school/organisation/colleges.calls.ts'
import { departmentApi } from '../contract/school/organisation/departments.calls.ts'
import { majorApi } from '../contract/school/organisation/majors.calls.ts'
import { studentApi } from '../contract/school/people/students.calls.ts'
import { teacherApi } from '../contract/school/people/teachers.calls.ts'
import { memberApi } from '../contract/school/roles/members.calls.ts'
import { roleApi } from '../contract/school/roles/roles.calls.ts'
import { supplementApi } from '../contract/programme/supplements/supplements.calls.ts'
import { scoreExportApi } from '../contract/outcomes/transcripts/score-export.calls.ts'
import { thresholdApi } from '../contract/outcomes/thresholds/thresholds.calls.ts'
import { transcriptApplicationApi as applicationApi } from '../contract/outcomes/transcripts/applications.calls.ts'
import { issueApi } from '../contract/outcomes/transcripts/issues.calls.ts'
import { circleStatApi } from '../contract/outcomes/statistics/circle-statistics.calls.ts'
import { transcriptApi } from '../contract/outcomes/transcripts/transcripts.calls.ts'
import { transformationApi } from '../contract/rules/transformation/transformation.calls.ts'
import { workflowApi } from '../contract/rules/workflow/workflow.calls.ts'
import { newId } from './core/base/ids.ts'
import { systemContext } from './core/request/system.ts'
import { sheetIn } from './testing/sheet-in.ts'
import { recalculateSchool } from './outcomes/thresholds/recalculate.service.ts'
import { refreshSchool } from './outcomes/statistics/refresh.service.ts'
import { roleSeeds } from './school/roles/role-seeds.ts'
import type { Client, Reply } from './testing/client.ts'
import { newSchool, unique, type TestPerson, type TestSchool } from './testing/school.ts'
import { storeLesson } from './testing/stored-lesson.ts'

/** Stands in the name of everything that belongs to the other college. */
const canary = `外院机密${unique()}`
let school: TestSchool
let ids: { own: Place; other: Place; sdId: string }
const people = new Map<string, TestPerson>()

interface Place {
  scId: string
  liId: string
  ciId: string
}

beforeAll(async () => {
  school = await newSchool()
  const sdId = await school.department()
  ids = { own: await furnish('本院', sdId), other: await furnish(canary, sdId), sdId }
  const { schoolId, ctx } = school
  await ctx.db.insertInto('awardTemplate').values({ schoolId, atId: newId(), atName: unique() }).execute()
  await ctx.db
    .insertInto('evaluation')
    .values({
      schoolId,
      esId: newId(),
      esName: unique(),
      lsId: school.curriculum['SXCL']!,
      esLessonLevel: '5',
      baseHours: 200,
    })
    .execute()
  const wfcId = newId()
  await ctx.db.insertInto('workflowCategory').values({ schoolId, wfcId, wfcName: unique() }).execute()
  await ctx.db
    .insertInto('workflow')
    .values({ schoolId, wfId: newId(), wfName: unique(), wfType: flowType.lesson, wfcId })
    .execute()
  await school.admin.send(transformationApi.add, {
    trName: unique(),
    fromType: convertFrom.hours,
    toType: convertTo.credit,
    mode: '1',
    ratio: '0.05',
  })
  await recalculateSchool(systemContext(school.services, schoolId))
  const students = await ctx.db
    .selectFrom('person')
    .select('suId')
    .where('schoolId', '=', schoolId)
    .where('suiType', '=', personType.student)
    .execute()
  await school.admin.download(transcriptApi.export, { suIds: students.map(({ suId }) => suId) })
  for (const { srCode } of roleSeeds)
    people.set(
      srCode,
      await school.person(srCode, [{ caType: 'college', caTarget: ids.own.scId }], { suiCollegeId: ids.own.scId }),
    )
  await refreshSchool(ctx, schoolId)
})

/**
 * A college with a major, a class, students, a member of staff with a role, a course with a participant, and an action
 * on the trail.
 */
async function furnish(name: string, sdId: string): Promise<Place> {
  const {
    schoolId,
    ctx: { db },
    curriculum,
    clock,
  } = school
  const scId = await school.college(`${name}学院`)
  const majorId = await school.major(scId, `${name}专业`)
  const scClassId = await school.schoolClass(majorId, scId, { scClassName: `${name}班` })
  const [student] = await school.students(2, { suiCollegeId: scId, majorId, scClassId })
  await db
    .updateTable('person')
    .set({ suiName: name })
    .where('schoolId', '=', schoolId)
    .where('suiCollegeId', '=', scId)
    .execute()
  const teacher = await school.person('COUNSELOR', [{ caType: 'college', caTarget: scId }], {
    suiCollegeId: scId,
    suiName: `${name}教师`,
  })
  await db.insertInto('departmentUser').values({ schoolId, sdId, suId: teacher.suId, post: name }).execute()
  const liId = await storeLesson(school, {
    liName: `${name}课程`,
    liPrincipalId: teacher.suId,
    liStatus: lessonStatus.published,
    publishTime: '2026-01-01 08:00:00',
    liCollegeId: scId,
  })
  await db.insertInto('registration').values({ schoolId, laId: newId(), liId, suId: student!.suId }).execute()
  const teamId = newId()
  await db
    .insertInto('team')
    .values({ schoolId, teamId, liId, teamName: `${name}队`, captainId: student!.suId, joinCode: unique().slice(-8) })
    .execute()
  await db.insertInto('teamMember').values({ schoolId, teamId, liId, suId: student!.suId, memberRank: 1 }).execute()
  const [lisId, qId] = [newId(), newId()]
  await db
    .insertInto('supplement')
    .values({
      schoolId,
      lisId,
      lisName: `${name}证书${unique()}`,
      suId: student!.suId,
      lsId: curriculum['SXCL']!,
      lsPath: [curriculum['SXCL']!],
      lisType: supplementType.certificate,
      lisLevel: '5',
      lisObtainDate: '2026-01-01',
      lisStatus: supplementStatus.inReview,
    })
    .execute()
  await db
    .insertInto('question')
    .values({
      schoolId,
      qId,
      liId,
      targetSuId: student!.suId,
      reporterSuId: student!.suId,
      qType: questionType.missing,
      qContent: name,
      deadline: clock.now(),
    })
    .execute()
  // of every kind something is under approval, a credited record and a reminder
  await db
    .insertInto('approval')
    .values(
      Object.entries({ publish: liId, result: liId, supplement: lisId, question: qId }).map(([bizType, bizId]) => ({
        schoolId,
        insId: newId(),
        bizType,
        bizId,
        bizName: `${name}${bizType}`,
        wfId: newId(),
        wfName: '审批',
        wfVersion: 1,
        nodeName: 'PUBLISH',
        steps: '[]',
        startBy: teacher.suId,
        startName: teacher.suiName,
      })),
    )
    .execute()
  await db
    .insertInto('creditLedger')
    .values({
      schoolId,
      clId: newId(),
      suId: student!.suId,
      clType: creditType.hours,
      lsId: curriculum['SXCL']!,
      moduleId: curriculum['SXCL']!,
      clValue: 100,
      source: 'LESSON',
      bizId: liId,
      bizName: `${name}课程`,
      explain: '{}',
      occurTime: '2026-01-02 08:00:00',
    })
    .execute()
  await db
    .insertInto('thresholdPrompt')
    .values({
      schoolId,
      tpId: newId(),
      suId: student!.suId,
      warnLevel: warnLevel.mild,
      gapText: '差 1 学时',
      content: name,
    })
    .execute()
  await db
    .insertInto('auditLog')
    .values({
      schoolId,
      logId: newId(),
      actorId: teacher.suId,
      actorName: teacher.suiName,
      action: '试验',
      bizName: name,
      requestId: unique(),
      ip: '',
      agent: '',
      logTime: clock.now(),
    })
    .execute()
  const ciId = newId()
  const { ccId } = await db
    .selectFrom('circleClass')
    .select('ccId')
    .where('schoolId', '=', schoolId)
    .executeTakeFirstOrThrow()
  await db
    .insertInto('circle')
    .values({
      schoolId,
      ciId,
      ciNo: unique(),
      ciName: `${name}圈子`,
      ciClass: ccId,
      ciCollegeId: scId,
      cpiPersonId: student!.suId,
      ciStatus: circleStatus.enabled,
      ciAuthStatus: circleAuthStatus.passed,
    })
    .execute()
  await db
    .insertInto('circleMember')
    .values({ schoolId, cpiId: newId(), ciId, suId: student!.suId, cmRole: circleMemberRole.president })
    .execute()
  await db
    .insertInto('circleApply')
    .values({
      schoolId,
      caId: newId(),
      caType: circleApplyType.dissolution,
      ciId,
      cpiPersonId: student!.suId,
      applyReason: name,
      applyName: name,
    })
    .execute()
  const { ntId } = await db
    .selectFrom('newsType')
    .select('ntId')
    .where('schoolId', '=', schoolId)
    .executeTakeFirstOrThrow()
  await db
    .insertInto('news')
    .values({ schoolId, niId: newId(), ntId, niTitle: name, niCollegeId: scId, niDetail: name })
    .execute()
  return { scId, liId, ciId }
}

/** All keys of a paged list. */
const keysOf = (call: Call, key: string, more: () => object = () => ({})) => ({
  input: more,
  list: async (client: Client, input: object) => {
    const keys: string[] = []
    for (let current = 1; ; current++) {
      const reply = await client.ask(call, { ...input, current, pageSize: 200 })
      if (reply.code !== 200) return undefined
      const page = reply.data as Page<Record<string, string>>
      keys.push(...page.records.map((row) => row[key]!))
      if (current >= page.pages) return keys
    }
  },
})

/** A tree that is answered as a whole. */
const treeOf = <N extends { children?: N[] }>(call: Call, key: (node: N) => string) => ({
  input: () => ({}),
  list: async (client: Client) => {
    const reply = await client.ask(call)
    const keys = (nodes: N[]): string[] => nodes.flatMap((node) => [key(node), ...keys(node.children ?? [])])
    return reply.code === 200 ? keys(reply.data as N[]) : undefined
  },
})

interface Exported {
  call: Call
  /** The head of the column that tells rows apart. */
  head: string
  input: () => object
  /** The keys the list of the same input shows; undefined where it is refused. */
  list: (client: Client, input: object) => Promise<string[] | undefined>
}

const exported: Exported[] = [
  { call: collegeApi.exportList, head: '学院编码', ...keysOf(collegeApi.list, 'scCode') },
  { call: majorApi.exportList, head: '专业代码', ...keysOf(majorApi.list, 'smCode') },
  { call: classApi.exportList, head: '班级名称', ...keysOf(classApi.list, 'scClassName') },
  { call: departmentApi.exportList, head: '部门编码', ...keysOf(departmentApi.list, 'sdCode') },
  {
    call: departmentApi.exportUsers,
    head: '学工号',
    ...keysOf(departmentApi.users, 'suiNumber', () => ({ sdId: ids.sdId })),
  },
  { call: studentApi.exportList, head: '学号', ...keysOf(studentApi.list, 'suiNumber') },
  { call: teacherApi.exportList, head: '工号', ...keysOf(teacherApi.list, 'suiNumber') },
  { call: roleApi.exportList, head: '角色编码', ...keysOf(roleApi.list, 'srCode') },
  { call: memberApi.exportList, head: '学工号', ...keysOf(memberApi.list, 'suiNumber') },
  { call: lessonApi.export, head: '课程编号', ...keysOf(lessonApi.view, 'liNo') },
  ...(['own', 'other'] as const).flatMap((place) => {
    const course = () => ({ liId: ids[place].liId })
    const circle = () => ({ ciId: ids[place].ciId })
    return [
      { call: registrationApi.export, head: '学号', ...keysOf(registrationApi.view, 'suiNumber', course) },
      { call: teamApi.exportList, head: '队名', ...keysOf(teamApi.view, 'teamName', course) },
      { call: circleApi.exportMembers, head: '学号', ...keysOf(circleApi.members, 'suiNumber', circle) },
    ]
  }),
  { call: circleApi.exportList, head: '圈子名称', ...keysOf(circleApi.list, 'ciName') },
  { call: circleApplyApi.exportList, head: '申请编号', ...keysOf(circleApplyApi.list, 'caId') },
  { call: circleStatApi.exportList, head: '圈子编号', ...keysOf(circleStatApi.detail, 'ciNo') },
  { call: circleStatApi.exportLessons, head: '活动名称', ...keysOf(circleStatApi.lessons, 'liName') },
  { call: messageApi.exportInbox, head: '标题', ...keysOf(messageApi.inbox, 'iiTitle') },
  { call: messageApi.exportOutbox, head: '标题', ...keysOf(messageApi.outbox, 'iiTitle') },
  { call: webhookApi.exportDeliveries, head: '编号', ...keysOf(webhookApi.deliveries, 'eventId') },
  { call: channelApi.exportDeliveries, head: '学工号', ...keysOf(channelApi.deliveries, 'suiNumber') },
  { call: newsApi.exportList, head: '新闻编号', ...keysOf(newsApi.list, 'niId') },
  { call: awardApi.exportList, head: '模板名称', ...keysOf(awardApi.list, 'atName') },
  { call: evaluationApi.exportList, head: '规则名称', ...keysOf(evaluationApi.all, 'esName') },
  { call: transformationApi.exportList, head: '规则名称', ...keysOf(transformationApi.all, 'trName') },
  { call: workflowApi.exportList, head: '流程名称', ...keysOf(workflowApi.list, 'wfName') },
  {
    call: curriculumApi.exportList,
    head: '编码',
    ...treeOf<CurriculumNode>(curriculumApi.all, ({ lsCode }) => lsCode),
  },
  {
    call: labelApi.exportList,
    head: '标签名称',
    ...treeOf<{ sqlName: string; sqlPid: string | null; children?: never[] }>(labelApi.all, ({ sqlName, sqlPid }) =>
      sqlPid === null ? '' : sqlName,
    ),
  },
  { call: supplementApi.exportList, head: '名称', ...keysOf(supplementApi.list, 'lisName') },
  ...(['publish', 'result', 'sup', 'question'] as const).map((kind) => ({
    call: approvalApi[`${kind}Export`],
    head: '名称',
    ...keysOf(approvalApi[`${kind}Queue`], 'bizName', () => ({ tab: 'all' })),
  })),
  { call: circleClassApi.exportList, head: '分类名称', ...keysOf(circleClassApi.list, 'ccName') },
  { call: newsTypeApi.exportList, head: '分类名称', ...keysOf(newsTypeApi.list, 'ntName') },
  { call: disputeApi.exportLessons, head: '名称', ...keysOf(disputeApi.lessons, 'liName') },
  { call: transcriptApi.exportStuScore, head: '名称', ...keysOf(transcriptApi.stuScore, 'name') },
  { call: thresholdApi.exportPrompts, head: '提醒内容', ...keysOf(thresholdApi.prompts, 'content') },
  { call: disputeApi.export, head: '课程名称', ...keysOf(disputeApi.list, 'liName') },
  { call: scoreExportApi.export, head: '学号', ...keysOf(transcriptApi.list, 'suiNumber') },
  { call: issueApi.exportList, head: '编号', ...keysOf(issueApi.list, 'serial') },
  { call: applicationApi.exportList, head: '学号', ...keysOf(applicationApi.list, 'suiNumber') },
  { call: thresholdApi.exportList, head: '学号', ...keysOf(thresholdApi.list, 'suiNumber', () => ({ all: '1' })) },
  { call: thresholdApi.exportHelpList, head: '学号', ...keysOf(thresholdApi.list, 'suiNumber') },
  { call: lessonStatApi.exportDetail, head: '课程名称', ...keysOf(lessonStatApi.detail, 'liName') },
  { call: loginStatApi.exportDetail, head: '学工号', ...keysOf(loginStatApi.detail, 'suiNumber') },
  {
    call: loginStatApi.exportDetail,
    head: '学工号',
    ...keysOf(loginStatApi.detail, 'suiNumber', () => ({ loginState: loginState.never })),
  },
  { call: abilityStatApi.exportList, head: '学院', ...keysOf(abilityStatApi.colleges, 'collegeName') },
  { call: supplementStatApi.exportDetail, head: '名称', ...keysOf(supplementStatApi.detail, 'lisName') },
  { call: studentStatApi.exportDetail, head: '学号', ...keysOf(studentStatApi.detail, 'suiNumber') },
  { call: teacherStatApi.exportDetail, head: '工号', ...keysOf(teacherStatApi.detail, 'suiNumber') },
  { call: teacherStatApi.exportLessons, head: '课程名称', ...keysOf(teacherStatApi.lessons, 'liName') },
  { call: auditApi.exportList, head: '请求编号', ...keysOf(auditApi.list, 'requestId') },
]

const reason = '检查各角色的导出范围'

test('every call that exports a list is looked at here, and takes a reason', () => {
  // a graduation is the whole school's, a report is a document of figures that names no student, transcripts are
  // papers, what an operator compares is schools, and who has read a message is its sender's: their own tests look
  const elsewhere = new Set([
    fullPath(graduationApi.exportRows),
    fullPath(reportApi.export),
    fullPath(transcriptApi.export),
    fullPath(provinceApi.exportSchools),
    fullPath(messageApi.exportReaders),
  ])
  const named = allCalls.filter(
    ({ call }) => call.gives === 'file' && call.summary.startsWith('导出') && !elsewhere.has(fullPath(call)),
  )
  const takesReason = named.filter(
    ({ call }) => 'reason' in ((call.input as unknown as { shape?: object }).shape ?? {}),
  )
  const looked = new Set(exported.map(({ call }) => fullPath(call)))
  expect(takesReason.map(({ call }) => fullPath(call)).toSorted()).toEqual([...looked].toSorted())
  expect(named.map(({ call }) => fullPath(call)).filter((path) => !looked.has(path))).toEqual([])
})

describe.each(roleSeeds.map(({ srCode, dataScope }) => [srCode, dataScope === dataScopeCodes.school] as const))(
  '%s of one college',
  (srCode, isWhole) => {
    test.each(exported.map((one) => [one.call.summary, one] as const))(
      '%s: nothing that its list does not show',
      async (_, { call, head, input, list }) => {
        const { client } = people.get(srCode)!
        const asked = input()
        const shown = await list(client, asked)
        // as text, which takes a tenth of the time of a workbook; below each is compared with its workbook
        const response = await client.fetch(call, { ...asked, reason }, csvType)
        if ((response.headers.get('content-type') ?? '').includes('json')) {
          const refusal = (await response.json()) as { reason: string; code: number }
          // refused: for lack of the right, or because there is nothing to see
          expect(refusal.code).not.toBe(200)
          if (refusal.reason === 'nothing-to-export') expect(shown).toEqual([])
          return
        }
        const bytes = Buffer.from(await response.arrayBuffer())
        const [headers, ...rows] = (await sheetIn(bytes)).lines.map(({ cells }) => cells)
        const column = headers!.indexOf(head)
        expect(column, headers!.join()).toBeGreaterThanOrEqual(0)
        const taken = rows.map((cells) => cells[column] ?? '')
        expect(shown).toBeDefined()
        expect(taken.filter((key) => !shown!.includes(key))).toEqual([])
        if (call !== auditApi.exportList) expect(taken.length).toBe(shown!.length) // on the trail the actions of this very test come in between
        if (!isWhole) expect(JSON.stringify(rows)).not.toContain(canary)
      },
    )
  },
)

test.each(exported.map((one) => [one.call.summary, one] as const))(
  '%s: as comma-separated text the same cells as in the workbook',
  async (_, { call, input }) => {
    // the actions of this very test come in between
    if (call === auditApi.exportList) return
    const cellsOf = async (accept?: string) => {
      const response = await school.admin.fetch(call, { ...input(), reason }, accept)
      // there is nothing to see
      if ((response.headers.get('content-type') ?? '').includes('json'))
        return ((await response.json()) as Reply).reason
      const bytes = Buffer.from(await response.arrayBuffer())
      return (await sheetIn(bytes)).lines.map(({ cells }) => cells.map((cell) => cell ?? ''))
    }
    expect(await cellsOf(csvType)).toEqual(await cellsOf())
  },
)

test('the canary is there to be seen by those who may', async () => {
  const { bytes } = await school.admin.download(studentApi.exportList, { reason })
  expect(JSON.stringify((await sheetIn(bytes)).lines)).toContain(canary)
})
