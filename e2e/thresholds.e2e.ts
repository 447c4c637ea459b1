import { expect, test } from '@playwright/test'
import { thresholdApi } from '../contract/outcomes/thresholds/thresholds.calls.ts'
import { dialog, toast } from './configuration-actions.ts'
import { choose, done, open, shown, signedIn } from './support.ts'

test.describe.configure({ timeout: 90_000 })

test('who falls behind is found, reminded and helped', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await open(page, '/StatisticsAdmin/ThresholdStatistics')
  const card = page.getByRole('link', { name: /^严重警告 [\d,]+人，查看明细$/ })
  const count = Number(/([\d,]+)人/.exec((await card.getAttribute('aria-label'))!)![1]!.replace(/,/g, ''))
  // a figure of the table leads to as many students as it says
  const gaps = page.getByRole('figure', { name: '模块缺口人数' })
  await gaps.getByRole('button', { name: '表格' }).click()
  const missing = gaps.getByRole('row', { name: /^合计/ }).getByRole('link').first()
  const lacking = await missing.innerText()
  await missing.click()
  await expect(shown(page.getByText(new RegExp(`共 ${lacking} 条`)))).toBeVisible()
  await page.goBack()
  await card.click()
  await expect(shown(page.getByText(`共 ${count} 条`))).toBeVisible()
  const row = shown(page.locator('.ant-table-row')).first()
  const name = await row.locator('.row-name').innerText()
  await row.getByRole('button', { name: '提醒' }).click()
  await dialog(page).getByRole('button', { name: '发送' }).click()
  await toast(page, '已提醒 1 名学生')
  await row.locator('.row-name').click()
  const drawer = dialog(page)
  await expect(drawer).toContainText(`${name}同学：您的第二课堂学时进度目前为“严重警告”`)
  await drawer.getByRole('button', { name: '新增记录' }).click()
  const form = page.getByRole('dialog', { name: '新增帮扶记录' })
  await form.getByLabel('帮扶日期').fill('2026-11-20')
  await form.getByLabel('帮扶日期').press('Enter')
  await form.getByLabel('帮扶人').fill('陈老师')
  await form.getByLabel('帮扶内容').fill('谈话并约定每周参加一次活动')
  await form.getByRole('button', { name: '保存', exact: true }).click()
  await expect(drawer).toContainText('陈老师')
  const edit = drawer.getByRole('button', { name: '编辑 2026-11-20 的记录' })
  for (const button of [edit, drawer.getByRole('button', { name: '删除 2026-11-20 的记录' })])
    await expect(button).toHaveAttribute('authority-type', 'threshold:prompt')
  await edit.click()
  const again = page.getByRole('dialog', { name: '编辑帮扶记录' })
  await expect(again.getByLabel('帮扶人')).toHaveValue('陈老师')
  await again.getByRole('button', { name: '取消' }).click()
  await expect(again).toBeHidden()
  await page.keyboard.press('Escape')
  await open(page, '/StatisticsAdmin/ThresholdStatistics?tab=prompts')
  await expect(shown(page.locator('.ant-table-row'))).toContainText(name)
  // all that the list finds are reminded in the background, in words whose places the form names
  await open(page, '/StatisticsAdmin/ThresholdStatistics?warnLevel=3')
  await page.getByText('明细', { exact: true }).click()
  await page.getByRole('button', { name: '提醒全部' }).click()
  const all = page.getByRole('dialog', { name: '发送预警提醒' })
  await expect(all).toContainText(`符合当前筛选条件的 ${count} 名学生中的 ${count} 名预警学生`)
  await expect(all).toContainText('可用：{姓名} {预警等级} {学时缺口}')
  await all.getByRole('textbox').fill('{姓名}（{班级}）请尽快参加活动')
  await all.getByRole('button', { name: '发送' }).click()
  await expect(all).toContainText('没有“{班级}”')
  await all.getByRole('textbox').fill('{姓名}，{学时缺口}，请尽快参加活动')
  await all.getByRole('button', { name: '发送' }).click()
  await toast(page, `已在后台开始，共 ${count} 条；可继续其他工作`)
  await page.getByRole('button', { name: '后台任务', exact: true }).click()
  const tasks = page.getByRole('dialog', { name: '后台任务' })
  await expect(tasks.getByRole('listitem').filter({ hasText: '预警名单：提醒' }).first()).toContainText(
    `成功 ${count} 条`,
  )
  // the level stands in the student list too
  await open(page, '/personnelAdmin/studentAdmin?warnLevel=3')
  await expect(shown(page.getByText(`共 ${count} 条`))).toBeVisible()
  await done(page)
})

test('base values are tried, saved and take effect', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await open(page, '/StatisticsAdmin/ThresholdStatistics?tab=bases')
  const grades = page.getByLabel('年级', { exact: true })
  const year = Number(/(\d{4}) 级/.exec(await shown(page.locator('.base-values')).innerText())![1]) - 1
  await choose(page, grades, `${year} 级`)
  await expect(shown(page.getByText(`${year} 级，`))).toBeVisible()
  await page.getByLabel('第 1 行警告线', { exact: true }).fill('1000')
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await expect(shown(page.getByRole('alert'))).toContainText('第 1 行：警告线不能高于一般警告线')
  for (const [label, value] of [
    ['要求', '900'],
    ['一般警告线', '900'],
    ['警告线', '900'],
    ['严重警告线', '900'],
  ] as const)
    await page.getByLabel(`第 1 行${label}`, { exact: true }).fill(value)
  await page.getByRole('button', { name: '试算' }).click()
  const trial = page.getByRole('status', { name: '试算结果' })
  await expect(trial).toContainText('名学生的等级会上升')
  const severe = Number(
    (
      await trial
        .getByRole('row', { name: /^严重警告/ })
        .locator('td')
        .nth(1)
        .innerText()
    ).replace(/,/g, ''),
  )
  expect(severe).toBeGreaterThan(0)
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await toast(page, '已保存')
  await expect
    .poll(
      async () => {
        await open(page, `/StatisticsAdmin/ThresholdStatistics?show=list&grade=${year}&warnLevel=3`)
        return shown(page.getByText(/共 \d+ 条/)).innerText()
      },
      { timeout: 30_000 },
    )
    .toContain(`共 ${severe} 条`)
  await done(page)
})

test('nobody is said to need no reminder when it is not known', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await open(page, '/StatisticsAdmin/ThresholdStatistics')
  await shown(page.getByRole('link', { name: /^严重警告 [\d,]+人，查看明细$/ })).click()
  const counts = (url: URL) => url.pathname.endsWith(thresholdApi.promptCount.path)
  await page.route(counts, (route) => route.abort())
  await shown(page.locator('.ant-table-row')).first().getByRole('button', { name: '提醒' }).click()
  await expect(dialog(page)).toContainText('未能取得数据')
  await expect(dialog(page)).not.toContainText('不需要提醒')
  await expect(dialog(page).getByRole('button', { name: '发送' })).toBeDisabled()
  await page.unroute(counts)
  await dialog(page).getByRole('button', { name: '重试' }).click()
  await expect(dialog(page).getByRole('button', { name: '发送' })).toBeEnabled()
  // the browser tells of the answers that were held
  await page.context().close()
})
