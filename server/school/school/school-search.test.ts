import { expect, test } from 'vitest'
import { schoolApi } from '../../../contract/school/school/school.calls.ts'
import { newSchool, unique } from '../../testing/school.ts'
import { fitOf, readingOf } from './school-search.ts'

const cases: [name: string, code: string, typed: string, fit: number][] = [
  ['重庆大学', 'cqu', 'cqu', 7],
  ['重庆大学', 'cqu', '重庆大学', 7],
  ['重庆大学', 'cqu', '重庆', 6],
  ['重庆大学', 'cqu', '大学', 5],
  ['重庆大学', 'cqu10611', 'cqu', 4],
  ['重庆大学', '10611', 'cqd', 3],
  ['重庆大学', '10611', 'chongqing', 2],
  ['重庆大学', '10611', 'daxue', 1],
  ['重庆大学', '10611', 'dx', 1],
  ['厦门大学', '10384', 'xiamen', 2],
  ['厦门大学', '10384', 'sha', 0],
  ['吕梁学院', '10812', 'lv', 2],
  ['重庆大学', '10611', 'd', 0],
  ['重庆大学', '10611', '北京', 0],
  ['重庆大学', '10611', '%', 0],
  ['MIT 学院', 'm1', 'mit', 6],
]
test.each(cases)('%s (%s) is meant by %s: %d', (schName, schoolId, typed, fit) => {
  expect(fitOf({ schName, schoolId, signInHost: null, ...readingOf(schName) }, typed)).toBe(fit)
})

test('nobody signed in finds working schools by name, reading, code and host, and learns no more than names', async () => {
  const [school, other] = [await newSchool(), await newSchool()]
  const host = `${unique()}.example.edu.cn`
  const name = `衢州${unique()}学院`
  const change = (values: object) =>
    school.ctx.db.updateTable('school').set(values).where('schoolId', '=', school.schoolId).execute()
  await change({ schName: name, signInHost: host })
  const find = (input: object) => school.nobody.send(schoolApi.search, input)
  const own = { schoolId: school.schoolId, schName: name }
  const only = { schools: [own], isByHost: false, isMore: false }
  await expect.poll(() => find({ words: name }), { timeout: 10_000 }).toEqual(only)
  expect(await find({ words: ` ${school.schoolId.toUpperCase()} ` })).toEqual(only)
  expect((await find({ words: `quzhou${name.slice(2, -2)}` })).schools).toEqual([own])
  expect(await find({ host: host.toUpperCase() })).toEqual({ ...only, isByHost: true })
  const any = await find({ host: 'nowhere.example.edu.cn' })
  expect(any.isByHost).toBe(false)
  expect(any.schools.length).toBeLessThanOrEqual(10)
  expect(JSON.stringify(await find({ words: other.schoolId }))).not.toContain('example.edu.cn')
  await change({ suspendedTime: school.clock.now() })
  await expect.poll(() => find({ words: name }), { timeout: 10_000 }).toMatchObject({ schools: [] })
  expect(await school.nobody.ask(schoolApi.search, { words: 'x'.repeat(61) })).toMatchObject({
    reason: 'invalid-input',
  })
})
