import { expect, test, type Page } from '@playwright/test'
import { approvalApi, lessonCaseApi } from '../contract/programme/approvals/approvals.calls.ts'
import { homeApi } from '../contract/programme/home/home.calls.ts'
import { studentStatApi } from '../contract/outcomes/statistics/student-statistics.calls.ts'
import { personLessonApi } from '../contract/programme/lessons/person-lessons.calls.ts'
import { labelApi } from '../contract/rules/labels/labels.calls.ts'
import { studentApi } from '../contract/school/people/students.calls.ts'
import { teacherApi } from '../contract/school/people/teachers.calls.ts'
import { signIn } from '../server/testing/client.ts'
import { importantColumns } from './important-columns.ts'
import { field, notice, row, rowWithHours, tab } from './locators.ts'
import { addressOf } from './records.ts'
import { choose, done, gradeOf, holdBack, open, settled, shown, signedIn } from './support.ts'

/**
 * What holds for every list and every screen of figures: nothing false stands on them, and they never strand anybody.
 */

const students = '/personnelAdmin/studentAdmin'
const [first, second] = [`${gradeOf(3)}110001`, `${gradeOf(3)}110002`]

test('a page beyond the end leads to the last one, and going back leads away from it', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await open(page, '/personnelAdmin/academyAdmin')
  await open(page, `${students}?current=999`)
  await expect(page).toHaveURL(/current=31$/)
  await expect(shown(page.getByText('第 301-301 条，共 301 条'))).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(/academyAdmin/)
  await done(page)
})

test('without a network a new filter says so and shows no other rows; back again it is asked anew', async ({
  browser,
}) => {
  const page = await signedIn(browser, 'admin', { expectErrors: /ERR_INTERNET_DISCONNECTED/ })
  await open(page, students)
  await expect(row(page, first)).toBeVisible()
  await page.context().setOffline(true)
  await field(page, '姓名或学号').fill(second)
  await field(page, '姓名或学号').press('Enter')
  await expect(notice(page, '请求超时，请重试')).toBeVisible()
  await expect(shown(page.getByText('未能取得数据'))).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: first })).toHaveCount(0)
  await page.context().setOffline(false)
  await shown(page.getByRole('button', { name: '重试', exact: true })).click()
  await expect(row(page, second)).toBeVisible()
  await done(page)
})

test('without a network a record, a form, a case and a tree say so instead of that it is gone; back again they are read', async ({
  browser,
  baseURL,
}) => {
  const client = await signIn(baseURL!, 'demo', 'admin', 'Demo-2026')
  const [student] = (await client.send(studentApi.list, { search: first })).records
  const [waiting] = (await client.send(approvalApi.publishQueue, { tab: 'all' })).records
  const [teacher] = (await client.send(teacherApi.list, {})).records
  const page = await signedIn(browser, 'admin', { expectErrors: /ERR_FAILED|ERR_INTERNET_DISCONNECTED/ })
  for (const [path, reads, there] of [
    [
      `${students}/detail?suId=${student!.suId}`,
      studentApi.detail.path.replace('{id}', '*'),
      page.getByRole('heading', { level: 1, name: student!.suiName }),
    ],
    [`${students}/edit?suId=${student!.suId}`, studentApi.detail.path.replace('{id}', '*'), page.getByLabel('学号')],
    [
      `/checkAdmin/publishCheckDetail?liId=${waiting!.liId}`,
      lessonCaseApi.lessonResult.path,
      page.getByRole('article', { name: waiting!.bizName }),
    ],
    ['/basicConfig/quality', labelApi.all.path, page.getByText(/\d+ 个分组/)],
    [
      `/StatisticsAdmin/TeacherStatistics/sheet?suId=${teacher!.suId}`,
      personLessonApi.teacherSheet.path,
      page.getByRole('heading', { level: 1, name: `${teacher!.suiName}指导课程成绩单` }),
    ],
    ['/home', homeApi.lessonsCount.path, page.getByRole('region', { name: /^(我的|近期)课程$/ }).getByRole('link')],
  ] as const) {
    await page.route(`**${reads}*`, (route) => route.abort())
    await page.goto(path)
    await expect(shown(page.getByText('未能取得数据'))).toBeVisible()
    await expect(page.getByText(/不存在|没有找到/)).toHaveCount(0)
    await page.unroute(`**${reads}*`)
    await shown(page.getByRole('button', { name: '重试', exact: true })).click()
    await expect(shown(there).first()).toBeVisible()
  }
  await done(page)
})

test('tabs keep the names of their records when the page is loaded anew', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await open(page, students)
  const name = (await row(page, first).getByRole('link').first().textContent())!
  await row(page, first).getByRole('link', { name }).click()
  const tabs = page.getByRole('navigation', { name: '已打开的页签' })
  await expect(tabs.getByText(name)).toBeVisible()
  await open(page, '/personnelAdmin/academyAdmin')
  await expect(tabs.getByText(name)).toBeVisible()
  await page.reload()
  await expect(shown(page.getByRole('heading', { level: 1, name: '学院管理' }))).toBeVisible()
  await expect(tabs.getByText(name)).toBeVisible()
  await done(page)
})

test('figures of a former filter are dimmed and neither printed nor exported until the new ones are there', async ({
  browser,
}) => {
  const page = await signedIn(browser, 'admin', { expectErrors: /ERR_FAILED/ })
  await open(page, '/StatisticsAdmin/StudentStatistics')
  await settled(page)
  const figures = page.locator('.statistics-figures')
  await expect(figures).toHaveAttribute('aria-busy', 'false')
  const print = page.getByRole('button', { name: '打印', exact: true })
  const files = figures.getByRole('button', { name: /^下载/ })
  await expect(print).toBeEnabled()
  await expect(files.first()).toBeEnabled()
  const letGo = await holdBack(page, studentStatApi.total)
  await choose(page, field(page, '学院', true), '计算机科学与技术学院')
  await expect(figures).toHaveAttribute('aria-busy', 'true')
  await expect(print).toBeDisabled()
  await expect(page.getByRole('button', { name: '导出看板' })).toBeDisabled()
  await expect(files.and(page.locator(':enabled'))).toHaveCount(0)
  await letGo()
  await expect(figures).toHaveAttribute('aria-busy', 'false')
  await expect(files.first()).toBeEnabled()
  await expect(print).toBeEnabled()
  // and of figures that did not come nothing is kept until they have been read again
  await page.route(/\/studentStatistics\/Total/, (route) => route.abort())
  await page.reload()
  await expect(shown(page.getByRole('button', { name: '重试', exact: true }).first())).toBeVisible()
  await expect(print).toBeDisabled()
  await page.unroute(/\/studentStatistics\/Total/)
  await shown(page.getByRole('button', { name: '重试', exact: true }).first()).click()
  await expect(print).toBeEnabled()
  await done(page)
})

test('every column that offers to sort does, and says so in the address', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  for (const [address, columns] of [
    ['/basicConfig/ProcessManagement', ['流程名称', '类型', '状态', '运行中']],
    ['/basicConfig/EvaluationSystem', ['级别', '状态', '学时', '上限', '学分', '积分']],
    ['/basicConfig/Transformation', ['规则名称', '状态', '来源', '折算为']],
    ['/courseManagement/Reward', ['模板名称', '类型', '状态', '更新时间']],
    ['/courseManagement/Question/QuestionPersonnel', ['被质疑对象', '状态', '质疑类型', '受理期限', '登记时间']],
    ['/personalCenter/message', ['标题', '状态', '类型', '发送人', '发送时间']],
    ['/integration/deliveries', ['推送', '发生时间', '状态', '次数']],
    ['/StatisticsAdmin/loginStatistics?show=list', ['学工号', '登录次数']],
    ['/StatisticsAdmin/RecordStatistics?show=list', ['录入时间']],
    ['/StatisticsAdmin/AbilityStatistics?show=list', ['排名', '学生人数', '合计']],
  ] as const) {
    await open(page, address)
    const heads = page.locator('th.ant-table-column-has-sorters').filter({ visible: true })
    await expect.poll(() => heads.allTextContents()).toEqual(columns)
    for (const [at] of columns.entries()) {
      const answer = page.waitForResponse((one) => /sort(=|":")\w/.test(one.url() + (one.request().postData() ?? '')))
      await heads.nth(at).click()
      expect((await answer).status()).toBe(200)
      await expect(page).toHaveURL(/sort=\w+&order=asc/)
    }
  }
  await done(page)
})

test('rows, numbers and pages of a former filter are dimmed until the new ones are there, on a phone as well', async ({
  browser,
}) => {
  for (const isPhone of [false, true]) {
    const page = await signedIn(browser, 'admin', { isPhone })
    await open(page, students)
    await settled(page)
    const card = shown(page.locator('.list-card'))
    await expect(card).toHaveAttribute('aria-busy', 'false')
    const name = await card.locator('.ant-table-row, .cards > li').first().locator('.row-name, a').first().innerText()
    if (isPhone) await shown(page.getByRole('button', { name: '筛选与排序', exact: true })).click()
    const letGo = await holdBack(page, studentApi.list)
    await field(page, '姓名或学号').fill(second)
    await field(page, '姓名或学号').press('Enter')
    await expect(card).toHaveAttribute('aria-busy', 'true')
    const dimmed = page.locator('.is-former').filter({ visible: true })
    await expect(dimmed.filter({ hasText: name })).toHaveCount(1)
    await expect(dimmed.filter({ hasText: /共 \d+ 条/ })).toHaveCount(2)
    await expect(page.locator('.views small.is-former')).toHaveCount(4)
    await expect(dimmed.first()).toHaveCSS('opacity', '0.6')
    await letGo()
    await expect(card).toHaveAttribute('aria-busy', 'false')
    await expect(dimmed).toHaveCount(0)
    await done(page)
  }
})

test('on a phone a page is ticked at once, and a list put into another order', async ({ browser }) => {
  const page = await signedIn(browser, 'admin', { isPhone: true })
  await open(page, students)
  const cards = shown(page.locator('.cards')).getByRole('listitem')
  await expect(cards).toHaveCount(10)
  const all = shown(page.getByRole('checkbox', { name: '全选本页' }))
  await all.check()
  const bar = shown(page.getByRole('toolbar', { name: '批量操作' }))
  await expect(bar).toContainText('已选 10 项')
  await expect(bar.getByRole('button', { name: /^选择全部 \d+ 条$/ })).toBeVisible()
  await cards.first().getByRole('checkbox').uncheck()
  await expect(bar).toContainText('已选 9 项')
  await expect(all).not.toBeChecked()
  await all.check()
  await all.uncheck()
  await expect(bar).toBeHidden()

  await shown(page.getByRole('button', { name: '筛选与排序', exact: true })).click()
  await choose(page, field(page, '排序', true), '学号，降序')
  await expect(page).toHaveURL(/sort=suiNumber&order=desc/)
  await settled(page)
  const numbers = await cards.allInnerTexts()
  const byNumber = numbers.map((text) => /\d{9,}/.exec(text)![0])
  expect(byNumber).toEqual(byNumber.toSorted().toReversed())
  await page.reload()
  // shut, it tells what is set within
  await shown(page.getByRole('button', { name: '筛选与排序（已设排序）', exact: true })).click()
  await expect(shown(page.getByRole('search', { name: '筛选' }))).toContainText('学号，降序')
  await shown(page.getByRole('button', { name: '重置', exact: true })).click()
  await expect(page).not.toHaveURL(/sort=/)
  await done(page)
})

test('whoever may only look at a list finds nothing to tick and no column of actions', async ({ browser }) => {
  const ticks = (page: Page) => shown(page.getByRole('checkbox', { name: '全选本页' }))
  const actions = (page: Page) => shown(page.getByRole('columnheader', { name: '操作', exact: true }))
  const [auditor, admin] = await Promise.all(['auditor', 'admin'].map((username) => signedIn(browser, username)))
  for (const address of ['/communityAdmin/communityCategory', '/newsAdmin/newsList', '/basicConfig/Transformation']) {
    await Promise.all([open(auditor!, address), open(admin!, address)])
    await expect(ticks(admin!)).toHaveCount(1)
    await expect(actions(admin!)).toHaveCount(1)
    await settled(auditor!)
    await expect(ticks(auditor!)).toHaveCount(0)
    await expect(actions(auditor!)).toHaveCount(0)
  }

  // nor what waits for them, where nothing can
  const queues = (page: Page) => shown(page.getByRole('navigation', { name: '审批队列' }))
  await Promise.all([open(auditor!, '/checkAdmin/publishCheck'), open(admin!, '/checkAdmin/publishCheck')])
  for (const queue of ['发布', '结果']) {
    await expect(queues(admin!).getByRole('link', { name: new RegExp(`^${queue}\\s*\\d+$`) })).toBeVisible()
    await expect(queues(auditor!).getByRole('link', { name: queue, exact: true })).toBeVisible()
  }
  await Promise.all([done(auditor!), done(admin!)])
})

test('what a form holds can be read by those who may not change it', async ({ browser }) => {
  const page = await signedIn(browser, 'auditor')
  await page.emulateMedia({ colorScheme: 'dark' })
  await open(page, '/basicConfig/schoolInfo')
  const name = shown(page.getByLabel('学校名称'))
  await expect(name).toBeDisabled()
  await expect(name).toHaveCSS('color', 'rgb(179, 189, 202)')
  await expect(shown(page.getByText('未上传')).first()).toBeVisible()
  await done(page)
})

for (const [about, lists] of Object.entries(importantColumns))
  test(`on a small laptop the actions of a list cover nothing that matters: ${about}`, async ({ browser }) => {
    const page = await signedIn(browser, 'admin', { viewport: { width: 1366, height: 768 } })
    await open(page, students)
    const { content: token } = await page.evaluate(
      () => JSON.parse(localStorage.getItem('accessToken') ?? '{}') as { content: string },
    )
    for (const [path, columns] of Object.entries(lists)) {
      await open(page, (await addressOf(path, token)) ?? path)
      const head = (name: string) => shown(page.getByRole('columnheader', { name, exact: true }))
      await expect(head(columns[0]!), path).toBeVisible()
      await settled(page)
      const inSight = await page.evaluate(() => {
        const table = [...document.querySelectorAll('.list-table')].find((one) => one.checkVisibility())!
        const heads = [...table.querySelectorAll('.ant-table-thead th')]
        const actions = heads.find(({ textContent }) => textContent === '操作')
        const edge = actions ? actions.getBoundingClientRect().left : table.getBoundingClientRect().right
        return heads
          .filter((one) => one !== actions && one.getBoundingClientRect().right <= edge + 1)
          .map(({ textContent }) => textContent)
      })
      expect.soft(inSight, path).toEqual(expect.arrayContaining(columns))
    }
    await done(page)
  })

test('a list inside a record keeps its filters in the address, and no other list takes them for its own', async ({
  browser,
}) => {
  const page = await signedIn(browser, 'admin')
  await open(page, students)
  await row(page, first).getByRole('link').first().click()
  await tab(page, '课程').click()
  await field(page, '课程名称').fill('没有这样的课程')
  await field(page, '课程名称').press('Enter')
  await expect(page).toHaveURL(/lessons\.liName=/)
  await expect(shown(page.getByText('没有符合条件的数据'))).toBeVisible()
  await page.reload()
  await expect(field(page, '课程名称')).toHaveValue('没有这样的课程')
  await expect(shown(page.getByText('没有符合条件的数据'))).toBeVisible()
  // the list of another tab begins without filters, and this one has its own again
  await tab(page, '补录').click()
  await settled(page)
  await expect(shown(page.getByText('没有符合条件的数据'))).toBeHidden()
  await tab(page, '课程').click()
  await expect(field(page, '课程名称')).toHaveValue('没有这样的课程')
  await page.goBack()
  await expect(page).not.toHaveURL(/lessons\.liName=/)
  await done(page)
})

/** Chooses one of a few ways to show something, and finds it chosen after a reload. */
async function outlasts(page: Page, label: string, way: string, address: RegExp): Promise<void> {
  const ways = shown(page.getByLabel(label, { exact: true }))
  await ways.getByText(way, { exact: true }).click()
  await expect(page).toHaveURL(address)
  await page.reload()
  await expect(ways.locator('.ant-segmented-item-selected')).toHaveText(way)
}

test('the part of a transcript, its preview, how things are shown and the month of the calendar outlast a reload', async ({
  browser,
}) => {
  const page = await signedIn(browser, 'admin')
  await open(page, '/transcript/transcriptList')
  await row(page, first).getByRole('button', { name: '预览', exact: true }).click()
  const drawer = page.getByRole('dialog')
  await expect(drawer).toContainText(first)
  await drawer.getByText('English', { exact: true }).click()
  await page.reload()
  await expect(drawer).toContainText(first)
  await expect(drawer.getByLabel('成绩单语言').locator('.ant-segmented-item-selected')).toHaveText('English')
  await page.goBack()
  await expect(drawer).toBeHidden()
  await open(page, '/transcript/transcriptList?sort=suiNumber&order=asc&pageSize=50')
  await rowWithHours(page).getByRole('link').first().click()
  await tab(page, '记录与进度').click()
  await expect(page).toHaveURL(/view=desk/)
  await page.reload()
  await expect(tab(page, '记录与进度')).toHaveAttribute('aria-selected', 'true')
  await outlasts(page, '分组方式', '按学期', /by=term/)
  await open(page, '/StatisticsAdmin/ThresholdStatistics')
  await outlasts(page, '按学院或年级', '按年级', /gaps=grade/)
  await open(page, '/home')
  await outlasts(page, '时间范围', '今天', /span=day/)
  await open(page, '/basicConfig/schoolInfo?tab=settings')
  await field(page, '查找规则').fill('公示期')
  await field(page, '只看与默认不同的').click()
  await expect(page).toHaveURL(/word=.*&changed=1/)
  await page.reload()
  await expect(field(page, '查找规则')).toHaveValue('公示期')
  await expect(field(page, '只看与默认不同的')).toBeChecked()
  await open(page, '/basicConfig/schoolInfo?tab=holiday')
  const year = Number(/\d{4}/.exec((await shown(page.locator('.school-year b')).textContent())!)![0])
  await shown(page.getByRole('button', { name: '下一年', exact: true })).click()
  await expect(shown(page.getByText(`${year + 1} 年`, { exact: true }))).toBeVisible()
  await page.reload()
  await expect(shown(page.getByText(`${year + 1} 年`, { exact: true }))).toBeVisible()
  await done(page)
})

test('what is looked at beside a list outlasts a reload, and going back closes it', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  const drawer = page.getByRole('dialog')
  for (const [path, word, label] of [
    ['/basicConfig/auditLog', '查看', 'preview'],
    ['/StatisticsAdmin/ThresholdStatistics?show=list', '查看', 'preview'],
    ['/basicConfig/ProcessManagement', '查看', 'preview'],
    ['/basicConfig/ProcessManagement', '历史版本', 'versions'],
  ] as const) {
    await open(page, path)
    await settled(page)
    const one = page.locator('.list-table .ant-table-row').filter({ visible: true }).first()
    const act = one.getByRole('button', { name: word, exact: true })
    if (!(await act.isVisible())) await one.getByRole('button', { name: '更多' }).click()
    await act
      .or(page.getByRole('menuitem', { name: word, exact: true }))
      .filter({ visible: true })
      .click()
    await expect(page, path).toHaveURL(new RegExp(`[?&]${label}=`))
    await expect(drawer).toBeVisible()
    await expect(drawer.locator('.ant-skeleton')).toHaveCount(0)
    const title = await drawer.locator('.ant-drawer-title').innerText()
    await page.reload()
    await expect(drawer.getByText(title, { exact: true }).first(), path).toBeVisible()
    await page.goBack()
    await expect(drawer, path).toBeHidden()
    await expect(page).not.toHaveURL(new RegExp(`[?&]${label}=`))
  }
  await done(page)
})
