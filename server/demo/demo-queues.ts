import { sql } from 'kysely'
import { taskStatus } from '../../contract/core/codes/programme.ts'
import { flowCheckerType } from '../../contract/core/codes/rules.ts'
import { bulkInsert } from './bulk.ts'
import { personas, type DemoAccounts } from './demo-accounts.ts'
import type { DemoClass, DemoStudent } from './demo-people.ts'
import type { DemoSchool } from './demo-school.ts'
import { copyLesson, copySupplement, type CopiedLesson } from './queue-copies.ts'
import { caseRows, type CaseStep, type Decider, type QueueCase } from './queue-cases.ts'

interface World {
  accounts: DemoAccounts
  classes: readonly DemoClass[]
  colleges: readonly { scId: string; scShort: string }[]
  departments: readonly { sdId: string; sdName: string }[]
  students: readonly DemoStudent[]
}

/** What one who decides is asked about: courses of a level under a flow, with the steps before theirs. */
interface Desk {
  by: Decider
  liLevel: string
  flow: string
  names: readonly string[]
  liCollegeId: string | null
  liDepartmentId: string | null
  principal: Decider
  /** The steps of its approvals by kind, and which of them is theirs. */
  steps: Record<'publish' | 'result' | 'question', { all: readonly CaseStep[]; own: number }>
}

const ofClass = ['主题团日：青春建功新时代', '班级读书分享会', '宿舍安全自查', '学风建设主题班会', '班级素质拓展']
const ofCollege = ['学生会骨干培训', '专业技能竞赛', '毕业生就业经验分享会', '迎新志愿服务', '学术沙龙']
const ofSchool = ['“一二·九”长跑', '高雅艺术进校园', '大学生科技文化节', '青年讲师团宣讲', '校园开放日志愿服务']
const ofOffice = ['团干部能力提升班', '暑期实践团队集训', '志愿服务项目大赛', '西部计划宣讲会', '社会实践成果展']

/**
 * Days that the cases of a queue have been waiting, one after the other: some of them longer than the three that a step
 * allows.
 */
const waiting = [0, 1, 5, 2, 0, 7, 1, 4]

/**
 * Fills up the queues of the demo accounts that decide: in each kind of approval they may decide some wait, a few of
 * them too long, and some have been decided. A school too small for it has fewer, and none where it has nothing to
 * copy.
 */
export async function makeQueues(school: DemoSchool, world: World): Promise<void> {
  const { db, schoolId, size } = school
  const wanted = size.students >= 200 ? 7 : size.students >= 40 ? 3 : 1
  const flows = new Map(
    (await db.selectFrom('workflow').select(['wfId', 'wfName']).where('schoolId', '=', schoolId).execute()).map(
      (flow) => [flow.wfName, flow],
    ),
  )
  const open = await db
    .selectFrom('approvalTask')
    .select(['checkerId', 'bizType', sql<number>`count(*)::int`.as('count')])
    .where('schoolId', '=', schoolId)
    .where('taskStatus', '=', taskStatus.pending)
    .groupBy(['checkerId', 'bizType'])
    .execute()
  const missing = ({ suId }: Decider, bizType: string): number =>
    Math.max(0, wanted - (open.find((one) => one.checkerId === suId && one.bizType === bizType)?.count ?? 0))
  const cases: QueueCase[] = []
  for (const desk of desksOf(school, world)) {
    const flow = flows.get(desk.flow)!
    for (const [bizType, sources, done] of kinds) {
      const { all, own } = desk.steps[bizType]
      const count = missing(desk.by, bizType)
      for (let at = 0; at < count + (done ? 2 : 0); at++) {
        const isDone = at >= count
        const copied = await copyLesson(school, {
          ...desk,
          from: isDone ? [done!] : sources,
          name: `${desk.names[at % desk.names.length]!}${at < desk.names.length ? '' : '（第二场）'}`,
          series: bizType,
          withQuestion: bizType === 'question',
        })
        if (!copied) break
        cases.push(caseOf(desk, bizType, copied, flow, all, isDone ? all.length + 1 : own, waiting[at % 8]!))
      }
    }
  }
  cases.push(...(await supplementCases(school, world, flows, missing)))
  const rows = cases.map((one) => caseRows(school, one))
  await bulkInsert(
    db,
    'approval',
    rows.map(({ approval }) => approval),
  )
  await bulkInsert(
    db,
    'approvalTask',
    rows.flatMap(({ tasks }) => tasks),
  )
}

/** Kinds of approval of a course: which courses wait in it, and which have it behind them. */
const kinds = [
  ['publish', ['10'], '20'],
  ['result', ['40'], '50'],
  ['question', ['61', '60'], undefined],
] as const

const caseOf = (
  desk: Desk,
  bizType: 'publish' | 'result' | 'question',
  copied: CopiedLesson,
  flow: QueueCase['flow'],
  steps: readonly CaseStep[],
  at: number,
  days: number,
): QueueCase => ({
  bizType,
  bizId: copied.question?.qId ?? copied.liId,
  bizName: copied.question ? `${copied.liName} · 质疑他人结果` : copied.liName,
  summary: copied.question ? '针对一名参与人员的结果' : copied.summary,
  flow,
  steps,
  at,
  days,
  startBy: copied.question ? { suId: copied.question.acceptBy, suiName: personas.admin } : desk.principal,
  scopeCollegeId: desk.liCollegeId,
  ...(copied.question ? { barred: copied.question.barred } : {}),
})

function desksOf({ start }: DemoSchool, { accounts, classes, colleges, departments, students }: World): Desk[] {
  const reviewer = { suId: accounts.reviewer, suiName: personas.reviewer }
  const college = { suId: accounts.college, suiName: personas.college }
  const counselor = { suId: accounts.counselor, suiName: personas.counselor }
  const teacher = { suId: accounts.teacher, suiName: personas.teacher }
  const admin = { suId: start.adminId, suiName: personas.admin }
  const [{ scId, scShort }] = colleges as [{ scId: string; scShort: string }]
  const head = students.find(({ suId }) => suId === accounts.secretary)
  const className = classes.find(({ scClassId }) => scClassId === head?.scClassId)?.scClassName ?? ''
  const office = departments.find(({ sdName }) => sdName === '实践部')
  const one = (stepName: string, wfsCheckerType: string, by: Decider) => ({
    all: [{ stepName, wfsCheckerType, by }],
    own: 1,
  })
  const two = (names: readonly [string, string], by: Decider, own: number) => ({
    all: [
      { stepName: names[0], wfsCheckerType: flowCheckerType.startersCollege, by },
      { stepName: names[1], wfsCheckerType: flowCheckerType.role, by: reviewer },
    ],
    own,
  })
  const publish = ['院系团委初审', '校团委终审'] as const
  const result = ['院系团委审核结果', '校团委审核结果'] as const
  return [
    {
      by: college,
      liLevel: '6',
      flow: '院级课程流程',
      names: ofCollege.map((name) => scShort + name),
      liCollegeId: scId,
      liDepartmentId: null,
      principal: teacher,
      steps: {
        publish: one('院系团委审批', flowCheckerType.startersCollege, college),
        result: one('院系团委审核结果', flowCheckerType.startersCollege, college),
        question: one('院系团委处理质疑', flowCheckerType.startersCollege, college),
      },
    },
    {
      by: reviewer,
      liLevel: '5',
      flow: '校级课程标准流程',
      names: ofSchool.map((name) => scShort + name),
      liCollegeId: scId,
      liDepartmentId: null,
      principal: teacher,
      steps: {
        publish: two(publish, college, 2),
        result: two(result, college, 2),
        question: one('校团委处理质疑', flowCheckerType.role, reviewer),
      },
    },
    {
      by: counselor,
      liLevel: '7',
      flow: '班级活动流程',
      names: ofClass.map((name) => className + name),
      liCollegeId: scId,
      liDepartmentId: null,
      principal: head ?? teacher,
      steps: {
        publish: one('辅导员审批', flowCheckerType.counsellor, counselor),
        result: one('辅导员审核结果', flowCheckerType.counsellor, counselor),
        question: one('辅导员处理质疑', flowCheckerType.counsellor, counselor),
      },
    },
    // a department's courses have no league committee of a college before them: the administrator stands in
    ...(office
      ? [
          {
            by: admin,
            liLevel: '5',
            flow: '校级课程标准流程',
            names: ofOffice,
            liCollegeId: null,
            liDepartmentId: office.sdId,
            principal: teacher,
            steps: {
              publish: two(publish, admin, 1),
              result: two(result, admin, 1),
              question: one('校团委处理质疑', flowCheckerType.role, admin),
            },
          },
        ]
      : []),
  ]
}

/** Supplements of the secretary's class at every step; their own go to the administrator: they cannot decide them. */
async function supplementCases(
  school: DemoSchool,
  { accounts, colleges, students }: World,
  flows: ReadonlyMap<string, QueueCase['flow']>,
  missing: (by: Decider, bizType: string) => number,
): Promise<QueueCase[]> {
  const head = students.find(({ suId }) => suId === accounts.secretary)
  if (!head) return []
  const mates = students.filter(
    ({ suId, scClassId, enrolled }) => enrolled && scClassId === head.scClassId && suId !== head.suId,
  )
  const secretary = { suId: head.suId, suiName: head.suiName }
  const college = { suId: accounts.college, suiName: personas.college }
  const reviewer = { suId: accounts.reviewer, suiName: personas.reviewer }
  const counselor = { suId: accounts.counselor, suiName: personas.counselor }
  const admin = { suId: school.start.adminId, suiName: personas.admin }
  const usual = (first: Decider): CaseStep[] => [
    { stepName: '班级审核', wfsCheckerType: flowCheckerType.classSecretary, by: first },
    { stepName: '院系团委审核', wfsCheckerType: flowCheckerType.startersCollege, by: college },
    { stepName: '校团委终审', wfsCheckerType: flowCheckerType.role, by: reviewer },
  ]
  const labour: CaseStep[] = [
    { stepName: '辅导员核实', wfsCheckerType: flowCheckerType.counsellor, by: counselor },
    { stepName: '院系团委审核', wfsCheckerType: flowCheckerType.startersCollege, by: college },
  ]
  const desks = [
    { by: secretary, flow: '补录标准流程', steps: usual(secretary), own: 1, of: mates },
    { by: college, flow: '补录标准流程', steps: usual(secretary), own: 2, of: mates },
    { by: reviewer, flow: '补录标准流程', steps: usual(secretary), own: 3, of: mates },
    { by: counselor, flow: '劳动实践补录流程', steps: labour, own: 1, of: mates, code: 'LDJY' },
    { by: counselor, flow: '劳动实践补录流程', steps: labour, own: 2, of: mates, code: 'LDJY', few: 2 },
    { by: admin, flow: '补录标准流程', steps: usual(admin), own: 1, of: [head] },
    { by: admin, flow: '补录标准流程', steps: usual(admin), own: 2, of: [head], few: 2 },
  ]
  const cases: QueueCase[] = []
  const scopeCollegeId = colleges[0]!.scId
  for (const { by, flow, steps, own, of, code, few } of desks) {
    if (of.length === 0) continue
    const count = few ?? missing(by, 'supplement')
    for (let at = 0; at < count; at++) {
      const student = of[(at * 3 + own) % of.length]!
      const copied = await copySupplement(school, student, code)
      if (!copied) break
      cases.push({
        bizType: 'supplement',
        bizId: copied.lisId,
        bizName: copied.lisName,
        summary: copied.summary,
        flow: flows.get(flow)!,
        steps,
        at: own,
        days: waiting[at % waiting.length]!,
        startBy: student,
        scopeCollegeId,
        barred: [student.suId],
      })
    }
  }
  return cases
}
