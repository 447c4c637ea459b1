import { expect, test } from 'vitest'
import { messageApi } from '../../../contract/school/messages/messages.calls.ts'
import { personalApi } from '../../../contract/programme/personal/personal.calls.ts'
import { newSchool, unique } from '../../testing/school.ts'

test('everybody gets what is held about themselves, as data and as a page, and nothing of others', async () => {
  const school = await newSchool()
  const [one, other] = [await school.person('GUIDE_TEACHER'), await school.person('GUIDE_TEACHER')]
  const secret = `别人的${unique()}`
  await school.admin.send(messageApi.send, { suIds: [one.suId], iiTitle: '<b>标题</b>', iiContent: '给您的话' })
  await school.admin.send(messageApi.send, { suIds: [other.suId], iiTitle: secret, iiContent: secret })
  const json = await one.client.download(personalApi.myData, { format: 'json' })
  expect(json.name).toMatch(/^我的数据-\d{4}-\d\d-\d\d\.json$/)
  const data = JSON.parse(json.bytes.toString()) as Record<string, Record<string, unknown>[]>
  expect(data['个人资料']).toContainEqual({ 项目: '姓名', 内容: one.suiName })
  expect(data['角色']).toMatchObject([{ 角色: '指导老师' }])
  expect(data['收到的消息']).toMatchObject([{ 标题: '<b>标题</b>', 内容: '给您的话' }])
  const page = (await one.client.download(personalApi.myData)).bytes.toString()
  expect(page).toContain('&#60;b&#62;标题')
  expect(page).not.toContain('<b>标题')
  for (const text of [json.bytes.toString(), page]) {
    expect(text).not.toContain(secret)
    expect(text).not.toContain(other.suiName)
    expect(text).not.toContain(one.client.token)
  }
  const trail = await school.ctx.db
    .selectFrom('auditLog')
    .select(['action', 'actorId'])
    .where('schoolId', '=', school.schoolId)
    .where('action', '=', '下载我的数据')
    .execute()
  expect(trail).toEqual([
    { action: '下载我的数据', actorId: one.suId },
    { action: '下载我的数据', actorId: one.suId },
  ])
})
