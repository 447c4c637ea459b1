import { expect, test, type Locator } from '@playwright/test'
import { done, open, settled, shown, signedIn } from './support.ts'

/** Where there is little room: what somebody must read or reach is neither cut off nor out of sight. */

const laptop = { width: 1366, height: 768 }
const isCut = (element: Locator) => element.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)

test('on a phone the number of a page among tens of thousands can be read and typed', async ({ browser }) => {
  const page = await signedIn(browser, 'admin', { isPhone: true })
  await open(page, '/personnelAdmin/studentAdmin')
  const pages = shown(page.locator('.list-pages'))
  await expect(pages).toContainText('1 / 31')
  const typed = pages.getByRole('textbox')
  await typed.fill('29414')
  expect(await isCut(typed)).toBe(false)
  await typed.fill('3')
  await typed.press('Enter')
  await expect(page).toHaveURL(/current=3\b/)
  await expect(pages).toContainText('3 / 31')
  await done(page)
})

test('on a small laptop the last of twelve tabs can be closed', async ({ browser }) => {
  const page = await signedIn(browser, 'admin', { viewport: laptop })
  await open(page, '/home')
  for (const name of ['academyAdmin', 'professionalAdmin', 'classAdmin', 'departmentForm', 'studentAdmin'])
    await open(page, `/personnelAdmin/${name}`)
  for (const name of ['teacherAdmin', 'roleAdmin', 'memberAdmin']) await open(page, `/personnelAdmin/${name}`)
  for (const name of ['communityList', 'communityCategory', 'CommunityAudit'])
    await open(page, `/communityAdmin/${name}`)
  const tabs = page.getByRole('navigation', { name: '已打开的页签' })
  await expect(tabs.getByRole('link')).toHaveCount(12)
  await expect(tabs.getByRole('button', { name: '关闭圈子审核' })).toBeInViewport({ ratio: 1 })
  await done(page)
})

test('on a small laptop what is late stands within its card', async ({ browser }) => {
  const page = await signedIn(browser, 'admin', { viewport: laptop })
  await open(page, '/home')
  await settled(page)
  const cards = page.getByRole('region', { name: '待办' }).getByRole('listitem')
  const late = cards.filter({ has: page.getByRole('link', { name: /项已超时$/ }) })
  await expect(late.first()).toBeVisible()
  for (const card of await late.all()) {
    const [outer, inner] = await Promise.all([card.boundingBox(), card.locator('.todo-late').boundingBox()])
    expect(inner!.x).toBeGreaterThanOrEqual(outer!.x)
    expect(inner!.x + inner!.width).toBeLessThanOrEqual(outer!.x + outer!.width)
    expect(await isCut(card.locator('.todo-late'))).toBe(false)
  }
  await done(page)
})

test('an import tells how many rows of its kind a file may have', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  for (const [path, most] of [
    ['/courseManagement/CurriculumList', '一次最多 500 行'],
    ['/personnelAdmin/studentAdmin', '一次最多 50,000 行'],
  ] as const) {
    await open(page, path)
    await shown(page.getByRole('button', { name: '批量导入' })).click()
    await expect(page.getByRole('dialog', { name: /^批量导入/ })).toContainText(most)
  }
  await done(page)
})
