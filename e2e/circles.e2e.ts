import { expect, test } from '@playwright/test'
import { yesNo } from '../contract/core/codes/platform.ts'
import { circleClassApi } from '../contract/programme/circles/circles.calls.ts'
import { signIn } from '../server/testing/client.ts'
import { saveDialog } from './actions.ts'
import { school, toast } from './configuration-actions.ts'
import { choose, done, open, shown, signedIn } from './support.ts'

/** A teacher founds a circle, those who look after circles refuse and pass it, and it changes hands. */
test('a circle is applied for, refused, put right, passed, and gets another person in charge', async ({ browser }) => {
  test.setTimeout(240_000)
  const admin = await signedIn(browser, 'admin')
  // three founders are enough for this journey
  const api = (path: string, body?: object) =>
    admin.evaluate(
      async ([url, input]) => {
        const { content } = JSON.parse(localStorage.getItem('accessToken') ?? '{}') as { content: string }
        const response = await fetch(`/api/schoolbase${url}`, {
          method: input ? 'POST' : 'GET',
          headers: { authorization: `Bearer ${content}`, 'content-type': 'application/json' },
          ...(input ? { body: JSON.stringify(input) } : {}),
        })
        return ((await response.json()) as { data: never }).data
      },
      [path, body] as const,
    )
  const { version } = (await api('/SchoolInfoT/getSettings')) as { version: number }
  await api('/SchoolInfoT/saveSettings', {
    version,
    values: { clubFounders: 3, clubTeachers: 1, clubUnitNeeded: yesNo.no, clubCharterNeeded: yesNo.no },
  })
  const students = (await api('/circleInfo/queryAllStudent')) as { suiName: string; suiNumber: string }[]
  const [leader, second, third] = students as [(typeof students)[0], (typeof students)[0], (typeof students)[0]]

  const teacher = await signedIn(browser, 'teacher')
  await open(teacher, '/communityAdmin/communityList')
  await shown(
    teacher.getByRole('link', { name: '新增圈子' }).or(teacher.getByRole('button', { name: '新增圈子' })),
  ).click()
  await teacher.waitForURL('**/communityList/add')
  // the list's filter of the same name goes when the form stands
  await expect(shown(teacher.getByRole('heading', { name: '新增圈子' }))).toBeVisible()
  await shown(teacher.getByLabel('圈子名称')).fill('星空观测社')
  await choose(teacher, shown(teacher.getByLabel('圈子分类')), '其他')
  await shown(teacher.getByLabel('圈子简介')).fill('观测星空，普及天文知识')
  await shown(teacher.getByLabel('负责人')).fill(leader.suiNumber)
  await shown(
    teacher
      .locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden) .ant-select-item-option')
      .filter({ hasText: leader.suiNumber }),
  ).click()
  await shown(teacher.getByLabel('指导老师')).fill('teacher')
  await shown(
    teacher
      .locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden) .ant-select-item-option')
      .filter({ hasText: '王老师' }),
  ).click()
  await teacher.keyboard.press('Escape')
  await shown(teacher.getByRole('button', { name: '提交', exact: true })).click()
  await expect(shown(teacher.getByText('成立圈子至少需要 3 名在籍学生发起，现有 1 名').last())).toBeVisible()
  const numbers = teacher.getByRole('textbox', { name: '学号', exact: true })
  // the first click may only close the list of names that is still open
  await expect(async () => {
    await shown(teacher.getByRole('button', { name: '按学号批量添加' })).click()
    await expect(numbers).toBeVisible({ timeout: 1000 })
  }).toPass()
  await numbers.fill(`${second.suiNumber}\n${third.suiNumber}`)
  await teacher.getByRole('button', { name: '添加 2 个学号' }).click()
  await toast(teacher, '已添加 2 人')
  await shown(teacher.getByRole('button', { name: '提交', exact: true })).click()
  await toast(teacher, '已提交成立申请')
  await expect(shown(teacher.getByRole('heading', { level: 1, name: '星空观测社' }))).toBeVisible()
  // while it waits, the address of its form says why it cannot be edited, and leads back
  const ciId = new URL(teacher.url()).searchParams.get('ciId')!
  await open(teacher, `/communityAdmin/communityList/edit?ciId=${ciId}`)
  await expect(shown(teacher.getByText('该圈子正在审核，审核结束后才能编辑'))).toBeVisible()
  await expect(shown(teacher.getByRole('button', { name: '保存', exact: true }))).toHaveCount(0)
  await shown(teacher.getByRole('button', { name: '返回', exact: true })).click()
  await expect(shown(teacher.getByRole('heading', { level: 1, name: /^星空观测社/ }))).toBeVisible()

  const row = admin.getByRole('row').filter({ hasText: '星空观测社' }).filter({ visible: true })
  await open(admin, '/communityAdmin/CommunityAudit?ciAuthStatus=0&ciName=星空')
  await row.getByRole('button', { name: '驳回' }).click()
  await admin.getByRole('dialog').getByLabel('驳回原因').fill('请补充活动计划')
  await admin.getByRole('dialog').getByRole('button', { name: '驳回', exact: true }).click()
  await toast(admin, '驳回成功')

  await open(teacher, '/personalCenter/community?ciName=星空')
  await shown(teacher.getByRole('link', { name: '星空观测社' })).click()
  await expect(shown(teacher.getByText('请补充活动计划'))).toBeVisible()
  await shown(teacher.getByRole('link', { name: '编辑' }).or(teacher.getByRole('button', { name: '编辑' }))).click()
  await shown(teacher.getByLabel('圈子简介')).fill('每月观测一次，每学期一次科普讲座')
  await shown(teacher.getByRole('button', { name: '保存', exact: true })).click()
  await toast(teacher, '已提交成立申请')

  await open(admin, '/communityAdmin/CommunityAudit?ciAuthStatus=0&ciName=星空')
  await row.getByRole('button', { name: '通过' }).click()
  await admin.getByRole('dialog').getByRole('button', { name: '通过', exact: true }).click()
  await toast(admin, '通过成功')

  await open(teacher, '/personalCenter/community?ciName=星空')
  await shown(teacher.getByRole('link', { name: '星空观测社' })).click()
  await shown(teacher.getByRole('button', { name: '提交申请' })).click()
  await teacher.getByRole('dialog').getByLabel('新任负责人').fill(second.suiNumber)
  await shown(
    teacher
      .locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden) .ant-select-item-option')
      .filter({ hasText: second.suiNumber }),
  ).click()
  await teacher.getByRole('dialog').getByLabel('申请说明').fill('负责人即将毕业')
  await teacher.getByRole('dialog').getByRole('button', { name: '提交', exact: true }).click()
  await toast(teacher, '申请已提交')

  await open(admin, '/communityAdmin/CommunityAudit?ciAuthStatus=0&ciName=星空')
  await expect(row).toContainText('变更负责人')
  await row.getByRole('button', { name: '通过' }).click()
  await admin.getByRole('dialog').getByRole('button', { name: '通过', exact: true }).click()
  await toast(admin, '通过成功')
  await open(admin, '/communityAdmin/communityList?ciName=星空')
  await expect(row).toContainText(second.suiName)
  await row.getByRole('button', { name: '停用' }).click()
  await expect(admin.getByRole('dialog')).toContainText('确认停用“星空观测社”？')
  await admin.getByRole('dialog').getByRole('button', { name: '停用', exact: true }).click()
  await toast(admin, '停用成功')
  await expect(row).toContainText('停用')
  await done(teacher)

  // categories
  await open(admin, '/communityAdmin/communityCategory')
  await shown(admin.getByRole('button', { name: '新增分类' })).click()
  await admin.getByRole('dialog').getByLabel('分类名称').fill('天文地理类')
  await saveDialog(admin)
  await expect(admin.getByRole('row').filter({ hasText: '天文地理类' })).toBeVisible()
  await done(admin)
})

test('a school without kinds of circle is told to add one before a circle', async ({ browser, baseURL }) => {
  const client = await signIn(baseURL!, school.schoolId, 'admin', 'Demo-2026')
  const { records } = await client.send(circleClassApi.list, { pageSize: 200 })
  await client.send(circleClassApi.remove, { ccIds: records.map(({ ccId }) => ccId) })
  const page = await signedIn(browser, 'admin', school)
  await open(page, '/communityAdmin/communityList/add')
  await expect(shown(page.getByText('还没有圈子分类，请先在“圈子分类”中添加'))).toBeVisible()
  await shown(page.getByRole('link', { name: '前往圈子分类' })).click()
  await expect(shown(page.getByRole('heading', { level: 1, name: '圈子分类' }))).toBeVisible()
  for (const { ccName, ccSort } of records) await client.send(circleClassApi.add, { ccName, ccSort })
  await open(page, '/communityAdmin/communityList/add')
  await expect(shown(page.getByLabel('圈子名称'))).toBeVisible()
  await done(page)
})
