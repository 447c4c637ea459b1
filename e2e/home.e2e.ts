import { expect, test } from '@playwright/test'
import { homeApi } from '../contract/programme/home/home.calls.ts'
import { done, gradeOf, holdBack, open, settled, shown, signedIn } from './support.ts'

test('the first screen leads to filtered lists, and the palette to screens by their initials', async ({ browser }) => {
  const page = await signedIn(browser, 'teacher')
  await open(page, '/home')
  const lessons = page.getByRole('region', { name: '我的课程' })
  await expect(lessons).toBeVisible()
  await lessons.getByRole('list', { name: '各状态课程数' }).getByRole('link').first().click()
  await page.waitForURL(/personalCenter\/course\?liStatus=\d+/)
  await expect(page.getByRole('heading', { name: '我指导的课程' })).toBeVisible()

  await page.getByRole('button', { name: '收藏此页面' }).click()
  await expect(page.getByRole('button', { name: '收藏此页面', pressed: true })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: '搜索与跳转' }).fill('wdxx')
  await expect(page.getByRole('option', { name: /我的消息/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/personalCenter/message')
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('option').first()).toContainText('我指导的课程')
  await page.keyboard.press('Escape')
  await done(page)
})

test('each card of the first screen counts the rows of the list that it opens', async ({ browser }) => {
  let cards = 0
  for (const username of ['admin', 'reviewer', 'teacher', 'counselor']) {
    const page = await signedIn(browser, username)
    await open(page, '/home')
    await settled(page)
    const todo = page.getByRole('region', { name: '待办' })
    const told = await todo.getByRole('link').evaluateAll((links) =>
      links.map((link) => ({
        name: link.textContent!,
        count: Number(/[\d,]+/.exec(link.querySelector('b')?.textContent ?? link.textContent!)![0].replaceAll(',', '')),
        href: link.getAttribute('href')!,
      })),
    )
    for (const { name, count, href } of told) {
      const listed = page.waitForResponse(
        async (response) =>
          /pageSize(=|":)\d\d/.test(response.url() + (response.request().postData() ?? '')) &&
          (await response.json().then(
            ({ data }: { data: { total?: number } | null }) => data?.total === count,
            // an answer to the page that was left just now
            () => false,
          )),
        { timeout: 10_000 },
      )
      await open(page, href)
      await listed.catch(() => expect.soft(`${username}：${name}`, `${href} does not list ${count}`).toBe(''))
      cards += 1
    }
    await done(page)
  }
  expect(cards).toBeGreaterThan(6)
})

test('the first screen tells at a glance what is on, and leads to all of a day', async ({ browser }) => {
  const page = await signedIn(browser, 'admin', { viewport: { width: 1366, height: 768 } })
  await open(page, '/home')
  await settled(page)
  // without scrolling: what waits, what is on, who is warned, what ends and what is new
  for (const name of ['待办', '活动日历', '学时预警', '即将结束的公示', '新闻通知']) {
    const { y } = (await page.getByRole('region', { name, exact: true }).boundingBox())!
    expect(y, `${name} begins at ${y}`).toBeLessThan(700)
  }
  const days = page.getByRole('region', { name: '活动日历' })
  const all = days.getByRole('link', { name: /还有 \d+ 场，查看全部 \d+ 场/ }).first()
  const total = Number(/全部 (\d+) 场/.exec((await all.getAttribute('aria-label'))!)![1])
  expect(await days.getByRole('listitem').count()).toBeLessThanOrEqual(4 + 6 * 2)
  await all.click()
  await expect(page).toHaveURL(/CurriculumList\?.*liStatus=30/)
  await expect(shown(page.getByText(new RegExp(`共 ${total} 条`)))).toBeVisible()
  await done(page)
})

test('the days of another span are dimmed until those that were asked for are there', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await open(page, '/home')
  await settled(page)
  const calendar = page.getByRole('region', { name: '活动日历' })
  const days = calendar.locator('.home-days')
  await expect(days).toHaveAttribute('aria-busy', 'false')
  const letGo = await holdBack(page, homeApi.agenda)
  await calendar.getByText('今天', { exact: true }).first().click()
  await expect(days).toHaveAttribute('aria-busy', 'true')
  await letGo()
  await expect(days).toHaveAttribute('aria-busy', 'false')
  await done(page)
})

test('the palette tells hits apart, and leads to all of them', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await open(page, '/home')
  await page.keyboard.press('Control+k')
  const cut = page.getByText(/^另有 \d+ 个页面未列出，请继续输入$/)
  await expect(cut).toBeVisible()
  await page.getByRole('combobox', { name: '搜索与跳转' }).fill('讲座')
  await expect(cut).toBeHidden()
  await expect(page.getByRole('option', { name: /讲座.*课程 · \S+ · \d{4}-\d{2}-\d{2}/ }).first()).toBeVisible()
  await page.getByRole('option', { name: /^查看全部 \d+ 门课程/ }).click()
  await page.waitForURL(/CurriculumList\?.*liName=/)
  await expect(page.getByRole('textbox', { name: '课程名称' })).toHaveValue('讲座')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: '搜索与跳转' }).fill(`${gradeOf(3)}11000`)
  await page.getByRole('option', { name: /^查看全部 \d+ 名学生/ }).click()
  await page.waitForURL(/studentAdmin\?.*search=/)
  await expect(shown(page.getByRole('textbox', { name: '姓名或学号' }))).toHaveValue(`${gradeOf(3)}11000`)
  await done(page)
})

test('a person sees their devices, ends another one and takes their data along', async ({ browser }) => {
  const page = await signedIn(browser, 'viewer')
  const other = await signedIn(browser, 'viewer')
  await open(page, '/home')
  await page.getByRole('button', { name: /个人菜单/ }).click()
  await expect(page.getByRole('menuitem', { name: /^版本 \d+\.\d+\.\d+/ })).toBeVisible()
  await page.getByRole('menuitem', { name: '账号与设备' }).click()
  const devices = page.getByRole('region', { name: '登录设备' })
  await expect(devices.getByText('当前设备')).toBeVisible()
  await devices.getByRole('button', { name: '退出其他设备', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: '退出其他设备', exact: true }).click()
  await expect(page.getByText(/已退出 \d+ 台设备/)).toBeVisible()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: '下载 JSON', exact: true }).click()
  expect((await saved).suggestedFilename()).toMatch(/^我的数据-.*\.json$/)
  await done(page)
  await other.context().close()
})
