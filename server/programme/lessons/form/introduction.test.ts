import type { Kysely } from 'kysely'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { fileState } from '../../../../contract/core/codes/platform.ts'
import { hasElements, imageSource, plainLines, richFromPlain } from '../../../../contract/core/rich-text.ts'
import { fileApi } from '../../../../contract/platform/files/files.calls.ts'
import { importApi } from '../../../../contract/platform/imports/imports.calls.ts'
import { approvalApi, lessonCaseApi } from '../../../../contract/programme/approvals/approvals.calls.ts'
import { lessonApi } from '../../../../contract/programme/lessons/lessons.calls.ts'
import { auditApi } from '../../../../contract/school/audit/audit.calls.ts'
import { addDays, addMinutes, dayOf } from '../../../core/base/clock.ts'
import { up as enrich } from '../../../migrations/202611231110-rich-introductions.ts'
import { useOwnDatabase } from '../../../testing/database.ts'
import { lessonWorld, untilNoon, type LessonWorld } from '../../../testing/lessons.ts'
import { scriptFile, vectors } from '../../../testing/script-vectors.ts'
import type { TestPerson } from '../../../testing/school.ts'

await useOwnDatabase()

/** Everything attackers write, around a word that must stay; the file that the vectors name is none of the school's. */
const hostile =
  `<p>活动<strong>要点</strong></p>${vectors.map((vector) => `<div>${vector}</div>`).join('')}`.replaceAll(
    scriptFile,
    '/no-file',
  )

/** The marks that may be in a stored text, as the service writes them. */
const permitted =
  /<\/?(?:p|br|h[2-4]|strong|em|u|s|sub|sup|blockquote|ul|ol|li|a|hr|table|thead|tbody|tr|th|td)(?: (?:href="(?:https?:\/\/|mailto:|tel:)[^"<>]*"|style="text-align:(?:center|right|justify)"|(?:col|row)span="\d{1,2}"))*(?: \/)?>/g
const foreign = (html: string) => html.replace(permitted, '').match(/[<>][^<>]*/g) ?? []

const introOf = async ({ teacher }: LessonWorld, liId: string) =>
  (await teacher.client.send(lessonApi.details, { liId })).liIntro
const versionOf = async ({ teacher }: LessonWorld, liId: string) =>
  (await teacher.client.send(lessonApi.details, { liId })).version

/** A published course whose flow asks the college's committee. */
async function approved() {
  const world = await lessonWorld(({ leader }) => [{ node: 'PUBLISH', checkers: [leader.suId] }])
  const form = world.form({}, untilNoon(world.school.clock.now()))
  const { liId } = await world.teacher.client.send(lessonApi.save, { ...form, submit: '1' })
  await pass(world)
  await world.teacher.client.send(lessonApi.publish, { liId })
  return { world, form, liId }
}
async function pass({ leader }: LessonWorld) {
  const { records } = await leader.client.send(approvalApi.publishQueue, {})
  await leader.client.send(approvalApi.publishPass, { taskIds: records.map(({ taskId }) => taskId) })
}

describe('what attackers write into an introduction is cleaned', () => {
  const expectClean = (html: string) => {
    expect(foreign(html)).toEqual([])
    expect(html).toContain('<p>活动<strong>要点</strong></p>')
  }

  test('in a new course, an edited one, one of a series and a copy', async () => {
    const world = await lessonWorld()
    const { client } = world.teacher
    const form = world.form({ liIntro: hostile })
    const { liId, version } = await client.send(lessonApi.save, form)
    const first = await introOf(world, liId)
    expectClean(first)
    await client.send(lessonApi.save, { ...form, liIntro: '<p>换</p>', liId, version })
    await client.send(lessonApi.save, { ...form, liId, version: version + 1 })
    expect(await introOf(world, liId)).toBe(first)

    // whatever came to lie in the table by another way is cleaned before it lies there a second time
    await world.school.ctx.db
      .updateTable('lesson')
      .set({ liIntro: hostile })
      .where('schoolId', '=', world.school.schoolId)
      .where('liId', '=', liId)
      .execute()
    const period = { startTime: addMinutes(form.startTime, 10_080), endTime: addMinutes(form.endTime, 10_080) }
    const { liIds } = await client.send(lessonApi.series, { liId, children: [period] })
    expect(await introOf(world, liIds[0]!)).toBe(first)
    const copy = await client.send(lessonApi.save, {
      ...world.form(),
      liIntro: await introOf(world, liId),
      startTime: addMinutes(form.startTime, 20_160),
      endTime: addMinutes(form.endTime, 20_160),
    })
    expect(await introOf(world, copy.liId)).toBe(first)
  })

  test('in a published course, at once and by a change that is approved', async () => {
    const { world, form, liId } = await approved()
    const save = async (more: object) =>
      world.teacher.client.send(lessonApi.save, { ...form, liId, version: await versionOf(world, liId), ...more })
    expect(await save({ liIntro: hostile })).toMatchObject({ isChanging: false })
    const first = await introOf(world, liId)
    expectClean(first)
    await save({ liIntro: '换' })
    expect(await save({ liIntro: hostile, minAttendRate: 80 })).toMatchObject({ isChanging: true })
    expect(await introOf(world, liId)).toBe('<p>换</p>')
    await pass(world)
    expect(await introOf(world, liId)).toBe(first)
  })

  test('in a sheet, where it is words', async () => {
    const world = await lessonWorld()
    const { client } = world.teacher
    const day = addDays(dayOf(world.school.clock.now()), 20)
    const intro = '<b>粗</b> <img src=x onerror=alert(1)> a < b && c\n第二行'
    const lines = [
      '课程名称*,课程体系*,课程级别*,负责人工号*,活动开始时间*,活动结束时间*,活动地点*,报名方式,名额*,课程简介*',
      `导入的课,思想成长 / 主题教育,院（系）级,${world.teacher.suiNumber},${day} 14:00,${day} 16:00,礼堂,无需报名,30,"${intro}"`,
    ]
    const { data } = await client.upload(
      importApi.upload,
      { name: '课程.csv', bytes: Buffer.from(lines.join('\r\n')) },
      { kind: 'lesson' },
    )
    expect(data).toMatchObject({ newCount: 1, faultCount: 0 })
    await client.send(importApi.commit, { kind: 'lesson', ibId: data.ibId })
    const { records } = await client.send(lessonApi.view, { liName: '导入的课' })
    const stored = await introOf(world, records[0]!.liId)
    expect(stored).toBe(richFromPlain(intro))
    expect(plainLines(stored)).toBe(intro)
  })

  test('and refused where nothing is left of it, or too much is read', async () => {
    const world = await lessonWorld()
    const ask = async (liIntro: string) => {
      const reply = await world.teacher.client.ask(lessonApi.save, { ...world.form(), liIntro })
      return [reply.code, reply.errors?.map(({ field, msg }) => `${field}：${msg}`)]
    }
    const blank = [300, ['liIntro：请输入课程简介']]
    expect(await ask('<script>alert(1)</script>')).toEqual(blank)
    expect(await ask('<p><style>p{}</style></p>')).toEqual(blank)
    expect(await ask(`<p>${'字'.repeat(20_001)}</p>`)).toEqual([300, ['liIntro：课程简介不能超过 20000 个字']])
    expect(await ask(`<p><strong>${'字'.repeat(20_000)}</strong></p>`)).toEqual([200, undefined])
  })
})

describe('an introduction', () => {
  test('sent as a plain text keeps its lines, and its signs are words', async () => {
    const world = await lessonWorld()
    const { liId } = await world.teacher.client.send(lessonApi.save, world.form({ liIntro: '第一行\n1 < 2 & 3\n' }))
    expect(await introOf(world, liId)).toBe('<p>第一行</p><p>1 &lt; 2 &amp; 3</p>')
  })

  test('of an older version reads as before, in changes that wait as well', async () => {
    const { world, form, liId } = await approved()
    await world.teacher.client.send(lessonApi.save, {
      ...form,
      liId,
      version: await versionOf(world, liId),
      minAttendRate: 80,
      liIntro: '待批',
    })
    const { db } = world.school.ctx
    const own = { schoolId: world.school.schoolId, liId }
    const plain = '第一行\n<第二行> & "引号"\r\n\n末行'
    await db.updateTable('lesson').set({ liIntro: plain }).where('liId', '=', own.liId).execute()
    const change = db.updateTable('lessonChange').where('schoolId', '=', own.schoolId).where('liId', '=', own.liId)
    await change.set({ columns: JSON.stringify({ minAttendRate: 80, liIntro: plain }) }).execute()
    await enrich(db as unknown as Kysely<unknown>)
    expect(await introOf(world, liId)).toBe(richFromPlain(plain))
    expect(plainLines(await introOf(world, liId))).toBe(plain.replace('\r', ''))
    await pass(world)
    expect(await introOf(world, liId)).toBe(richFromPlain(plain))
  })

  test('is told in words to reviewers and in the trail', async () => {
    const world = await lessonWorld(({ leader }) => [{ node: 'PUBLISH', checkers: [leader.suId] }])
    const form = world.form({ liIntro: '<p>共<strong>三</strong>场</p><ul><li>上午</li></ul>' })
    const { client } = world.teacher
    const { liId } = await client.send(lessonApi.save, { ...form, submit: '1' })
    const { records } = await world.leader.client.send(approvalApi.publishQueue, {})
    await world.leader.client.send(approvalApi.publishRefuse, { taskIds: [records[0]!.taskId], opinion: '请写明地点' })
    const save = async (liIntro: string, submit: string) =>
      client.send(lessonApi.save, { ...form, liId, version: await versionOf(world, liId), liIntro, submit })
    await save('<h2>共三场</h2><ul><li><p>上午</p></li></ul>', '0')
    await save('<h2>共三场</h2><p>上午，<em>礼堂</em></p>', '1')
    const shown = await world.leader.client.send(lessonCaseApi.lessonResult, { liId })
    expect(shown.differences).toContainEqual(
      expect.objectContaining({ label: '课程简介', before: '共三场\n上午', after: '共三场\n上午，礼堂' }),
    )
    const trail = await world.school.admin.send(auditApi.timeline, { bizType: 'lesson', bizId: liId })
    const changes = trail.records.flatMap((entry) => entry.changes).filter(({ label }) => label === '课程简介')
    expect(changes).toEqual([
      { label: '课程简介', before: '共三场\n上午', after: '共三场\n上午，礼堂' },
      { label: '课程简介', before: '共三场\n上午', after: '（仅调整格式或图片）共三场\n上午' },
      { label: '课程简介', before: '', after: '共三场\n上午' },
    ])
    expect(changes.filter(({ after }) => hasElements(after))).toEqual([])
  })
})

describe('a picture in an introduction', () => {
  const picture = async ({ client }: TestPerson) => {
    const bytes = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#2458c5' } })
      .png()
      .toBuffer()
    return (await client.upload(fileApi.upload, { name: '图.png', bytes }, { kind: 'image' })).data.fileId
  }
  const showing = (fileId: string) => `<p>见图</p><img src="${imageSource(fileId)}" alt="校门" />`

  test('is held by every course that shows it and let go with the last', async () => {
    const world = await lessonWorld()
    const { client } = world.teacher
    const fileId = await picture(world.teacher)
    const uses = () =>
      world.school.ctx.db
        .selectFrom('file')
        .select(['uses', 'fileState'])
        .where('schoolId', '=', world.school.schoolId)
        .where('fileId', '=', fileId)
        .executeTakeFirstOrThrow()
    const form = world.form({ liIntro: showing(fileId) })
    const { liId } = await client.send(lessonApi.save, form)
    expect(await introOf(world, liId)).toBe(showing(fileId))
    expect(await uses()).toEqual({ uses: 1, fileState: fileState.inUse })
    const period = { startTime: addMinutes(form.startTime, 10_080), endTime: addMinutes(form.endTime, 10_080) }
    const { liIds } = await client.send(lessonApi.series, { liId, children: [period] })
    expect(await uses()).toMatchObject({ uses: 2 })
    expect((await world.leader.client.fetch(fileApi.view, { id: fileId })).status).toBe(200)
    for (const id of [liId, ...liIds]) {
      const now = await client.send(lessonApi.details, { liId: id })
      await client.send(lessonApi.save, {
        ...form,
        liName: now.liName,
        startTime: now.startTime,
        endTime: now.endTime,
        liIntro: '<p>无图</p>',
        liId: id,
        version: now.version,
      })
    }
    expect(await uses()).toEqual({ uses: 0, fileState: fileState.abandoned })
  })

  test('is one that the person uploaded or the school already shows', async () => {
    const world = await lessonWorld()
    const others = await picture(world.leader)
    expect(await world.teacher.client.ask(lessonApi.save, { ...world.form(), liIntro: showing(others) })).toMatchObject(
      { code: 300, reason: 'file-gone' },
    )
  })
})
