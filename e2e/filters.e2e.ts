import { fileURLToPath } from 'node:url'
import { expect, test, type Page } from '@playwright/test'
import { importApi } from '../contract/platform/imports/imports.calls.ts'
import { lessonApi } from '../contract/programme/lessons/lessons.calls.ts'
import { supplementApi } from '../contract/programme/supplements/supplements.calls.ts'
import { labelApi } from '../contract/rules/labels/labels.calls.ts'
import { trialApi } from '../contract/rules/workflow/trial.calls.ts'
import { departmentApi } from '../contract/school/organisation/departments.calls.ts'
import { schoolInfoApi } from '../contract/school/school/school-info.calls.ts'
import { signIn } from '../server/testing/client.ts'
import { field } from './locators.ts'
import { choose, done, gradeOf, holdBack, open, settled, shown, signedIn } from './support.ts'

/** What lists are filtered by: filters that are folded, and days. */

test('what filters behind 更多筛选 is in sight when an address sets it, and told when somebody shuts it', async ({
  browser,
}) => {
  const page = await signedIn(browser, 'admin')
  await open(page, '/courseManagement/CurriculumList?liStatus=30&myLesson=1&pending=1')
  const more = (name: RegExp) => shown(page.getByRole('button', { name }))
  const pending = field(page, '有待审核的报名')
  await expect(more(/^收起筛选（已设 2 项）/)).toBeVisible()
  await expect(pending).toBeChecked()
  await more(/^收起筛选/).click()
  await expect(more(/^更多筛选（已设 2 项）/)).toHaveAttribute('aria-expanded', 'false')
  await expect(pending).toHaveCount(0)
  await page.reload()
  await expect(pending).toBeChecked()
  // taken away one by one they stay open under the hand
  await pending.click()
  await field(page, '我的课程', true).click()
  await expect(page).not.toHaveURL(/myLesson|pending/)
  await expect(more(/^收起筛选(?!（)/)).toBeVisible()
  await more(/^收起筛选(?!（)/).click()
  // a view that says by its name what it filters by opens nothing
  // away from the head of a column, whose hint may lie over the views
  await page.mouse.move(0, 0)
  await shown(page.getByRole('group', { name: '视图' }))
    .getByRole('button', { name: /^待我处理/ })
    .click()
  await expect(page).toHaveURL(/myLesson=1/)
  await expect(more(/^更多筛选（已设 1 项）/)).toHaveAttribute('aria-expanded', 'false')
  await done(page)
})

test('courses are filtered by the day they were entered, and the views count by the filters', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await open(page, '/courseManagement/CurriculumList?createStartDate=2020-01-01&createEndDate=2020-12-31')
  await expect(shown(page.getByText('没有符合条件的数据'))).toBeVisible()
  const views = shown(page.getByRole('group', { name: '视图' }))
  await expect(views.getByRole('button', { name: /^全部/ })).toHaveText('全部0')
  await expect(views.getByRole('button', { name: /^已完成/ })).toHaveText('已完成0')
  await shown(page.getByRole('button', { name: '清除筛选条件' })).click()
  await expect(views.getByRole('button', { name: /^全部/ })).not.toHaveText('全部0')
  await done(page)
})

test('the calendar of a filter comes once somebody wants it, by mouse or by keys, and stays with its days', async ({
  browser,
}) => {
  const page = await signedIn(browser, 'admin')
  const calendars: string[] = []
  page.on('request', (request) => {
    if (/\/(calendars|day-range-picker)-[^/]+\.js$/.test(request.url())) calendars.push(request.url())
  })
  await open(page, '/courseManagement/CurriculumList')
  await settled(page)
  expect(calendars, 'fetched before anybody has asked for them').toEqual([])

  const held = shown(page.getByRole('search', { name: '筛选' })).locator('.filter', { hasText: '活动时间' })
  await held.getByLabel('活动时间').click()
  await shown(page.locator('.ant-picker-presets').getByText('本年')).click()
  const year = (await page.evaluate(() => new Date().getFullYear())).toString()
  await expect(page).toHaveURL(new RegExp(`startTime=${year}-01-01.*endTime=${year}-12-31`))
  await expect(held.getByLabel('活动时间')).toHaveValue(`${year}-01-01`)
  // an address that holds days shows them at once
  await page.reload()
  await expect(held.getByLabel('活动时间')).toHaveValue(`${year}-01-01`)
  await held.locator('.ant-picker').hover()
  await held.locator('.ant-picker-clear').click()
  await expect(page).not.toHaveURL(/startTime/)

  await page.reload()
  await held.getByLabel('活动时间').focus()
  await expect(shown(page.locator('.ant-picker-presets'))).toBeVisible()
  await expect(held.getByLabel('活动时间')).toBeFocused()
  await page.keyboard.type(`${year}-03-01`)
  await page.keyboard.press('Enter')
  await page.keyboard.type(`${year}-03-31`)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`startTime=${year}-03-01.*endTime=${year}-03-31`))
  await done(page)
})

test('on a phone the whole calendar of a filter is within the window', async ({ browser }) => {
  const page = await signedIn(browser, 'admin', { isPhone: true })
  await open(page, '/courseManagement/CurriculumList')
  await shown(page.getByRole('button', { name: '筛选与排序' })).tap()
  const held = shown(page.getByRole('search', { name: '筛选' })).locator('.filter', { hasText: '活动时间' })
  await held.getByLabel('活动时间').tap()
  const calendar = shown(page.locator('.ant-picker-dropdown'))
  await expect(calendar.locator('.ant-picker-panel-container')).toBeInViewport({ ratio: 1 })
  await calendar.locator('.ant-picker-presets').getByText('本年').tap()
  await expect(page).toHaveURL(/startTime=/)
  await done(page)
})

test('a calendar or a dialog that does not come is told, leaves the list standing, and comes with the next click', async ({
  browser,
}) => {
  const page = await signedIn(browser, 'admin', { expectErrors: /Failed to load resource: net::ERR_FAILED/ })
  const address = '/courseManagement/CurriculumList'
  const rows = shown(page.getByRole('table')).getByRole('row')
  const held = shown(page.getByRole('search', { name: '筛选' })).locator('.filter', { hasText: '活动时间' })
  const calendar = /\/day-range-picker-[^/]+\.js/
  await open(page, address)
  await settled(page)
  const count = await rows.count()

  await page.route(calendar, (route) => route.abort())
  await held.getByLabel('活动时间').click()
  await expect(page.getByText('日历未能载入，请检查网络后重试')).toBeVisible()
  await expect(held.getByLabel('活动时间')).toBeFocused()
  await expect(rows).toHaveCount(count)
  // days of an address are shown without it
  await page.goto(`${address}?startTime=2026-03-01%2000:00:00&endTime=2026-03-31%2023:59:59`)
  await expect(held.getByLabel('活动时间')).toHaveValue('2026-03-01')
  await expect(held).toContainText('2026-03-31')
  await page.unroute(calendar)
  await held.getByLabel('活动时间').click()
  await expect(shown(page.locator('.ant-picker-presets'))).toBeVisible()
  await page.keyboard.press('Escape')

  await open(page, address)
  const wizard = /\/import-wizard-[^/]+\.js/
  await page.route(wizard, (route) => route.abort())
  const start = shown(page.getByRole('button', { name: '批量导入', exact: true }))
  await start.click()
  await expect(page.getByText('未能载入，请检查网络后重试', { exact: true })).toBeVisible()
  await expect(rows).toHaveCount(count)
  await page.unroute(wizard)
  await start.click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await done(page)
})

/** Changes what a call is asked for, and finds dimmed what is still its former answer, until the new one is there. */
async function dims(page: Page, call: { path: string }, change: () => Promise<void>, parts: (string | RegExp)[]) {
  const former = page.locator('.is-former').filter({ visible: true })
  await settled(page)
  await expect(former).toHaveCount(0)
  const letGo = await holdBack(page, call)
  await change()
  for (const part of parts) await expect(former.filter({ hasText: part }).first()).toBeVisible()
  await letGo()
  await expect(former).toHaveCount(0)
}

test('figures, maps and trees of a former choice are dimmed, and nothing is said to be missing by them', async ({
  browser,
  baseURL,
}) => {
  const page = await signedIn(browser, 'admin')
  await open(page, '/basicConfig/schoolInfo?tab=holiday')
  const next = shown(page.getByRole('button', { name: '下一年', exact: true }))
  const fill = shown(page.getByRole('button', { name: '录入全年', exact: true }))
  const none = page.getByText(/年还没有节假日$/)
  await dims(
    page,
    schoolInfoApi.holidays,
    async () => {
      await next.click()
      await expect(fill).toBeDisabled()
    },
    [/放假 [1-9]\d* 天/, '国庆', /\d 年 \d+ 月/],
  )
  await expect(fill).toBeEnabled()
  await open(page, '/basicConfig/schoolInfo?tab=holiday&month=2050-05')
  await expect(none).toBeVisible()
  await dims(page, schoolInfoApi.holidays, async () => (await next.click(), await expect(none).toBeHidden()), [
    '放假 0 天',
  ])
  await expect(none).toBeVisible()

  await open(page, '/basicConfig/ProcessManagement/CoverageMap')
  const map = shown(page.getByRole('region', { name: '覆盖图' }))
  await expect(map).toBeVisible()
  await dims(page, trialApi.coverage, () => shown(page.getByText('补录流程', { exact: true })).click(), [
    /全部范围都有流程|点击任意一格查看原因/,
    /^\d+$/,
    '课程体系',
  ])

  await open(page, '/basicConfig/quality')
  const groups = shown(page.locator('.label-groups'))
  await expect(groups.getByText(/\d+ 个标签/).first()).toBeVisible()
  const state = (name: string) =>
    shown(page.getByLabel('状态', { exact: true }))
      .getByText(name, { exact: true })
      .click()
  await dims(page, labelApi.all, () => state('停用'), [/\d+ 个分组/, '满分'])

  await open(page, '/personnelAdmin/departmentForm')
  const word = page.getByLabel('按部门名称、编码或成员姓名查找')
  const { users } = await (
    await signIn(baseURL!, 'demo', 'admin', 'Demo-2026')
  ).send(departmentApi.childrenAndUsers, { search: '0' })
  const { suiName } = users[0]!
  await word.fill(suiName)
  await expect(page.getByRole('region', { name: '符合条件的成员' })).toContainText(suiName)
  await dims(page, departmentApi.childrenAndUsers, () => word.fill(suiName.slice(0, -1)), [suiName])
  await done(page)
})

test('rows of an import under another verdict or page are dimmed until their own are there', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await open(page, '/personnelAdmin/studentAdmin')
  await shown(page.getByRole('button', { name: '批量导入', exact: true })).click()
  const wizard = page.getByRole('dialog', { name: /^批量导入/ })
  await page
    .getByLabel('选择文件')
    .setInputFiles(fileURLToPath(new URL('fixtures/students-faults.xlsx', import.meta.url)))
  const verdicts = wizard.getByRole('group', { name: '结论' })
  await expect(verdicts.getByRole('button', { name: /^错误/ })).toHaveAttribute('aria-pressed', 'true')
  await dims(page, importApi.preview, () => wizard.getByTitle('2', { exact: true }).click(), ['错误'])
  await wizard
    .getByRole('button', { name: /^跳过第 \d+ 行$/ })
    .first()
    .click()
  await dims(page, importApi.preview, () => verdicts.getByRole('button', { name: /^跳过/ }).click(), ['错误'])
  await expect(wizard.locator('.ant-table-row')).toHaveCount(1)
  await done(page)
})

test('the approvers and the worth of a former choice are dimmed in the forms of a course and of a supplement', async ({
  browser,
}) => {
  const page = await signedIn(browser, 'admin')
  await open(page, '/courseManagement/addCurriculumList')
  const subject = async (label: string) => {
    await shown(page.getByRole('combobox', { name: label, exact: true })).click()
    await page.getByRole('menuitemcheckbox', { name: '技能特长' }).click()
    await page.getByRole('menuitemcheckbox', { name: '语言证书' }).click()
  }
  await subject('课程体系')
  await choose(page, page.getByLabel('课程级别'), '校级')
  await expect(shown(page.locator('output.worth'))).toHaveText(/\d 学分/)
  await expect(shown(page.locator('.flow-preview'))).toBeVisible()
  const level = (name: string) => () => choose(page, shown(page.getByRole('combobox', { name: /^(课程)?级别$/ })), name)
  await dims(page, lessonApi.flowPreview, level('院（系）级'), [/流程/, /\d 学分/])

  await open(page, '/courseManagement/RecordingCourse/add')
  await choose(page, page.getByRole('combobox', { name: '学生' }), `${gradeOf(3)}110001`)
  await choose(page, page.getByRole('combobox', { name: '补录类型' }), '证书认证')
  await subject('模块')
  await choose(page, page.getByRole('combobox', { name: '级别' }), '校级')
  await expect(shown(page.locator('.flow-preview'))).toContainText('补录标准流程')
  await dims(page, supplementApi.flowPreview, level('省（部）级'), ['补录标准流程'])
  await done(page)
})
