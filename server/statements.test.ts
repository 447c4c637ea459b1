import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { Call, Input } from '../contract/core/call.ts'
import { yesNo } from '../contract/core/codes/platform.ts'
import { lessonStatus, supplementType } from '../contract/core/codes/programme.ts'
import { awardType } from '../contract/core/codes/rules.ts'
import { allCalls } from '../contract/index.ts'
import { awardApi } from '../contract/rules/awards/awards.calls.ts'
import { supplementApi } from '../contract/programme/supplements/supplements.calls.ts'
import { lessonApi } from '../contract/programme/lessons/lessons.calls.ts'
import { messageApi } from '../contract/school/messages/messages.calls.ts'
import { installationPermits } from '../contract/school/runtime/schools.calls.ts'
import { sessionApi } from '../contract/school/session/session.calls.ts'
import { demoPassword } from './demo/account-list.ts'
import { demoSize, makeDemoSchool } from './demo/demo-school.ts'
import { testApp, type TestApp } from './testing/app.ts'
import { signIn, type Client } from './testing/client.ts'
import { fieldValues } from './testing/field-values.ts'
import { recording, type Statement } from './testing/recorded-statements.ts'
import { sampleInput, type Records } from './testing/sample-input.ts'
import { unique } from './testing/school.ts'

/**
 * How many statements each call sends to the database, in a table that is reviewed like code (statements.txt): reading
 * calls of the contract as the administrator of a demo school, and the writes below. A call that sends more than the
 * table allows fails, one that sends fewer passes; the statements themselves are in the failure.
 *
 * `STATEMENTS=write npx vitest run server/statements.test.ts` writes the table anew, and its difference is read line by
 * line.
 */
const table = join(import.meta.dirname, 'statements.txt')
const schoolId = `d${unique()}`

/** Calls that the sample of a demo school does not answer, with the reason. */
const notAsked: Record<string, string> = {
  '/lessonsInfoAC/resultPreview': 'only of a course that is over and whose result is due',
  '/lessonsApplyInfo/signHints': 'only of a course that is being signed in to',
  '/importSource/runRows': 'a demo school has no source',
  '/importSource/leavers': 'a demo school has no source',
  '/identity/test': 'a demo school has no provider',
  '/importSource/test': 'a demo school has no source',
  '/import/{kind}/batch': 'a demo school has no import',
  '/import/{kind}/columns': 'a demo school has no import',
  '/import/{kind}/preview': 'a demo school has no import',
  '/integration/deliveries/detail': 'a demo school has no delivery',
  '/sysUserInfo/graduationRows': 'nobody has graduated yet',
  '/informationInfo/queryReaders': 'the administrator has sent nothing yet',
  '/lessonsApplyInfo/creditTrace': 'asked by the registrations of people, whose ids only the console shows',
  '/lessonsApplyInfo/signBoard': 'only while a course is signed in to',
  '/transcript/verifyCredential': 'needs a file',
  '/sysUser/activationProof': 'needs a slip that nobody has',
  '/signing/board': 'answers those whom a course names to look after its signing in',
  '/signing/people': 'answers those whom a course names to look after its signing in',
  '/transcript/getPrintLog': 'nothing was printed yet',
}

let app: TestApp
let admin: Client
let records: Records
/** A record that can be handed in. */
let draft: string
/** What no schema tells of an input, by the path of the call. */
let inputs: Record<string, Record<string, unknown>>

beforeAll(async () => {
  app = await testApp()
  await makeDemoSchool(app.ctx, schoolId, '演示大学', demoSize(300))
  admin = await signIn(app.address, schoolId, 'admin', demoPassword)
  const values = await fieldValues(app.ctx.db, schoolId)
  const one = (field: string) => values[field]!.frequent
  records = {
    secretary: one('srId'),
    college: one('scId'),
    major: one('smId'),
    class: one('scClassId'),
    department: one('sdId'),
    student: one('student'),
    teacher: one('liPrincipalId'),
    role: one('srId'),
    lesson: await publishedLesson(),
    registration: one('laId'),
    // the demonstration has no teams, and nothing is asked by one
    team: one('liId'),
    supplement: one('lisId'),
    award: one('atId'),
    evaluation: one('esId'),
    label: one('sqlId'),
    curriculum: one('lsId'),
    flow: one('wfId'),
    flowCategory: one('wfcId'),
    circle: one('ciId'),
    circleClass: one('ccId'),
    circleApply: one('caId'),
    news: one('niId'),
    newsType: one('ntId'),
    question: one('qId'),
    message: one('student'),
    letter: one('student'),
  }
  draft = one('draft')
  inputs = {
    '/savedView/list': { listName: '/lessonsList' },
    '/background/countAll': { list: '/api/schoolbase/lessonsInfoAC/view' },
    '/SchoolInfoT/selectSchoolInfoBySchoolId': { schoolId },
    '/SchoolInfoT/privacyNotice': { schoolId },
    '/sysRole/getUserControlArea': { srId: one('srId'), suId: one('member') },
    '/informationInfo/receiverCount': { suIds: one('student') },
    '/lessonsInfoAC/publictyList': { liId: one('publicised') },
    '/lessonsInfo/studentLessons': { suId: one('student') },
    '/lessonsInfoSup/editLessonsSup': { lisId: one('draft') },
    '/transcript/getPrintLog': { tiId: one('tiId') },
    '/transcript/verify/{serial}': { serial: one('serial') },
    '/transcript/statusList/{schoolId}/{month}': { schoolId, month: '2026-01' },
    '/sysUserInfo/thresholdPreview': {
      grade: one('suiGrade'),
      rows: [{ tbTarget: 'total', checkpointTerm: 1, required: yesNo.yes, warn1: '1', warn2: '1', warn3: '1' }],
    },
    '/sysUserInfo/thresholdPromptCount': { ids: [one('student')] },
    '/transformation/query': { trId: one('trId') },
    '/workFlow/sandbox': { suId: one('liPrincipalId') },
    '/auditLog/detail': { logId: one('logId') },
    '/auditLog/timeline': { bizType: 'supplement', bizId: one('lisId') },
  }
}, 120_000)

/** The course to come that most people have registered for: at any hour it can still be edited and managed. */
async function publishedLesson(): Promise<string> {
  const { rows } = await sql<{ liId: string }>`
    select l."liId"
    from "lesson" l
    join "registration" r on r."schoolId" = l."schoolId" and r."liId" = l."liId"
    where l."schoolId" = ${schoolId}
      and l."liStatus" = ${lessonStatus.published}
      and l."delFlag" = ${yesNo.no}
      and l."startTime" > now() + interval '1 day'
    group by 1
    order by count(*) desc, 1
    limit 1`.execute(app.ctx.db)
  return rows[0]!.liId
}

const isList = (call: Call): boolean => 'pageSize' in ((call.input as { shape?: object }).shape ?? {})
const nameOf = (call: Call): string => `${call.method} ${call.path}`

/**
 * The statements of a call, after what a person's first request looks up about them. Answers of statistics that are
 * kept for a while are worth nothing any more.
 */
async function statementsOf(call: Call, input: object): Promise<Statement[]> {
  await sql`update "statState" set "statVersion" = "statVersion" + 1 where "schoolId" = ${schoolId}`.execute(app.ctx.db)
  await admin.send(sessionApi.menuTree, {})
  return recording(async () => {
    const { code, msg } = await admin.ask(call, input)
    if (code !== 200) refused.push(`${nameOf(call)} ${JSON.stringify(input)}: ${msg}`)
  })
}

/**
 * The shorter of two tries: what a process looks up once is no part of a call, nor what is done once a day, such as the
 * row that tells who looked at a notice. Midnight may come between the two, so that what the table does not allow is
 * tried once more.
 */
async function settled(call: Call, input: object): Promise<Statement[]> {
  const tries = [await statementsOf(call, input), await statementsOf(call, input)]
  const shortest = () => tries.toSorted((a, b) => a.length - b.length)[0]!
  if (shortest().length > (allowed.get(nameOf(call)) ?? 0)) tries.push(await statementsOf(call, input))
  return shortest()
}

/**
 * The administrator asks here, who is no student: what students ask goes through the services of staff, whose
 * statements are counted (decision 085). Nor are they the operator of the installation.
 */
const callsOfStaff = allCalls.filter(({ call }) => ![...installationPermits, 'student:self'].includes(call.permit))

/** Reading calls of the contract: those with pages, and all others. */
const reading = (lists: boolean) =>
  callsOfStaff.filter(
    ({ call }) => !call.writes && call.gives === 'data' && isList(call) === lists && !(call.path in notAsked),
  )

/** Calls that were refused: their statements would say nothing. */
const refused: string[] = []
/** What was counted, by the call. */
const counted = new Map<string, Statement[]>()

/** Statements the table allows each call. */
const allowed: ReadonlyMap<string, number> = new Map(
  readFileSync(table, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
)

/** What exceeds the table, with the statements in full. */
const exceeding = (names: string[]): string[] =>
  names.flatMap((name) => {
    const statements = counted.get(name)!
    const most = allowed.get(name)
    if (isWriting || (most !== undefined && statements.length <= most)) return []
    return `${name} sends ${statements.length} statements, ${most ?? 'none'} in server/statements.txt:\n${statements.map(({ text }) => `  ${text}`).join('\n')}`
  })
const isWriting = process.env['STATEMENTS'] === 'write'

test('a list sends as many statements for 50 rows as for 5, and no more than the table allows', async () => {
  refused.length = 0
  const different: string[] = []
  for (const { group, call } of reading(true)) {
    const input = { ...sampleInput(call, group, records).input, ...inputs[call.path] }
    const few = await settled(call, { ...input, pageSize: 5 })
    const many = await settled(call, { ...input, pageSize: 50 })
    counted.set(nameOf(call), few)
    if (few.length !== many.length)
      different.push(
        `${nameOf(call)}: ${few.length} for 5 rows, ${many.length} for 50:\n${many.map(({ text }) => `  ${text}`).join('\n')}`,
      )
  }
  expect(different).toEqual([])
  expect(refused).toEqual([])
  expect(exceeding(reading(true).map(({ call }) => nameOf(call)))).toEqual([])
}, 120_000)

test('any other reading call sends no more statements than the table allows', async () => {
  for (const { group, call } of reading(false))
    counted.set(nameOf(call), await settled(call, { ...sampleInput(call, group, records).input, ...inputs[call.path] }))
  expect(refused).toEqual([])
  expect(exceeding(reading(false).map(({ call }) => nameOf(call)))).toEqual([])
}, 120_000)

test('a write sends no more statements than the table allows', async () => {
  const names: string[] = []
  const write = async <C extends Call>(name: string, call: C, input: Input<C>): Promise<void> => {
    counted.set(`${nameOf(call)} ${name}`, await statementsOf(call, input as object))
    names.push(`${nameOf(call)} ${name}`)
  }
  const sup = {
    suId: records.student,
    lsId: records.curriculum,
    lisType: supplementType.certificate,
    lisLevel: '5',
    lisObtainDate: app.clock.now().slice(0, 10),
  } as const
  await write('new draft', supplementApi.save, { ...sup, lisName: '第一张证书' })
  const { lisId, version } = await admin.send(supplementApi.save, { ...sup, lisName: '第二张证书' })
  await write('changed draft', supplementApi.save, { ...sup, lisName: '改过的证书', lisId, version })
  await write('one', supplementApi.submit, { lisId: [draft] })
  await write('with two prizes', awardApi.add, {
    atName: '语句计数模板',
    atType: awardType.grade,
    details: [
      { adName: '一等奖', hours: '4' },
      { adName: '二等奖', hours: '3' },
    ],
  })
  await write('one', lessonApi.signPrincipalAdd, { liId: records.lesson, suIds: [records.teacher] })
  await write('to one', messageApi.send, { suIds: records.student, iiTitle: '通知', iiContent: '明天下午开会' })
  expect(refused).toEqual([])
  expect(exceeding(names)).toEqual([])
}, 60_000)

test('every reading call of the contract is counted, or named with the reason', () => {
  const all = callsOfStaff.filter(({ call }) => !call.writes && call.gives === 'data').map(({ call }) => call)
  expect(all.filter((call) => !counted.has(nameOf(call)) && !(call.path in notAsked)).map(nameOf)).toEqual([])
  expect(Object.keys(notAsked).filter((path) => !all.some((call) => call.path === path))).toEqual([])
  const known = new Set(counted.keys())
  if (isWriting)
    writeFileSync(table, `${heading}${[...counted].map(([name, { length }]) => `${name} ${length}\n`).join('')}`)
  else
    expect(
      [...allowed.keys()].filter((name) => !known.has(name)),
      'lines of the table that nothing counts',
    ).toEqual([])
})

const heading = `# Statements that each call sends to the database at most: lists for any number of rows, other reading calls, writes.
# Held by server/statements.test.ts, written by \`STATEMENTS=write npx vitest run server/statements.test.ts\`.
`
