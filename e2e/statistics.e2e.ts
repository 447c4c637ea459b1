import { expect, test, type Page } from '@playwright/test'
import { leapYearToCome } from '../server/testing/clock.ts'
import { readFile } from 'node:fs/promises'
import { politicalStatus, studentStatus } from '../contract/core/codes/school.ts'
import { studentApi } from '../contract/school/people/students.calls.ts'
import { signIn } from '../server/testing/client.ts'
import { done, open, settled, shown, signedIn } from './support.ts'

test('a statistic asks nothing twice, and for its list once that is shown', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  const asked: string[] = []
  page.on('request', (request) => {
    const [, call] = /\/(?:statistics\/ability|teacherStatistics)\/(\w+)/.exec(request.url()) ?? []
    if (call) asked.push(call)
  })
  await open(page, '/StatisticsAdmin/AbilityStatistics')
  await expect(page.getByText(/数据截至 \d{4}-\d\d-\d\d/)).toBeVisible()
  await expect(page.getByRole('figure', { name: '年级曲线' })).toBeVisible()
  expect(asked.toSorted()).toEqual(['abilityTagAvgScore', 'collegeAbilityScore', 'gradeScore'])
  await page.getByText('明细', { exact: true }).click()
  await expect(page.getByRole('columnheader', { name: '排名' })).toBeVisible()
  expect(asked.filter((call) => call === 'collegeAbilityScore')).toHaveLength(2)

  asked.length = 0
  await open(page, '/StatisticsAdmin/AbilityStatistics?show=list')
  await expect(page.getByText(/数据截至 \d{4}-\d\d-\d\d/)).toBeVisible()
  await expect(page.getByRole('columnheader', { name: '排名' })).toBeVisible()
  expect(asked).toEqual(['collegeAbilityScore'])
  await open(page, '/StatisticsAdmin/TeacherStatistics')
  await expect(page.getByText(/数据截至 \d{4}-\d\d-\d\d/)).toBeVisible()
  await settled(page)
  expect(asked).not.toContain('ActDetailed')
})

test('a figure is narrowed by filters, followed to its list, read as a table and taken away', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await open(page, '/StatisticsAdmin/ReleaseStatistics')
  await expect(page).toHaveURL(/ReleaseStatistics/)
  await expect(page.getByText(/数据截至 \d{4}-\d\d-\d\d/)).toBeVisible()
  // two years back there are courses whatever the day of the demonstration
  await open(
    page,
    `/StatisticsAdmin/ReleaseStatistics?startTime=${leapYearToCome - 3}-01-01%2000:00:00&endTime=${leapYearToCome}-12-31%2023:59:59`,
  )
  const published = shown(page.getByRole('link', { name: /^发布数 [\d,]+门，查看明细$/ }))
  const all = Number((await published.textContent())!.replaceAll(',', ''))
  expect(all).toBeGreaterThan(10)

  const colleges = page.getByRole('figure', { name: '各学院课程' })
  await colleges.getByRole('button', { name: '表格' }).click()
  const row = colleges.getByRole('table').getByRole('row').nth(1)
  const name = (await row.getByRole('rowheader').textContent())!
  const link = row.getByRole('link').first()
  const count = Number(await link.textContent())
  expect(count).toBeGreaterThan(0)
  const [sheet] = await Promise.all([
    page.waitForEvent('download'),
    colleges
      .getByRole('button', { name: '下载各学院课程' })
      .click()
      .then(() => page.getByRole('menuitem', { name: '下载 Excel' }).click()),
  ])
  expect(sheet.suggestedFilename()).toMatch(/^各学院课程 \d{4}-01-01 至 \d{4}-12-31_.*\.xlsx$/)
  expect((await readFile((await sheet.path())!)).subarray(0, 2).toString()).toBe('PK')

  // what an earlier journey did may reach the figures between the two
  await expect(async () => {
    const counted = Number(await link.textContent())
    await link.click()
    await expect(page).toHaveURL(/collegeId=.*show=list/)
    await expect(shown(page.getByText(new RegExp(`共 ${counted} 条`)))).toBeVisible({ timeout: 3000 })
  }).toPass({ timeout: 60_000 })
  await expect(shown(page.getByRole('cell', { name, exact: true }).first())).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('link', { name: `发布数 ${all.toLocaleString('zh-CN')}门，查看明细` })).toBeVisible()

  const modules = page.getByRole('figure', { name: '模块分布' })
  const [picture] = await Promise.all([
    page.waitForEvent('download'),
    modules
      .getByRole('button', { name: '下载模块分布' })
      .click()
      .then(() => shown(page.getByRole('menuitem', { name: '下载 PNG 图片' })).click()),
  ])
  expect(picture.suggestedFilename()).toMatch(/^模块分布 \d{4}-01-01 至 \d{4}-12-31\.png$/)
  expect((await readFile((await picture.path())!)).subarray(1, 4).toString()).toBe('PNG')
  await page.getByRole('button', { name: '导出看板' }).click()
  const [paper] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: '导出 PDF（A4）' }).click(),
  ])
  const pdf = (await readFile((await paper.path())!)).toString('latin1')
  expect(pdf).toContain('/MediaBox [0 0 595.28 841.89]')
  expect(pdf.length).toBeGreaterThan(20_000)
  await done(page)
})

test('the period a statistic opens with outlives its other half, and can be taken away and set again', async ({
  browser,
}) => {
  const page = await signedIn(browser, 'admin')
  const span = shown(page.locator('.page-head').getByText(/^\d{4}-\d\d-\d\d 至 \d{4}-\d\d-\d\d/))
  const none = shown(page.locator('.page-head').getByText(/^不限时间/))
  // which half is shown stands in the address, and is no filter
  await open(page, '/StatisticsAdmin/ReleaseStatistics?show=list')
  await expect(span).toBeVisible()

  const filters = shown(page.getByRole('search', { name: '筛选' }))
  await filters.locator('.ant-picker').hover()
  await filters.locator('.ant-picker-clear').click()
  await expect(page).toHaveURL(/unfiltered=1/)
  await expect(none).toBeVisible()
  await page.getByText('概览', { exact: true }).click()
  await expect(page).not.toHaveURL(/show=list/)
  await expect(none).toBeVisible()
  await page.reload()
  await expect(none).toBeVisible()
  await filters.getByRole('button', { name: '重置' }).click()
  await expect(span).toBeVisible()
  await expect(page).not.toHaveURL(/unfiltered/)
  await done(page)
})

test('charts name everything at 1366, tell their units and leave no hole, and their tables can be read', async ({
  browser,
}) => {
  const page = await signedIn(browser, 'admin', { viewport: { width: 1366, height: 768 } })
  const screens = ['login', 'Release', 'Record', 'Ability', 'Circle', 'Student', 'Teacher', 'Threshold']
  for (const screen of screens) {
    await open(page, `/StatisticsAdmin/${screen}Statistics`)
    await settled(page)
    const charts = page.locator('.stat-charts').filter({ visible: true })
    await expect(charts.locator('svg').first()).toBeVisible()
    // every row of cards ends where the screen ends, and no card is beside an empty half
    const ends = await charts.evaluate((grid) => {
      const rows = new Map<number, number>()
      for (const card of grid.children) {
        const { top, right } = card.getBoundingClientRect()
        rows.set(Math.round(top), Math.max(rows.get(Math.round(top)) ?? 0, Math.round(right)))
      }
      return [...new Set(rows.values())]
    })
    expect(ends, `${screen}: rows end at the same edge`).toHaveLength(1)
    for (const figure of await charts.getByRole('figure').all()) {
      const title = (await figure.getByRole('heading').textContent())!
      const table = figure.getByRole('button', { name: '表格' })
      if ((await table.count()) === 0) continue
      expect.soft(title, `${screen}: unit of ${title}`).toMatch(/（.+）$/)
      const drawn = await figure.locator('svg text').allTextContents()
      await expect(figure.locator('.chart-drawing')).toHaveAccessibleName(/：|数字见表格/)
      await table.focus()
      await page.keyboard.press('Enter')
      const names = figure.getByRole('rowheader')
      const told = [...new Set(await names.allTextContents())]
      // names may be written in two lines, and a ranking draws its first ten; lines over time need not name every day
      if (!/趋势|各月|圈子活跃度|排行/.test(title)) {
        const all = drawn.join('').replaceAll(/\s/g, '')
        const missing = told.slice(0, 10).filter((name) => !all.includes(name.replaceAll(/\s/g, '')))
        expect
          .soft(
            missing.filter((name) => !/^(全校|合计|发布|\d{4})$|不足 5 人/.test(name)),
            `${screen}: unnamed in ${title}`,
          )
          .toEqual([])
      }
      const narrow = await names.evaluateAll((cells) =>
        cells.filter((cell) => cell.textContent!.length > 3 && cell.clientWidth < 60).map((cell) => cell.textContent),
      )
      expect.soft(narrow, `${screen}: names broken in the table of ${title}`).toEqual([])
      await page.keyboard.press('Enter')
    }
  }
  await done(page)
})

test('a figure of the term a screen opens with keeps the term, and a share leads to those it counts', async ({
  browser,
}) => {
  const page = await signedIn(browser, 'admin')
  await open(page, '/StatisticsAdmin/TeacherStatistics')
  const rate = shown(page.getByRole('link', { name: /^参与率 [\d.]+%，查看明细$/ }))
  const people = (await shown(page.getByRole('link', { name: /^参与指导教师 \d+人，查看明细$/ })).textContent())!
  await rate.click()
  await expect(page).toHaveURL(/startTime=.*guides=1.*show=list/)
  await expect(shown(page.getByText(new RegExp(`共 ${people} 条`)))).toBeVisible()

  // the second list has its own place in the address
  const guided = page.locator('.list-card').nth(1)
  await guided.locator('.ant-pagination-item-2').click()
  await expect(page).toHaveURL(/guided\.current=2/)
  await page.reload()
  await expect(guided.getByText(/^第 11-20 条/)).toBeVisible()

  // a teacher's courses are a sheet, all or the ticked ones
  await page.goBack()
  await page.locator('.list-card').first().getByRole('row').nth(1).locator('a[href*="TeacherStatistics/sheet"]').click()
  const sheet = shown(page.getByRole('heading', { level: 1, name: /指导课程成绩单/ }))
  await expect(sheet).toHaveText(/^.+指导课程成绩单$/)
  // and so many of them may be open, each under its name
  const whose = (await sheet.textContent())!.replace(/指导课程成绩单$/, '')
  await expect(
    page.getByRole('navigation', { name: '已打开的页签' }).getByText(`指导课程成绩单 · ${whose}`),
  ).toBeVisible()
  await shown(page.getByRole('checkbox', { name: /^选择/ }))
    .first()
    .check()
  await page.getByRole('button', { name: '只看所选 1 门' }).click()
  await expect(page.getByText(/所选 1 门课程/)).toBeVisible()
  await expect(page.getByRole('cell', { name: '合计 1 门' })).toBeVisible()

  await open(page, '/StatisticsAdmin/StudentStatistics?anonymous=1')
  await expect(page.getByRole('switch', { name: '隐去姓名' })).toBeChecked()
  await page.getByRole('link', { name: '没有记录的学生' }).click()
  await expect(page).toHaveURL(/stage=none.*show=list/)
  await done(page)
})

const politicalStatusOf = (page: Page) => page.getByRole('figure', { name: '政治面貌' })

test('students below a figure are listed, names can be hidden, small groups are not shown', async ({
  browser,
  baseURL,
}) => {
  const page = await signedIn(browser, 'admin')
  await open(page, '/StatisticsAdmin/StudentStatistics')
  const people = page.getByRole('link', { name: /^学生人数 [\d,]+人，查看明细$/ })
  const all = (await people.textContent())!
  const ranking = page.getByRole('figure', { name: '学时排行' })
  await ranking.getByRole('button', { name: '表格' }).click()
  await expect(ranking.getByRole('table').getByRole('row').nth(1).getByRole('link')).toBeVisible()
  await page.getByRole('switch', { name: '隐去姓名' }).click()
  await expect(ranking.getByRole('table').getByRole('row').nth(1)).toContainText('*')
  await expect(ranking.getByRole('table').getByRole('link')).toHaveCount(0)
  await people.click()
  await expect(shown(page.getByText(new RegExp(`共 ${all} 条`)))).toBeVisible()

  // of a class of thirty the party members are few: they stand with others, and no number is smaller than five
  const { records } = await (
    await signIn(baseURL!, 'demo', 'admin', 'Demo-2026')
  ).send(studentApi.list, { suiPolitical: politicalStatus.partyMember, suiStatus: studentStatus.enrolled })
  const { scClassId } = records[0]!
  await open(page, `/StatisticsAdmin/StudentStatistics?scClassId=${scClassId}`)
  await politicalStatusOf(page).getByRole('button', { name: '表格' }).click()
  const groups = await politicalStatusOf(page)
    .getByRole('table')
    .getByRole('row')
    .evaluateAll((rows) =>
      rows.slice(1).map((row) => [...row.querySelectorAll('th, td')].map(({ textContent }) => textContent)),
    )
  expect(groups.map(([name]) => name)).toContain('其他（不足 5 人的合并）')
  for (const [name, count] of groups)
    expect(count === '不足 5 人' || Number(count) >= 5, `${name}：${count}`).toBe(true)
  await done(page)

  // who sees nothing sensitive is told of a college, and of a class that it is not told
  const viewer = await signedIn(browser, 'viewer')
  await open(viewer, '/StatisticsAdmin/StudentStatistics')
  await expect(politicalStatusOf(viewer).getByRole('button', { name: '表格' })).toBeVisible()
  await open(viewer, `/StatisticsAdmin/StudentStatistics?scClassId=${scClassId}`)
  await expect(politicalStatusOf(viewer)).toContainText('政治面貌只按学院或年级统计')
  await done(viewer)
})

test('circles are followed from a figure to their list and activities, and ranked by a formula that is shown', async ({
  browser,
}) => {
  const page = await signedIn(browser, 'admin')
  await open(
    page,
    `/StatisticsAdmin/CircleStatistics?startTime=${leapYearToCome - 3}-01-01%2000:00:00&endTime=${leapYearToCome}-12-31%2023:59:59`,
  )
  const idle = (await shown(page.getByRole('link', { name: /^久无活动 \d+个，查看明细$/ })).textContent())!
  const ranking = page.getByRole('figure', { name: '圈子活跃度' })
  await ranking.getByRole('button', { name: '圈子活跃度的统计口径' }).hover()
  await expect(shown(page.getByRole('tooltip'))).toContainText(
    '活跃度 = 活动数 × 30% + 参与人次 × 30% + 签到率 × 20% + 评分 × 10% + 成员参与 × 10%',
  )
  await ranking.getByRole('button', { name: '表格' }).click()
  const first = ranking.getByRole('table').getByRole('row').nth(1)
  await expect(first.getByRole('rowheader').getByRole('link')).toBeVisible()
  expect(Number(await first.getByRole('cell').nth(1).textContent())).toBeGreaterThan(0)
  const held = (await shown(page.getByRole('link', { name: /^活动数 \d+场，查看明细$/ })).textContent())!

  await page.getByRole('link', { name: `久无活动 ${idle}个，查看明细` }).click()
  await expect(page).toHaveURL(/stage=idle.*show=list/)
  await expect(shown(page.getByText(new RegExp(`共 ${idle} 条`)))).toBeVisible()
  await expect(shown(page.getByText('90 天无活动').first())).toBeVisible()
  const [sheet] = await Promise.all([
    page.waitForEvent('download'),
    shown(page.getByRole('button', { name: '导出圈子' })).click(),
  ])
  expect(sheet.suggestedFilename()).toMatch(/^圈子统计_.*\.xlsx$/)
  await expect(page.getByRole('heading', { name: '圈子活动' })).toBeVisible()
  await expect(shown(page.getByText(new RegExp(`共 ${held} 条`)))).toBeVisible()
  await done(page)
})

test('a monthly report is made in two clicks, and the list behind the figures leaves as a sheet', async ({
  browser,
}) => {
  const page = await signedIn(browser, 'admin')
  await open(page, '/StatisticsAdmin/ReleaseStatistics')
  await page.getByRole('button', { name: '周报月报' }).click()
  const dialog = page.getByRole('dialog').filter({ visible: true })
  await expect(dialog.getByText(/报告期：\d{4}-\d\d-\d\d 至 \d{4}-\d\d-\d\d/)).toBeVisible()
  await dialog.getByRole('radio', { name: '月报' }).check()
  const [word] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: '生成' }).click(),
  ])
  expect(word.suggestedFilename()).toMatch(/^第二课堂月报_\d{4}-\d\d-01至.*\.docx$/)
  expect((await readFile((await word.path())!)).subarray(0, 2).toString()).toBe('PK')
  await expect(page.getByText('报告已生成')).toBeVisible()

  await open(page, '/StatisticsAdmin/ReleaseStatistics?show=list')
  const [sheet] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: '导出' }).click()])
  expect(sheet.suggestedFilename()).toMatch(/^发布明细_.*\.xlsx$/)
  await done(page)
})
