import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { auditApi } from '../../../contract/school/audit/audit.calls.ts'
import { newsClass, newsStatus, yesNo, fileState } from '../../../contract/core/codes/platform.ts'
import { fileApi } from '../../../contract/platform/files/files.calls.ts'
import { newsApi, newsTypeApi } from '../../../contract/platform/news/news.calls.ts'
import { imageSource } from '../../../contract/core/rich-text.ts'
import { newSchool, unique, type TestPerson, type TestSchool } from '../../testing/school.ts'

const all = { current: 1, pageSize: 50 }
let school: TestSchool
let editor: TestPerson
let ntId: string
beforeAll(async () => {
  school = await newSchool()
  editor = await school.person('NEWS_EDITOR')
  ntId = (await school.admin.send(newsTypeApi.all, {}))[0]!.ntId
})

const form = (more: object = {}) => ({ ntId, niTitle: `新闻${unique()}`, niDetail: '<p>正文</p>', ...more })
const picture = async () => {
  const bytes = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#2458c5' } })
    .png()
    .toBuffer()
  return (await editor.client.upload(fileApi.upload, { name: '图.png', bytes }, { kind: 'image' })).data.fileId
}
const usesOf = async (fileId: string) =>
  await school.ctx.db
    .selectFrom('file')
    .select(['uses', 'fileState'])
    .where('schoolId', '=', school.schoolId)
    .where('fileId', '=', fileId)
    .executeTakeFirstOrThrow()

describe('news', () => {
  test('are written as drafts, published, taken back with a reason, and deleted', async () => {
    const { niId } = await editor.client.send(newsApi.add, form({ niTitle: '运动会开幕' }))
    const reader = await school.person('SIGN_MGR')
    expect((await reader.client.ask(newsApi.detail, { niId })).status).toBe(404)
    expect(await editor.client.send(newsApi.detail, { niId })).toMatchObject({
      niStatus: newsStatus.draft,
      publishTime: null,
      can: ['edit', 'publish', 'show', 'delete'],
    })
    expect(await editor.client.ask(newsApi.cancel, { niIds: [niId] })).toMatchObject({ reason: 'wrong-state' })
    expect(await editor.client.send(newsApi.publish, { niIds: [niId] })).toEqual({ affected: 1 })
    expect(await editor.client.send(newsApi.publish, { niIds: [niId] })).toEqual({ affected: 0 })
    expect(await reader.client.send(newsApi.detail, { niId })).toMatchObject({
      niTitle: '运动会开幕',
      niDetail: '<p>正文</p>',
      can: [],
    })
    await reader.client.send(newsApi.read, { niId })
    expect(
      (await editor.client.send(newsApi.list, { ...all, niStatus: newsStatus.published, niTitle: '运动会' })).records,
    ).toMatchObject([{ niId, readCount: 1, can: ['edit', 'cancel', 'show'] }])
    expect(await editor.client.ask(newsApi.remove, { niIds: [niId] })).toMatchObject({ reason: 'news-published' })
    await editor.client.send(newsApi.cancel, { niIds: [niId], reason: '内容有误' })
    expect((await reader.client.ask(newsApi.detail, { niId })).status).toBe(404)
    expect((await reader.client.ask(newsApi.read, { niId })).status).toBe(404)
    expect(await editor.client.send(newsApi.detail, { niId })).toMatchObject({
      niStatus: newsStatus.unpublished,
      cancelReason: '内容有误',
    })
    expect(await editor.client.send(newsApi.remove, { niIds: [niId] })).toEqual({ affected: 1 })
    expect((await editor.client.ask(newsApi.detail, { niId })).status).toBe(404)
  })

  test('stand on the home page when they are published and shown, those on top first', async () => {
    const [one, two, three] = await Promise.all(
      [
        form({ niTitle: '甲' }),
        form({ niTitle: '乙', niTop: yesNo.yes }),
        form({ niTitle: '丙', niIsShow: yesNo.no }),
      ].map((input) => editor.client.send(newsApi.add, input)),
    )
    await editor.client.send(newsApi.publish, { niIds: [one!.niId, two!.niId, three!.niId] })
    const reader = await school.person('SIGN_MGR')
    const titles = async () => (await reader.client.send(newsApi.shown, all)).records.map(({ niTitle }) => niTitle)
    expect(await titles()).toEqual(['乙', '甲'])
    expect(await editor.client.send(newsApi.show, { niIds: [three!.niId, two!.niId], niIsShow: yesNo.yes })).toEqual({
      affected: 1,
    })
    expect((await titles()).toSorted()).toEqual(['丙', '乙', '甲'])
    expect((await reader.client.ask(newsApi.list, all)).status).toBe(403)
  })

  test('are cleaned when written, and nothing of an attack is stored or comes back', async () => {
    const niDetail =
      '<p onclick="alert(1)">安全</p><script>alert(1)</script><img src=x onerror=alert(1)><a href="javascript:alert(1)">链接</a><svg onload=alert(1)></svg><img src="data:image/svg+xml,x"><img src="http://169.254.169.254/">'
    const { niId } = await editor.client.send(newsApi.add, form({ niDetail, niTitle: '<img src=x onerror=alert(1)>' }))
    const news = await editor.client.send(newsApi.detail, { niId })
    expect(news.niDetail).toBe('<p>安全</p><a>链接</a>')
    await editor.client.send(newsApi.update, {
      ...form({ niDetail: '<iframe src=x></iframe><p>再次</p>' }),
      niId,
      version: news.version,
    })
    const { niDetail: stored } = await school.ctx.db
      .selectFrom('news')
      .select('niDetail')
      .where('niId', '=', niId)
      .executeTakeFirstOrThrow()
    expect(stored).toBe('<p>再次</p>')
    expect(
      await editor.client.ask(newsApi.add, form({ niDetail: '<script>alert(1)</script><p> &nbsp;</p>' })),
    ).toMatchObject({ errors: [{ field: 'niDetail', msg: '请输入正文' }] })
  })

  test('hold the pictures of their text, and let them go again', async () => {
    const [first, second, cover] = [await picture(), await picture(), await picture()]
    const shows = (fileId: string) => `<p>图</p><img src="${imageSource(fileId)}" alt="">`
    const { niId } = await editor.client.send(newsApi.add, form({ niDetail: shows(first), niCover: cover }))
    expect(await usesOf(first)).toMatchObject({ uses: 1, fileState: fileState.inUse })
    const { version } = await editor.client.send(newsApi.detail, { niId })
    await editor.client.send(newsApi.update, { ...form({ niDetail: shows(second), niCover: cover }), niId, version })
    expect([await usesOf(first), await usesOf(second), await usesOf(cover)]).toMatchObject([
      { uses: 0 },
      { uses: 1 },
      { uses: 1 },
    ])
    const thief = await (await newSchool()).admin.ask(newsApi.add, { ...form(), niDetail: shows(second) })
    expect(thief.code).toBe(300)
    expect(
      await editor.client.ask(newsApi.add, form({ niDetail: shows('00000000-0000-7000-8000-000000000000') })),
    ).toMatchObject({ reason: 'file-gone' })
    await editor.client.send(newsApi.remove, { niIds: [niId] })
    expect(await usesOf(second)).toMatchObject({ uses: 0 })
  })

  test('recommend published news, and leave out those taken back', async () => {
    const { niId: other } = await editor.client.send(newsApi.add, form({ niTitle: '被推荐' }))
    expect(await editor.client.ask(newsApi.add, form({ relIds: [other] }))).toMatchObject({
      errors: [{ field: 'relIds' }],
    })
    await editor.client.send(newsApi.publish, { niIds: [other] })
    const { niId } = await editor.client.send(newsApi.add, form({ relIds: [other] }))
    const news = await editor.client.send(newsApi.detail, { niId })
    expect(news.related).toMatchObject([{ niId: other, niTitle: '被推荐' }])
    expect(
      await editor.client.ask(newsApi.update, { ...form({ relIds: [niId] }), niId, version: news.version }),
    ).toMatchObject({ errors: [{ field: 'relIds' }] })
    expect((await editor.client.send(newsApi.options, { niTitle: '被推荐' })).map((row) => row.niId)).toEqual([other])
    await editor.client.send(newsApi.cancel, { niIds: [other] })
    expect((await editor.client.send(newsApi.detail, { niId })).related).toEqual([])
    await editor.client.send(newsApi.update, { ...form({ relIds: [other] }), niId, version: news.version })
  })

  test('that only point elsewhere need an address of the web', async () => {
    expect(await editor.client.ask(newsApi.add, { ntId, niTitle: '外链', niClass: newsClass.link })).toMatchObject({
      errors: [{ field: 'niLink' }],
    })
    expect(
      await editor.client.ask(newsApi.add, {
        ntId,
        niTitle: '外链',
        niClass: newsClass.link,
        niLink: 'javascript:alert(1)',
      }),
    ).toMatchObject({ errors: [{ field: 'niLink' }] })
    expect(
      await editor.client.ask(newsApi.add, { ntId, niTitle: '外链', niClass: newsClass.link, niLink: 'mailto:a@b.cn' }),
    ).toMatchObject({ errors: [{ field: 'niLink' }] })
    expect(
      await editor.client.ask(newsApi.add, {
        ntId,
        niTitle: '外链',
        niClass: newsClass.link,
        niLink: 'https://www.example.edu.cn/',
      }),
    ).toMatchObject({ code: 200 })
  })

  test('of a college are its own; a stale form changes nothing', async () => {
    const [scId, other] = [await school.college(), await school.college()]
    const own = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: scId }], { suiCollegeId: scId })
    const strange = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: other }], {
      suiCollegeId: other,
    })
    const { niId } = await own.client.send(newsApi.add, form())
    expect((await strange.client.ask(newsApi.detail, { niId })).status).toBe(404)
    for (const call of [newsApi.publish, newsApi.remove])
      expect((await strange.client.ask(call, { niIds: [niId] })).status).toBe(404)
    await own.client.send(newsApi.publish, { niIds: [niId] })
    expect(await strange.client.send(newsApi.detail, { niId })).toMatchObject({ can: [] })
    expect((await strange.client.ask(newsApi.update, { ...form(), niId, version: 1 })).status).toBe(404)
    expect((await own.client.ask(newsApi.update, { ...form(), niId, version: 0 })).status).toBe(409)
    expect((await own.client.send(auditApi.timeline, { ...all, bizType: 'news', bizId: niId })).records.length).toBe(2)
  })
})

test('types of news are added, renamed, and stay while news are of them', async () => {
  const { admin } = school
  const { ntId: made } = await admin.send(newsTypeApi.add, { ntName: '媒体聚焦', ntSort: 5 })
  expect(await admin.ask(newsTypeApi.add, { ntName: '媒体聚焦' })).toMatchObject({ reason: 'name-taken' })
  await admin.send(newsTypeApi.update, { ntId: made, version: 0, ntName: '媒体报道', ntSort: 6 })
  const { niId } = await admin.send(newsApi.add, form({ ntId: made }))
  expect((await admin.send(newsTypeApi.list, { ...all, ntName: '媒体' })).records).toMatchObject([
    { ntName: '媒体报道', ntSort: 6, newsCount: 1, can: ['edit'] },
  ])
  await admin.send(newsApi.remove, { niIds: [niId] })
  expect(await admin.ask(newsTypeApi.remove, { ntIds: [made] })).toMatchObject({ reason: 'news-type-in-use' })
  const { ntId: empty } = await admin.send(newsTypeApi.add, { ntName: '空' })
  expect(await admin.send(newsTypeApi.remove, { ntIds: [empty] })).toEqual({ affected: 1 })
  expect((await (await newSchool()).admin.ask(newsTypeApi.update, { ntId: made, ntName: '他校' })).status).toBe(404)
})
