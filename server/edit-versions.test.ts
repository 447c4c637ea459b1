import { beforeAll, describe, expect, test } from 'vitest'
import { fullPath } from '../contract/core/call.ts'
import { allCalls } from '../contract/index.ts'
import { allRoutes } from './app.ts'
import { specifiedCalls } from './spec-client/spec-client.ts'
import { newsTypeApi } from '../contract/platform/news/news.calls.ts'
import { circleClassApi } from '../contract/programme/circles/circles.calls.ts'
import { workflowApi } from '../contract/rules/workflow/workflow.calls.ts'
import { newSchool, unique, type TestSchool } from './testing/school.ts'

/** Calls that write what a form says into a record: by their names in the specification and ours. */
const edits = /(AddOrEdit|update|upDate|edit\w*|save\w*|AC\/save|^add$)$/i

/**
 * Edits that need no version, each with what stands for it: they say one thing and not a whole form, replace what is
 * only the asker's own, or name the days and people they touch.
 */
const without = new Map([
  ['/sysUser/editPassword', 'asks for the old password'],
  ['/savedView/save', 'one’s own'],
  ['/preference/save', 'one’s own'],
  ['/lessonsApplyInfo/saveOpinions', 'one’s own'],
  ['/SchoolInfoT/saveHolidays', 'names the days it replaces'],
  ['/schoolDepartment/departmentUserRelUpdate', 'says all departments of a person'],
  ['/sysUserInfo/updateCredibility', 'adds an entry to a log'],
  ['/lessonsInfoSup/batchEditPublicty', 'an act on a state'],
  ['/lessonsInfoSup/edit', 'deletes'],
  ['/schoolQualityLable/saveLable', 'adopts by id'],
])

/** Acts on the state of records that also take a version: they write no form. */
const actsOnState = new Set(['/lessonsInfoSup/editPublicty'])

/** Whether an input says which record is changed, by an id of its own that it takes first or may leave out. */
const shapeOf = (input: unknown): Record<string, unknown> => (input as { shape?: Record<string, unknown> }).shape ?? {}

const edited = allCalls
  .map(({ call }) => call)
  .filter(
    ({ writes, path, input }) =>
      writes && edits.test(path) && Object.keys(shapeOf(input)).some((key) => key.endsWith('Id')),
  )

describe('an edit of a record', () => {
  test('takes the version it started from, in every call of the contract', () => {
    expect(edited.length).toBeGreaterThan(25)
    const lacking = edited.filter(({ path, input }) => !('version' in shapeOf(input)) && !without.has(path))
    expect(lacking.map(({ method, path }) => `${method} ${path}`)).toEqual([])
  })

  test('says how its record is read, for clients of the specification that leave fields out', () => {
    const specified = new Set(specifiedCalls.map(({ method, path }) => `${method} ${path}`))
    const forms = allRoutes.filter(
      ({ call }) =>
        edited.includes(call) && !without.has(call.path) && specified.has(`${call.method} ${fullPath(call)}`),
    )
    expect(forms.length).toBeGreaterThan(15)
    expect(forms.flatMap(({ call, kept }) => (kept || actsOnState.has(call.path) ? [] : call.path))).toEqual([])
  })

  let school: TestSchool
  beforeAll(async () => void (school = await newSchool()))
  const made = {
    'a category of flows': async () => {
      const { wfcId } = await school.admin.send(workflowApi.saveType, { wfcName: `流程分类${unique()}` })
      return [workflowApi.saveType, { wfcId, wfcName: `流程分类${unique()}` }] as const
    },
    'a kind of circles': async () => {
      const { ccId } = await school.admin.send(circleClassApi.add, { ccName: `圈子分类${unique()}`, ccSort: 1 })
      return [circleClassApi.update, { ccId, ccName: `圈子分类${unique()}`, ccSort: 2 }] as const
    },
    'a kind of news': async () => {
      const { ntId } = await school.admin.send(newsTypeApi.add, { ntName: `新闻分类${unique()}`, ntSort: 1 })
      return [newsTypeApi.update, { ntId, ntName: `新闻分类${unique()}`, ntSort: 2 }] as const
    },
  }
  test.each(Object.entries(made))('%s asks a strict caller for it, and refuses a stale one', async (_, make) => {
    const [call, input] = await make()
    const ask = (more: object) => school.admin.ask(call, { ...input, ...more } as never)
    expect(await ask({})).toMatchObject({ code: 300, errors: [{ field: 'version' }] })
    expect((await ask({ version: 0 })).code).toBe(200)
    expect((await ask({ version: 0 })).status).toBe(409)
    expect((await ask({ version: 1 })).code).toBe(200)
    // a client of the specification knows none: it writes last and wins, and the trail tells what was there
    const name = Object.keys(input).find((key) => key.endsWith('Name'))!
    const last = `后来者${unique()}`
    const plain = await fetch(`${school.nobody.address}${fullPath(call)}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${school.admin.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...input, [name]: last }),
    })
    expect(await plain.json()).toMatchObject({ code: 200 })
    const { before, after } = await school.ctx.db
      .selectFrom('auditLog')
      .select(['before', 'after'])
      .where('schoolId', '=', school.schoolId)
      .where('bizName', '=', last)
      .where('action', 'like', '编辑%')
      .orderBy('logTime', 'desc')
      .executeTakeFirstOrThrow()
    expect([before, after]).toMatchObject([{ [name]: (input as Record<string, unknown>)[name] }, { [name]: last }])
  })
})
