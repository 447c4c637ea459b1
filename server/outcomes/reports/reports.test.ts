import { beforeAll, describe, expect, test } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { buffer } from 'node:stream/consumers'
import { auditApi } from '../../../contract/school/audit/audit.calls.ts'
import { lessonStatus } from '../../../contract/core/codes/programme.ts'
import { reportApi } from '../../../contract/outcomes/reports/reports.calls.ts'
import { lessonStatApi } from '../../../contract/outcomes/statistics/lesson-statistics.calls.ts'
import { studentStatApi } from '../../../contract/outcomes/statistics/student-statistics.calls.ts'
import { supplementStatApi } from '../../../contract/outcomes/statistics/supplement-statistics.calls.ts'
import type { Card } from '../../../contract/outcomes/statistics/statistics.schema.ts'
import { thresholdApi } from '../../../contract/outcomes/thresholds/thresholds.calls.ts'
import { systemContext } from '../../core/request/system.ts'
import { tile } from '../../core/pdf/watermark.ts'
import { spanAround } from '../statistics/periods.ts'
import { refreshSchool } from '../statistics/refresh.service.ts'
import { recalculateSchool } from '../thresholds/recalculate.service.ts'
import type { Client } from '../../testing/client.ts'
import { pdfText } from '../../testing/pdf.ts'
import { statisticsWorld, type StatisticsWorld } from '../../testing/statistics-world.ts'
import { figureOrDash } from './report-content.ts'

/** A report says, figure for figure, what the statistics calls say to the same person. */

let world: StatisticsWorld
/** A day of the month in which most courses were published. */
let day: string
let askers: { name: string; client: Client; collegeId?: string }[]
const wordType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

beforeAll(async () => {
  world = await statisticsWorld(2026_11)
  const { school, colleges } = world
  const { db } = school.ctx
  await refreshSchool(school.ctx, school.schoolId)
  await recalculateSchool(systemContext(school.services, school.schoolId))
  const published = await db
    .selectFrom('lesson')
    .select('publishTime')
    .where('schoolId', '=', school.schoolId)
    .where('publishTime', 'is not', null)
    .execute()
  const months = published.map(({ publishTime }) => publishTime!.slice(0, 7))
  const often = (month: string) => months.filter((one) => one === month).length
  day = `${months.toSorted((a, b) => often(b) - often(a))[0]}-10`
  await db
    .updateTable('lesson')
    .set({ liName: '节日🎉晚会' })
    .where('schoolId', '=', school.schoolId)
    .where('liStatus', '=', lessonStatus.completed)
    .execute()
  const ofCollege = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: colleges[0]! }])
  const ofModule = await school.person('MODULE_OWNER', [{ caType: 'curriculum', caTarget: school.curriculum['CXCY']! }])
  askers = [
    { name: '校级', client: school.admin },
    { name: '校级看一个学院', client: school.admin, collegeId: colleges[1]! },
    { name: '学院', client: ofCollege.client },
    { name: '模块', client: ofModule.client },
  ]
}, 60_000)

const bare = (text: string): string => text.replace(/\s+/g, '')

/** The parts of a Word document by name. */
async function partsOf(bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await fromBufferPromise(bytes, { autoClose: false, lazyEntries: true })
  const parts = new Map<string, Buffer>()
  for await (const entry of zip.eachEntry())
    parts.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)))
  return parts
}
const wordsOf = (xml: Buffer): string =>
  bare(
    [...xml.toString('utf8').matchAll(/<w:t(?: [^>]*)?>([^<]*)<\/w:t>/g)].map((match) => match[1]!).join(''),
  ).replaceAll('&amp;', '&')

/** The rows that a report must hold, cell after cell. */
async function expected(client: Client, collegeId?: string): Promise<string[]> {
  const place = collegeId ? { collegeId } : {}
  const input = { ...spanAround('month', day), ...place }
  const card = ({ name, unit, value, prev, lastYear }: Card) =>
    `${name}（${unit}）${figureOrDash(value)}${figureOrDash(prev)}|${figureOrDash(lastYear)}`
  const info = await client.send(lessonStatApi.info, input)
  const before = new Map(
    (await client.send(lessonStatApi.colleges, { ...place, ...info.previous! })).map(({ id, count }) => [id, count]),
  )
  const colleges = await client.send(lessonStatApi.colleges, input)
  const rows = [
    ...info.cards.map(card),
    ...colleges.map(
      ({ id, name, count, rate, times }) =>
        `${name}${count}${rate}%${times}${before.get(id) ?? 0}${count - (before.get(id) ?? 0)}`,
    ),
    ...info.modules.map(({ name, count, rate, times, hours }) => `${name}${count}${rate}%${times}${hours}`),
    ...info.organisers.map(({ name, count, rate, times }) => `${name}${count}${rate}%${times}`),
  ]
  const sups = await client.ask(supplementStatApi.info, input)
  if (sups.code === 200) rows.push(...(sups.data as { cards: Card[] }).cards.map(card))
  const total = await client.ask(studentStatApi.total, place)
  if (total.code === 200)
    rows.push(
      `人均学时${figureOrDash((total.data as { cards: Card[] }).cards.find(({ key }) => key === 'avgHours')!.value)}学时`,
    )
  const warned = await client.ask(thresholdApi.overview, place)
  if (warned.code === 200 && (warned.data as { total: number }).total > 0)
    rows.push(
      ...(
        warned.data as { colleges: { name: string; total: number; level1: number; level2: number; level3: number }[] }
      ).colleges.map((one) => `${one.name}${one.total}${one.level3}${one.level2}${one.level1}`),
    )
  return rows
}

/** Between the figures of a card stand the changes, told in words. */
const holds = (text: string, row: string): boolean => {
  const [left, right] = row.split('|')
  if (right === undefined) return text.includes(row)
  for (let at = text.indexOf(left!); at >= 0; at = text.indexOf(left!, at + 1))
    if (
      /^(?:—|持平|(?:增加|减少)[\d,.]+%)/.test(text.slice(at + left!.length)) &&
      text
        .slice(at + left!.length)
        .replace(/^(?:—|持平|(?:增加|减少)[\d,.]+%)/, '')
        .startsWith(right)
    )
      return true
  return false
}

describe.each(['校级', '校级看一个学院', '学院', '模块'])('%s', (name) => {
  test.each(['pdf', 'docx'] as const)('the %s says what the calls say', async (format) => {
    const { client, collegeId } = askers.find((one) => one.name === name)!
    const {
      bytes,
      name: file,
      type,
    } = await client.download(reportApi.export, { span: 'month', day, format, ...(collegeId && { collegeId }) })
    expect(file).toBe(`第二课堂月报_${day.slice(0, 8)}01至${spanAround('month', day).endTime.slice(0, 10)}.${format}`)
    expect(type).toContain(format === 'pdf' ? 'application/pdf' : wordType)
    const parts = format === 'pdf' ? new Map<string, Buffer>() : await partsOf(bytes)
    const text = format === 'pdf' ? bare(await pdfText(bytes)) : wordsOf(parts.get('word/document.xml')!)
    const rows = await expected(client, collegeId)
    expect(rows.length).toBeGreaterThan(13)
    expect(rows.filter((row) => !holds(text, bare(row)))).toEqual([])
    expect(text).toContain(`${day.slice(0, 8)}01至`)
    const others = await world.school.ctx.db
      .selectFrom('college')
      .select('scName')
      .where('schoolId', '=', world.school.schoolId)
      .where('scId', '<>', world.colleges[0]!)
      .execute()
    if (name === '学院') expect(others.map(({ scName }) => scName).filter((other) => text.includes(other))).toEqual([])
    if (format === 'docx') {
      expect(bare(parts.get('word/footer1.xml')!.toString())).toContain('导出人')
      // the watermark; charts where there is something to compare
      expect([...parts.keys()].filter((part) => /^word\/media\/.*\.png$/.test(part)).length).toBeGreaterThanOrEqual(
        name === '校级' ? 3 : 1,
      )
      expect(parts.get('word/header1.xml')!.toString()).toContain('behindDoc="1"')
    } else expect(text).toMatch(/导出人.*第1页，共\d页/)
  })
})

test('what somebody may not see on a screen is not in their report', async () => {
  const { client } = askers.find(({ name }) => name === '模块')!
  const text = bare(await pdfText((await client.download(reportApi.export, { span: 'month', day })).bytes))
  expect((await client.ask(thresholdApi.overview, {})).code).not.toBe(200)
  expect(text).not.toContain('阈值预警')
  expect(
    bare(await pdfText((await world.school.admin.download(reportApi.export, { span: 'month', day })).bytes)),
  ).toContain('阈值预警')
})

test('it is on the trail with its period, its reason and who took it out; a page carries a mark behind its text', async () => {
  const { admin } = world.school
  const { bytes } = await admin.download(reportApi.export, { span: 'week', day, reason: '报送校团委例会' })
  const [row] = (await admin.send(auditApi.list, { action: '导出周报', pageSize: 5 })).records
  expect(row).toMatchObject({ reason: '报送校团委例会' })
  expect(bare(await pdfText(bytes))).toContain('第二课堂工作周报')
  expect(bytes.toString('latin1')).toMatch(new RegExp(`/Width ${tile.width}\\s+/Height ${tile.height}`))
})

test('a college that is not there, a day that is none', async () => {
  const { admin } = world.school
  expect(
    await admin.ask(reportApi.export, { span: 'week', day, collegeId: '00000000-0000-4000-8000-000000000000' }),
  ).toMatchObject({ reason: 'not-found' })
  expect(await admin.ask(reportApi.export, { span: 'week', day: '2026-02-30' })).toMatchObject({ code: 300 })
})
