import { expect, test, type Locator, type Page } from '@playwright/test'
import { lessonStatus } from '../contract/core/codes/programme.ts'
import { lessonApi } from '../contract/programme/lessons/lessons.calls.ts'
import { studentApi } from '../contract/school/people/students.calls.ts'
import { signIn } from '../server/testing/client.ts'
import { field } from './locators.ts'
import { done, newPage, open, settled, shown, signedIn } from './support.ts'

/**
 * The console for who reads it at twice its size: a browser that enlarges a page to 200 % lays it out for half the
 * window. Nothing is cut off sideways, what is pinned leaves most of the window to the page, and what is to be pressed
 * can be pressed.
 */

test.setTimeout(240_000)

/** Windows of 1440 x 900, 1920 x 1080 and 1366 x 768 at 200 %. */
const windows = [
  { width: 720, height: 450 },
  { width: 960, height: 540 },
  { width: 683, height: 384 },
]

/** How far the page, or the screen within it, runs out of the window sideways. */
const overflow = (page: Page): Promise<number[]> =>
  page.evaluate(() =>
    [document.scrollingElement!, ...document.querySelectorAll('.tab-page')].map(
      ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
    ),
  )

/** Whether something stands wholly within the window. */
async function expectInWindow(page: Page, locator: Locator): Promise<void> {
  const { width, height } = page.viewportSize()!
  await expect
    .poll(async () => {
      const box = await locator.boundingBox()
      return box && box.x >= -5 && box.y >= -5 && box.x + box.width <= width + 5 && box.y + box.height <= height + 5
    })
    .toBe(true)
}

/** Would be pressed by a click, once it has been scrolled to. */
const pressable = (locator: Locator) => locator.click({ trial: true })

for (const viewport of windows)
  test(`at 200 %, in ${viewport.width} x ${viewport.height}, every screen can be read and used`, async ({
    browser,
    baseURL,
  }) => {
    const entrance = await newPage(browser, { viewport })
    await entrance.goto('/')
    await pressable(entrance.getByRole('button', { name: '登录', exact: true }))
    expect(await overflow(entrance)).toEqual([0])
    await done(entrance)

    const admin = await signIn(baseURL!, 'demo', 'admin', 'Demo-2026')
    const { records: lessons } = await admin.send(lessonApi.view, { liStatus: lessonStatus.published })
    const { liId } = lessons.find(({ can }) => can.includes('cancel'))!
    const { records: students } = await admin.send(studentApi.list, { pageSize: 1 })
    const { suId } = students[0]!
    const page = await signedIn(browser, 'admin', { viewport })
    const button = (name: string | RegExp) => shown(page.getByRole('button', { name, exact: true }))
    for (const [address, main] of [
      ['/home', undefined],
      ['/courseManagement/CurriculumList', '新增课程'],
      ['/courseManagement/addCurriculumList', '提交审批'],
      [`/courseManagement/detailCurriculumList?liId=${liId}`, '编辑'],
      [`/courseManagement/CurriculumList/Participants?liId=${liId}`, '添加人员'],
      ['/checkAdmin/publishCheck', '审批代理'],
      ['/transcript/transcriptList', '批量打印'],
      [`/transcript/transcriptDetail?suId=${suId}`, /^导出 PDF/],
      ['/personnelAdmin/studentAdmin', '新增学生'],
      ['/personnelAdmin/studentAdmin/add', '保存'],
      ['/StatisticsAdmin/StudentStatistics', '导出看板'],
      ['/StatisticsAdmin/ThresholdStatistics', '重新计算'],
      ['/basicConfig/schoolInfo?tab=settings', '变更记录'],
      ['/basicConfig/CurriculumSystem', '新增模块'],
      ['/basicConfig/ProcessManagement/AddProcessManagement', '保存'],
      ['/personnelAdmin/roleAdmin', '新增角色'],
    ] as const) {
      await open(page, address)
      await settled(page)
      expect(
        (await overflow(page)).filter((by) => by > 0),
        address,
      ).toEqual([])
      if (main)
        await pressable(shown(page.getByRole('button', { name: main }).or(page.getByRole('link', { name: main }))))
      // what is pinned at the top and at the bottom leaves more than half of the window
      const free = await page.evaluate(() => {
        const foot = [...document.querySelectorAll('.tab-page .form-foot')].find((one) => one.checkVisibility())
        const screen = [...document.querySelectorAll('.tab-page')].find((one) => one.checkVisibility())!
        return (screen.clientHeight - (foot?.clientHeight ?? 0)) / window.innerHeight
      })
      expect(free, address).toBeGreaterThan(0.5)
    }

    // a rule's name and what is set are read in lines, not letter by letter
    await open(page, '/basicConfig/schoolInfo?tab=settings&word=最短公示期')
    const label = shown(page.locator('.setting-label'))
    expect((await label.boundingBox())!.width).toBeGreaterThan(240)
    await shown(page.getByRole('textbox', { name: '最短公示期', exact: true })).fill('2')
    await button('保存规则').click()
    await pressable(page.getByRole('dialog').getByRole('button', { name: '确认修改' }))
    await page.getByRole('dialog').getByRole('button', { name: '取消', exact: true }).click()
    await button('放弃修改').click()

    // dialogs that are higher than the window are scrolled
    await open(page, '/courseManagement/Question')
    await button('登记质疑').click()
    await pressable(page.getByRole('dialog', { name: '登记质疑' }).getByRole('button', { name: '登记', exact: true }))
    await open(page, `/courseManagement/detailCurriculumList?liId=${liId}`)
    await button(/^更多/).click()
    await expectInWindow(page, shown(page.locator('.ant-dropdown')))
    await page.getByRole('menuitem', { name: '取消课程', exact: true }).click()
    await pressable(page.getByRole('dialog').getByRole('button', { name: '取消课程', exact: true }))

    // what unfolds stays within the window
    await open(page, '/courseManagement/CurriculumList')
    await button('列设置').click()
    await expectInWindow(page, shown(page.locator('.ant-popover')))
    await pressable(shown(page.getByRole('button', { name: '恢复默认' })))
    await open(page, '/courseManagement/addCurriculumList')
    const range = shown(page.locator('.ant-form-item').filter({ hasText: '活动时间' }))
      .locator('input')
      .first()
    // where it is hardest: with the same room above and below
    await range.evaluate((one) => one.scrollIntoView({ block: 'center' }))
    await range.click()
    await expectInWindow(page, shown(page.locator('.ant-picker-dropdown')))
    await page.keyboard.press('Escape')
    await expect(field(page, '课程名称')).toHaveValue('')
    await done(page)
  })
