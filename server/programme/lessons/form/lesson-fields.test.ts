import { expect, test } from 'vitest'
import { dictionary } from '../../../../contract/core/dictionary.ts'
import {
  fieldLabel,
  fieldsTelling,
  lessonFieldNames,
  lessonFields,
} from '../../../../contract/programme/lessons/lesson-fields.ts'
import { lessonApi } from '../../../../contract/programme/lessons/lessons.calls.ts'
import { lessonSheet } from '../../../../contract/programme/lessons/lessons.sheets.ts'
import { approvalApi } from '../../../../contract/programme/approvals/approvals.calls.ts'
import { auditApi } from '../../../../contract/school/audit/audit.calls.ts'
import { addMinutes } from '../../../core/base/clock.ts'
import { sheetIn } from '../../../testing/sheet-in.ts'
import { lessonWorld } from '../../../testing/lessons.ts'

/** The plain texts of the form: what is said of them here holds for every one that is added. */
const texts = fieldsTelling('stored').flatMap(([field, stored]) => (stored === 'blank' ? [field] : []))
const filled = (what: string) => Object.fromEntries(texts.map((field, at) => [field, `${what}${at}`]))

test('a text of the form is kept, shown, emptied, told in the trail and taken over by a series', async () => {
  const { teacher, school, form } = await lessonWorld()
  const given = { ...form(), ...filled('甲') }
  const { liId } = await teacher.client.send(lessonApi.save, given)
  expect(await teacher.client.send(lessonApi.details, { liId })).toMatchObject(filled('甲'))

  const period = { startTime: addMinutes(given.startTime, 10_080), endTime: addMinutes(given.endTime, 10_080) }
  const { liIds } = await teacher.client.send(lessonApi.series, { liId, children: [period] })
  expect(await teacher.client.send(lessonApi.details, { liId: liIds[0]! })).toMatchObject(filled('甲'))

  const { version } = await teacher.client.send(lessonApi.details, { liId })
  await teacher.client.send(lessonApi.save, { ...given, ...filled('乙'), liId, version })
  const { records } = await school.admin.send(auditApi.timeline, { bizType: 'lesson', bizId: liId })
  const changes = records.flatMap((entry) => entry.changes)
  for (const [at, field] of texts.entries())
    expect(changes).toContainEqual({ label: fieldLabel(field), before: `甲${at}`, after: `乙${at}` })

  await teacher.client.send(lessonApi.save, { ...form(), liId, version: version + 1 })
  expect(await teacher.client.send(lessonApi.details, { liId })).toMatchObject(
    Object.fromEntries(texts.map((field) => [field, ''])),
  )
})

test('a free text of a published course changes at once, an approved one waits', async () => {
  const { teacher, leader, form } = await lessonWorld(({ leader }) => [{ node: 'PUBLISH', checkers: [leader.suId] }])
  const given = form()
  const { liId } = await teacher.client.send(lessonApi.save, { ...given, submit: '1' })
  const { records } = await leader.client.send(approvalApi.publishQueue, {})
  await leader.client.send(approvalApi.publishPass, { taskIds: [records[0]!.taskId] })
  await teacher.client.send(lessonApi.publish, { liId })
  for (const field of texts.filter((name) => lessonFields[name].change === 'free')) {
    const { version } = await teacher.client.send(lessonApi.details, { liId })
    const saved = await teacher.client.send(lessonApi.save, { ...given, [field]: '丙', liId, version })
    expect([field, saved.isChanging]).toEqual([field, false])
    expect(await teacher.client.send(lessonApi.details, { liId })).toMatchObject({ [field]: '丙' })
  }
  const { version } = await teacher.client.send(lessonApi.details, { liId })
  expect(await teacher.client.send(lessonApi.save, { ...given, minAttendRate: 80, liId, version })).toMatchObject({
    isChanging: true,
  })
  expect((await teacher.client.send(lessonApi.details, { liId })).change?.differences).toContainEqual({
    field: 'minAttendRate',
    label: '最低出勤率',
    before: '0%',
    after: '80%',
  })
})

test('what is exported stands in the list under its label', async () => {
  const { teacher, form } = await lessonWorld()
  await teacher.client.send(lessonApi.save, { ...form(), ...filled('甲'), placeText: '礼堂甲', quota: 37 })
  const { bytes } = await teacher.client.download(lessonApi.export, {})
  const { lines } = await sheetIn(bytes)
  const head = lines.findIndex(({ cells }) => cells.includes('课程编号'))
  const cell = (label: string) => lines[head + 1]!.cells[lines[head]!.cells.indexOf(label)]
  for (const [field, { label = fieldLabel(field) }] of fieldsTelling('exported'))
    expect(lines[head]!.cells).toContain(label)
  expect([cell('地点'), cell('名额'), cell('类型')]).toEqual(['礼堂甲', '37', '活动'])
})

test('what is imported has its column, marked as the form marks it', () => {
  const columns = new Map(lessonSheet.columns.map((column) => [column.key as string, column]))
  for (const [field] of fieldsTelling('imported'))
    expect(columns.get(field)).toMatchObject({
      label: fieldLabel(field),
      required: !lessonFields[field].schema.safeParse(undefined).success,
    })
  expect(columns.get('liIntro')).toEqual({ key: 'liIntro', label: '课程简介', required: true, max: 5000, width: 40 })
})

test('every field has a Chinese label, and codes a dictionary that has their words', () => {
  const unlabelled = lessonFieldNames.filter((field) => !/\p{Script=Han}/u.test(fieldLabel(field)))
  // the form of industry courses is a record of fields, each with a label of its own
  expect(unlabelled).toEqual(['liExt'])
  for (const [, type] of fieldsTelling('dictionary')) expect(dictionary[type].length).toBeGreaterThan(0)
})
