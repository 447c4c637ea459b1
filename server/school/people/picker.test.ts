import { beforeAll, describe, expect, test } from 'vitest'
import { allCalls } from '../../../contract/index.ts'
import { personType } from '../../../contract/core/codes/school.ts'
import { circleApi } from '../../../contract/programme/circles/circles.calls.ts'
import { roleApi } from '../../../contract/school/roles/roles.calls.ts'
import { teacherApi } from '../../../contract/school/people/teachers.calls.ts'
import { newSchool, unique, type TestPerson, type TestSchool } from '../../testing/school.ts'

let school: TestSchool
let askers: Record<string, TestPerson>
/** A student and a teacher of another college, and seven more students of that name there. */
let far: { suId: string; suiName: string; suiNumber: string }
let farTeacher: TestPerson
let near: { suId: string; suiName: string; suiNumber: string }[]
const name = `欧阳${unique()}`

beforeAll(async () => {
  school = await newSchool()
  const [own, other] = [await school.college(), await school.college()]
  const placeIn = async (scId: string) => {
    const majorId = await school.major(scId)
    return { suiCollegeId: scId, majorId, scClassId: await school.schoolClass(majorId, scId) }
  }
  const place = await placeIn(own)
  near = await school.students(3, place)
  const away = await school.students(8, await placeIn(other))
  await school.ctx.db
    .updateTable('person')
    .set({ suiName: name })
    .where('schoolId', '=', school.schoolId)
    .where(
      'suId',
      'in',
      away.map(({ suId }) => suId),
    )
    .execute()
  far = { ...away[0]!, suiName: name }
  farTeacher = await school.person('GUIDE_TEACHER', [], { suiCollegeId: other })
  const ownClass = [{ caType: 'class' as const, caTarget: place.scClassId }]
  askers = {
    teacher: await school.person('GUIDE_TEACHER', [], { suiCollegeId: own }),
    counselor: await school.person('COUNSELOR', ownClass, { suiCollegeId: own }),
    secretary: await school.person('LEAGUE_SEC', ownClass, { suiCollegeId: own, suiType: personType.teacher }),
    league: await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: own }], { suiCollegeId: own }),
  }
})
const whoever = ['teacher', 'counselor', 'secretary', 'league'] as const

/** What pickers of every kind answer this person for a word. */
async function found({ client }: TestPerson, word: string) {
  const [people, members, students, teachers] = [
    await client.send(teacherApi.search, { search: word }),
    await client.send(roleApi.search, { search: word }),
    await client.ask(circleApi.students, { numberOrName: word }),
    await client.ask(circleApi.teachers, { numberOrName: word }),
  ]
  return [people, members.users, students.data ?? [], teachers.data ?? []]
}

test('under a right only those whom it covers are found, whoever else the picker shows', async () => {
  const { client } = askers['secretary']!
  const numbers = async (search: string) =>
    (await client.send(teacherApi.search, { search, under: 'sup:edit', suiType: personType.student })).map(
      ({ suId }) => suId,
    )
  expect(await numbers(near[0]!.suiNumber)).toEqual([near[0]!.suId])
  expect(await numbers(far.suiNumber)).toEqual([])
  // a right that they do not hold covers nobody
  expect(await client.send(teacherApi.search, { search: near[0]!.suiNumber, under: 'student:delete' })).toEqual([])
})

describe('across colleges', () => {
  test.each(whoever)('a %s finds nobody by a part of a name or number', async (who) => {
    for (const word of ['欧', name.slice(0, -1), far.suiNumber.slice(0, -1), farTeacher.suiNumber.slice(1)])
      for (const list of await found(askers[who]!, word))
        expect(list.filter(({ suiName, suiNumber }) => suiName === name || suiNumber === farTeacher.suiNumber)).toEqual(
          [],
        )
  })

  test.each(whoever)(
    'a %s finds by the whole number, and by the whole name at most five, however many there are',
    async (who) => {
      const client = askers[who]!.client
      expect((await client.send(teacherApi.search, { search: far.suiNumber })).map(({ suId }) => suId)).toEqual([
        far.suId,
      ])
      expect(
        (await client.send(teacherApi.search, { search: farTeacher.suiNumber })).map(({ suId }) => suId),
      ).toContain(farTeacher.suId)
      expect(await client.send(teacherApi.search, { search: name })).toHaveLength(5)
      expect((await client.send(roleApi.search, { search: name })).users).toHaveLength(5)
      expect((await client.send(roleApi.search, { search: far.suiNumber })).users.map(({ suId }) => suId)).toEqual([
        far.suId,
      ])
    },
  )

  test('nobody is named for an id, and no first ones are offered without a word', async () => {
    const { client } = askers['teacher']!
    expect(await client.send(teacherApi.search, { suIds: [far.suId] })).toEqual([])
    expect((await client.send(teacherApi.search, { suIds: [near[0]!.suId] })).map(({ suId }) => suId)).toEqual([
      near[0]!.suId,
    ])
    const first = await client.send(teacherApi.search, {})
    expect(first.length).toBeGreaterThan(2)
    expect(first.some(({ suiName }) => suiName === name)).toBe(false)
  })

  test('a pasted list of whole numbers is looked up wherever they are, fifty at most', async () => {
    const { client } = askers['teacher']!
    const pasted = [near[0]!.suiNumber, far.suiNumber, '0000000000']
    expect(
      (await client.send(circleApi.students, { numberOrName: pasted.join('\n') })).map(({ suId }) => suId).toSorted(),
    ).toEqual([near[0]!.suId, far.suId].toSorted())
  })

  test('members of a role are told as far as they are of one’s own area', async () => {
    const { srId } = await school.ctx.db
      .selectFrom('role')
      .select('srId')
      .where('schoolId', '=', school.schoolId)
      .where('srCode', '=', 'GUIDE_TEACHER')
      .executeTakeFirstOrThrow()
    const users = async (who: TestPerson) =>
      (await who.client.send(roleApi.search, { srId })).users.map(({ suId }) => suId)
    expect(await users(askers['league']!)).toEqual([askers['teacher']!.suId])
    expect((await school.admin.send(roleApi.search, { srId })).users.map(({ suId }) => suId)).toContain(farTeacher.suId)
  })
})

test('in one’s own area a picker finds by any part, and whoever looks after the school finds everybody', async () => {
  const part = near[1]!.suiNumber.slice(0, -1)
  for (const who of whoever)
    expect((await askers[who]!.client.send(teacherApi.search, { search: part })).map(({ suId }) => suId)).toContain(
      near[1]!.suId,
    )
  expect(
    await school.admin.send(teacherApi.search, { search: name.slice(0, 2), suiType: personType.student }),
  ).toHaveLength(8)
})

test('staff come before the many students of the same name', async () => {
  const surname = `司徒${unique()}`
  const scId = await school.college()
  const majorId = await school.major(scId)
  const place = { suiCollegeId: scId, majorId, scClassId: await school.schoolClass(majorId, scId) }
  const many = await school.students(25, place)
  const [own, other] = [await school.person('GUIDE_TEACHER'), await school.person('GUIDE_TEACHER')]
  const named = (people: { suId: string }[]) =>
    school.ctx.db
      .updateTable('person')
      .set({ suiName: surname })
      .where(
        'suId',
        'in',
        people.map(({ suId }) => suId),
      )
      .execute()
  await named([...many, own, other])
  const first = await school.admin.send(teacherApi.search, { search: surname })
  expect(first).toHaveLength(20)
  expect(new Set(first.slice(0, 2).map(({ suId }) => suId))).toEqual(new Set([own.suId, other.suId]))
  // a whole number is meant whoever has it
  const [exact] = await school.admin.send(teacherApi.search, { search: many[0]!.suiNumber })
  expect(exact!.suId).toBe(many[0]!.suId)
})

/** Fields by which calls look for people. */
const wordFields = ['search', 'suName', 'suiName', 'suiNumber', 'numberOrName', 'keyword']
const calls = allCalls.map(({ call }) => call)
const searching = calls.filter(
  ({ gives, writes, input }) =>
    gives === 'data' &&
    !writes &&
    'shape' in input &&
    wordFields.some((field) => field in (input as unknown as { shape: object }).shape),
)
test('no call of the contract tells a teacher of people elsewhere for a part of their name or number', async () => {
  expect(searching.length).toBeGreaterThan(15)
  const { client } = askers['teacher']!
  for (const call of searching)
    for (const word of ['欧', far.suiNumber.slice(0, -1)]) {
      const { shape } = call.input as unknown as { shape: object }
      const input = Object.fromEntries(wordFields.filter((field) => field in shape).map((field) => [field, word]))
      const { data } = await client.ask(call, { current: 1, pageSize: 50, ...input } as never)
      expect([call.path, JSON.stringify(data ?? null).includes(far.suiNumber)]).toEqual([call.path, false])
    }
})
