import { expect, test } from '@playwright/test'
import { evaluationApi } from '../contract/rules/evaluation/evaluation.calls.ts'
import { signIn } from '../server/testing/client.ts'
import { choose, done, open, shown, signedIn } from './support.ts'

test('a scoring rule is tried out, its change checked, and saved', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await open(page, '/basicConfig/EvaluationSystem?esLessonLevel=6')
  await shown(page.getByRole('link', { name: '志愿公益', exact: true })).click()
  const result = page.getByRole('table', { name: '试算结果' })
  await expect(result.getByRole('row', { name: /^学时/ })).toContainText('基础')
  await page.getByRole('textbox', { name: '学分', exact: true }).fill('7')
  await expect(result.getByRole('row', { name: /^学分/ })).toContainText('基础 7 学分 ＝ 7 学分')

  await page.getByRole('button', { name: '添加团队人数' }).click()
  await page.getByLabel('第 1 行团队人数').fill('2')
  await page.getByLabel('第 1 行各名次的比例').fill('0.6/0.4')
  await choose(page, page.getByLabel('试算团队名次'), '2 人团队第 2 位')
  await expect(result.getByRole('row', { name: /^学分/ })).toContainText('× 2 人团队第 2 位 0.4 ＝ 2.8 学分')
  await page.getByLabel('学年上限').fill('10')
  await page.getByLabel('试算学生已有学时').fill('10')
  await expect(result.getByRole('row', { name: /^学时/ })).toContainText('本学年还可计 0，按 0 学时计')

  await page.getByRole('button', { name: '评估影响' }).click()
  await expect(page.getByRole('region', { name: '改动的影响' })).toContainText(/按本规则认定/)
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await expect(page.getByText(/保存成功|已保存为第 2 版/)).toBeVisible()
  await done(page)
})

test('a former version of a rule is read and tried out, and cannot be changed', async ({ browser, baseURL }) => {
  const client = await signIn(baseURL!, 'demo', 'admin', 'Demo-2026')
  const { records } = await client.send(evaluationApi.all, { pageSize: 200 })
  const used = records.findLast(({ lessonCount, can }) => lessonCount > 0 && can.includes('edit'))!
  const page = await signedIn(browser, 'admin')
  const address = `/basicConfig/EvaluationSystem/EditEvaluationSystem?esId=${used.esId}`
  await open(page, address)
  await page.getByLabel('学年上限').fill('999')
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await expect(page.getByText(/已保存为第 \d+ 版/)).toBeVisible()
  await open(page, address)
  await expect(shown(page.getByText('（历史版本，只读）'))).toBeVisible()
  for (const label of ['规则名称', '学分', '学年上限', '生效日期'])
    await expect(page.getByRole('textbox', { name: label, exact: true })).toBeDisabled()
  await expect(page.getByRole('switch')).toBeDisabled()
  for (const name of ['保存', '添加奖项', '添加能力'])
    await expect(page.getByRole('button', { name, exact: true })).toHaveCount(0)
  await expect(page.getByLabel('试算课程学时')).toBeEnabled()
  await expect(page.getByRole('button', { name: '返回', exact: true })).toBeEnabled()
  await done(page)
})

test('levels are set, and one in use stays', async ({ browser }) => {
  const page = await signedIn(browser, 'admin', { expectErrors: /status of 4/ })
  await open(page, '/basicConfig/EvaluationSystem')
  await page.getByRole('button', { name: '级别设置' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('删除第 1 行').click()
  await dialog.getByRole('button', { name: '保存', exact: true }).click()
  await expect(page.getByText(/已有 .*使用，不能删除；可改为停用/)).toBeVisible()
  await dialog.getByRole('button', { name: '取消', exact: true }).click()
  await page.getByRole('button', { name: '放弃', exact: true }).click()
  await page.getByRole('button', { name: '级别设置' }).click()
  await dialog.getByRole('button', { name: '添加级别' }).click()
  await dialog
    .getByLabel(/^第 \d+ 行级别名称/)
    .last()
    .fill('宿舍级')
  await dialog.getByRole('button', { name: '保存', exact: true }).click()
  await expect(page.getByText('保存成功')).toBeVisible()
  await open(page, '/basicConfig/EvaluationSystem/AddEvaluationSystem')
  await expect(page.getByRole('rowheader', { name: '宿舍级' })).toBeVisible()
  await done(page)
})

test('a conversion rule is tried out on students and stands on the transcript', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await open(page, '/basicConfig/Transformation')
  await page.getByRole('button', { name: '新增转换规则' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('规则名称').fill('积分折算星级')
  await choose(page, dialog.getByLabel('折算来源'), '积分')
  await choose(page, dialog.getByLabel('折算为'), '星级')
  await dialog.getByRole('button', { name: '试算' }).click()
  await expect(dialog.getByText('请输入折算比例').first()).toBeVisible()
  await dialog.getByRole('textbox', { name: '折算比例' }).fill('0.1')
  await dialog.getByRole('button', { name: '试算' }).click()
  await expect(dialog.getByText(/共 \d+ 名学生/)).toBeVisible()
  await expect(dialog.getByRole('list', { name: '星级分布' }).getByRole('listitem').first()).toBeVisible()
  await dialog.getByRole('button', { name: '保存', exact: true }).click()
  await expect(page.getByText('保存成功')).toBeVisible()
  await expect(page.getByText('积分 × 0.1 → 星级')).toBeVisible()

  await open(page, '/transcript/transcriptList')
  await shown(page.locator('.ant-table-row a')).click()
  // the paper has room for three figures of the school's rules, and says of every one how it came about
  await expect(shown(page.getByText(/^积分折算星级：[\d.]+ 积分：× 0\.1 ＝ [\d.]+ 星级/))).toBeVisible()
  await done(page)
})
