import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { fullPath, type Call } from '../contract/core/call.ts'
import { newsStatus, yesNo } from '../contract/core/codes/platform.ts'
import {
  circleAuthStatus,
  circleMemberRole,
  circleStatus,
  lessonStatus,
  supplementType,
} from '../contract/core/codes/programme.ts'
import { personType } from '../contract/core/codes/school.ts'
import { flowType } from '../contract/core/codes/rules.ts'
import { allCalls } from '../contract/index.ts'
import { curriculumApi } from '../contract/rules/curriculum/curriculum.calls.ts'
import { messageApi } from '../contract/school/messages/messages.calls.ts'
import { provincePermit } from '../contract/school/runtime/schools.calls.ts'
import { allRoutes } from './app.ts'
import { newId } from './core/base/ids.ts'
import { testApp, type TestApp } from './testing/app.ts'
import { Client, textOf } from './testing/client.ts'
import { atFileEnd } from './testing/file-end.ts'
import { fuzz } from './testing/fuzz.ts'
import { inputsFor } from './testing/inputs.ts'
import { newSchool, unique, type TestPerson, type TestSchool } from './testing/school.ts'

const canary = `机密${unique()}`
let app: TestApp
let school: TestSchool
let stranger: TestSchool
let powerless: TestPerson
/** Somebody with the right of students alone. */
let student: TestSchool['admin']
/** Ids of real records of `school`, by the field names under which calls ask for them. */
let known: Record<string, string>

beforeAll(async () => {
  app = await testApp()
  school = await newSchool()
  stranger = await newSchool()
  // the administrator is the installation's operator as well, with the right that no role gives
  const { config } = app.services
  const { operators } = config
  config.operators = [`${school.schoolId}/admin`]
  atFileEnd(async () => void (config.operators = operators))
  powerless = await school.person('STUDENT_NOBODY' in school.roles ? 'STUDENT_NOBODY' : 'SIGN_MGR')
  await app.ctx.db
    .updateTable('role')
    .set({ permits: [] })
    .where('schoolId', '=', school.schoolId)
    .where('srCode', '=', 'SIGN_MGR')
    .execute()
  student = (await school.person('SIGN_MGR', [], { suiType: personType.student })).client
  known = await records()
})

/** A record of every kind in `school`, each with the canary in its name. */
async function records(): Promise<Record<string, string>> {
  const { db } = app.ctx
  const { schoolId } = school
  const scId = await school.college(`${canary}学院`)
  const smId = await school.major(scId, `${canary}专业`)
  const scClassId = await school.schoolClass(smId, scId, { scClassName: `${canary}班` })
  const sdId = await school.department(`${canary}部`)
  const [student] = await school.students(1, { suiCollegeId: scId, majorId: smId, scClassId })
  await db.updateTable('person').set({ suiName: canary }).where('suId', '=', student!.suId).execute()
  const lsId = school.curriculum['SXCL/主题教育']!
  const [liId, laId, atId, esId, wfcId, wfId, lisId] = Array.from({ length: 7 }, newId) as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  await db
    .insertInto('evaluation')
    .values({ schoolId, esId, esName: canary, lsId, esLessonLevel: '5', baseHours: 200 })
    .execute()
  await db.insertInto('awardTemplate').values({ schoolId, atId, atName: canary }).execute()
  await db.insertInto('workflowCategory').values({ schoolId, wfcId, wfcName: canary }).execute()
  await db.insertInto('workflow').values({ schoolId, wfId, wfName: canary, wfType: flowType.lesson, wfcId }).execute()
  await db
    .insertInto('lesson')
    .values({
      schoolId,
      liId,
      liNo: 'EK-1',
      liName: canary,
      lsId,
      lsPath: [school.curriculum['SXCL']!, lsId],
      liLevel: '5',
      liPrincipalId: school.adminId,
      quota: 10,
      startTime: '2026-12-01 08:00:00',
      endTime: '2026-12-01 10:00:00',
      liStatus: lessonStatus.published,
      liCollegeId: scId,
    })
    .execute()
  await db.insertInto('registration').values({ schoolId, laId, liId, suId: student!.suId }).execute()
  const teamId = newId()
  await db
    .insertInto('team')
    .values({ schoolId, teamId, liId, teamName: canary, captainId: student!.suId, joinCode: 'CANARY22' })
    .execute()
  await db
    .insertInto('supplement')
    .values({
      schoolId,
      lisId,
      lisName: canary,
      suId: student!.suId,
      lsId,
      lsPath: [school.curriculum['SXCL']!, lsId],
      lisType: supplementType.certificate,
      lisLevel: '5',
      lisObtainDate: '2026-01-01',
    })
    .execute()
  const { tmId } = await db.selectFrom('term').select('tmId').where('schoolId', '=', schoolId).executeTakeFirstOrThrow()
  await db.updateTable('term').set({ tmName: canary }).where('tmId', '=', tmId).execute()
  const [ccId, ciId, ntId, niId] = Array.from({ length: 4 }, newId) as [string, string, string, string]
  await db
    .insertInto('circleClass')
    .values({ schoolId, ccId, ccName: `${canary}圈类` })
    .execute()
  await db
    .insertInto('circle')
    .values({
      schoolId,
      ciId,
      ciNo: 'QZ-1',
      ciName: canary,
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
    .insertInto('newsType')
    .values({ schoolId, ntId, ntName: `${canary}新闻类` })
    .execute()
  await db
    .insertInto('news')
    .values({ schoolId, niId, ntId, niTitle: canary, niDetail: `<p>${canary}</p>`, niStatus: newsStatus.published })
    .execute()
  const id = {
    ccId,
    ciId,
    ciClass: ccId,
    cpiPersonId: student!.suId,
    ntId,
    niId,
    tmId,
    scId,
    smId,
    scClassId,
    sdId,
    lsId,
    liId,
    lisId,
    laId,
    teamId,
    atId,
    esId,
    wfcId,
    wfId,
    suId: student!.suId,
    srId: school.roles['COUNSELOR']!,
  }
  return {
    ...id,
    id: scId,
    suiCollegeId: scId,
    collegeId: scId,
    liCollegeId: scId,
    majorId: smId,
    classId: scClassId,
    liPrincipalId: school.adminId,
    sqlId: school.labels['德']!,
    userId: id.suId,
  }
}

const calls = allCalls.map(({ name, call }) => [`${call.method} ${fullPath(call)}`, name, call] as const)
const guarded = calls.filter(([, , call]) => call.permit !== 'public')
const mounted = new Set(allRoutes.map(({ call }) => `${call.method} ${fullPath(call)}`))

/** Sends whatever the call takes; an upload gets a file that is none. */
const make = (client: Client, call: Call, input: Record<string, unknown>) =>
  call.takes === 'upload'
    ? client.upload(call, { name: 'x.xlsx', bytes: Buffer.from('no workbook') }, texts(input))
    : client.ask(call, input)
const texts = (input: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(input).map(([key, value]) => [
      key,
      typeof value === 'string' ? value : (JSON.stringify(value) ?? ''),
    ]),
  )

test('every call of the contract has a route and every route a call', () => {
  expect(calls.map(([path]) => path).filter((path) => !mounted.has(path))).toEqual([])
  expect([...mounted].filter((path) => !calls.some(([known]) => known === path))).toEqual([])
})
test('no two calls share a method and path', () => expect(new Set(calls.map(([path]) => path)).size).toBe(calls.length))
test('every right is written noun:verb', () => {
  for (const [, , { permit }] of calls) expect(permit).toMatch(/^(public|signed-in|[a-z]+:[a-zA-Z]+)$/)
})
test('the sign-in, what a sign-in page shows, the check of a transcript and nothing else is public', () => {
  expect(
    calls
      .filter(([, , call]) => call.permit === 'public')
      .map(([path]) => path.replace(/^\w+ \/api\/\w+\//, ''))
      .toSorted(),
  ).toEqual([
    'SchoolInfoT/getSchoolMessage',
    'SchoolInfoT/privacyNotice',
    'SchoolInfoT/searchSchool',
    'SchoolInfoT/selectSchoolInfoBySchoolId',
    'SchoolInfoT/selectSchoolInfoT',
    'demo/accounts',
    'identity/buttons',
    'identity/enter',
    'identity/exchange',
    'oauth/token',
    'sysDictCode/getAllDict',
    'sysDictCode/getDictValueByType',
    'sysUser/activate',
    'sysUser/activationProof',
    'sysUser/activationWays',
    'sysUserInfo/getArea/{id}',
    'sysUserInfo/getCity/{id}',
    'sysUserInfo/getProvince',
    'sysUserInfo/provinceCityAreaTree',
    'sysUserInfo/retrievePwd',
    'transcript/publicKeys/{schoolId}',
    'transcript/statusList/{schoolId}/{month}',
    'transcript/verify/{serial}',
    'transcript/verifyCredential',
    'user/login',
  ])
})

describe('HEAD', () => {
  const head = ({ admin }: TestSchool, call: Call, query = '') =>
    fetch(admin.address + fullPath(call).replace(/\{\w+\}/g, newId()) + query, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${admin.token}` },
    })
  test('asks what only reads', async () => {
    expect((await head(school, messageApi.count)).status).toBe(200)
  })
  test.each(calls.filter(([, , { method, writes, gives }]) => method === 'GET' && (writes || gives === 'events')))(
    '%s has no call by it',
    async (_, __, call) => expect((await head(school, call)).status).toBe(404),
  )
  test('removes nothing that GET would', async () => {
    const own = await newSchool()
    const lsId = own.curriculum['SXCL/主题教育']!
    await head(own, curriculumApi.delLs, `?lsId=${lsId}`)
    expect(await own.admin.send(curriculumApi.delLs, { lsId })).toEqual({ affected: 1 })
  })
})

describe('without a token', () => {
  test.each(guarded)('%s is refused with 401/40101', async (_, __, call) => {
    expect(await school.nobody.ask(call, {})).toMatchObject({ status: 401, code: 40101 })
    const basic = await fetch(school.address + fullPath(call).replace(/\{\w+\}/g, '1'), {
      method: call.method,
      headers: { authorization: `Basic ${btoa('console:console')}` },
    })
    expect(basic.status).toBe(401)
  })
})

describe('without the right', () => {
  test.each(guarded.filter(([, , call]) => call.permit.includes(':')))(
    '%s is refused with 403',
    async (_, __, call) => {
      expect(await make(powerless.client, call, known)).toMatchObject({ status: 403, code: 403 })
    },
  )
})

describe('an order that a list does not know, such as one that every object has a name for', () => {
  // elsewhere `sort` is the place of a record among others
  const isList = (call: Call) =>
    ['sort', 'pageSize'].every((name) => name in ((call.input as { shape?: object }).shape ?? {}))
  // which columns it has depends on the screen that is asked for; province.test.ts asks it
  const sorted = guarded.filter(([, , call]) => isList(call) && call.permit !== provincePermit)
  test.each(sorted)('%s refuses it', async (_, __, call) => {
    const shape = Object.keys((call.input as unknown as { shape: object }).shape)
    const fitting = Object.fromEntries(Object.entries(known).filter(([name]) => shape.includes(name)))
    for (const sort of ['nothing', '__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']) {
      const { code, errors } = await (call.permit === 'student:self' ? student : school.admin).ask(call, {
        ...fitting,
        sort,
      })
      expect([code, errors?.filter(({ field }) => field === 'sort')], sort).toEqual([
        300,
        [{ field: 'sort', msg: '不能按该列排序' }],
      ])
    }
  })
})

describe('another school', () => {
  test.each(guarded)('%s shows and changes nothing of ours', async (_, __, call) => {
    const inputs = [
      known,
      { ...known, schoolId: school.schoolId },
      { ...known, ids: Object.values(known), search: canary, suiName: canary, liName: canary, numberOrName: canary },
    ]
    for (const input of inputs) {
      const properties = Object.keys((call.input as unknown as { shape?: object }).shape ?? {})
      const fitting =
        properties.length > 0
          ? Object.fromEntries(Object.entries(input).filter(([name]) => properties.includes(name)))
          : input
      const response = await (call.takes === 'upload'
        ? stranger.admin
            .upload(call, { name: 'x.xlsx', bytes: Buffer.from('no') }, texts(fitting))
            .then((reply) => JSON.stringify(reply))
        : stranger.admin.fetch(call, fitting).then(textOf))
      const echo = JSON.stringify(fitting)
      if (!echo.includes(canary)) expect(response).not.toContain(canary)
      expect(response).not.toContain(known['laId'] === undefined ? canary : `"laId":"${known['laId']}"`)
    }
  })
  test('and all our records are as they were', async () => {
    const rows = await app.ctx.db
      .selectFrom('college')
      .select('scName')
      .where('schoolId', '=', school.schoolId)
      .execute()
    expect(rows).toEqual([{ scName: `${canary}学院` }])
    const lesson = await app.ctx.db
      .selectFrom('lesson')
      .select(['liName', 'liStatus', 'delFlag', 'version'])
      .where('schoolId', '=', school.schoolId)
      .execute()
    expect(lesson).toEqual([{ liName: canary, liStatus: lessonStatus.published, delFlag: yesNo.no, version: 0 }])
  })
})

const tries = fuzz(25)
describe(`faulty input, ${tries.numRuns} tries a call`, () => {
  // what would end the sessions of the very client that asks
  const harmful = new Set(['/api/schoolbase/user/logout', '/api/schoolbase/sysUser/editPassword'])
  test.each(calls.filter(([, , call]) => !harmful.has(fullPath(call))))(
    '%s never fails with 5xx and never tells how it is built',
    async (_, __, call) => {
      const fuzzed = await newSchoolFor(call)
      await fc.assert(
        fc.asyncProperty(inputsFor(call, { ...known, ...fuzzed.ids }), async (input) => {
          const reply = await make(fuzzed.client, call, input)
          expect(reply.status, JSON.stringify({ input, reply }).slice(0, 2000)).toBeLessThan(500)
          if (reply.headers.has('content-disposition') || !(reply.headers.get('content-type') ?? '').includes('json')) {
            expect(reply.status).toBe(200) // a file or a stream
            return
          }
          expect(reply.msg ?? '').not.toMatch(
            /select |insert |update |at \w+ \(|node_modules|ECONN|SQLSTATE|syntax error/i,
          )
          if (reply.code !== 200 && reply.status < 500) expect(String(reply.msg)).toMatch(/[\u4e00-\u9fff]/)
        }),
        tries,
      )
    },
  )
})

/** Writing calls get a school of their own, for what they change; reading ones share. */
let shared: { client: Client; ids: Record<string, string> } | undefined
async function newSchoolFor(call: Call): Promise<{ client: Client; ids: Record<string, string> }> {
  if (!call.writes && shared) return shared
  const own = await newSchool()
  const scId = await own.college()
  const made = {
    client: own.admin,
    ids: { scId, id: scId, lsId: own.curriculum['SXCL']!, srId: own.roles['COUNSELOR']! },
  }
  if (!call.writes) shared = made
  return made
}
