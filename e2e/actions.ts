import { execFileSync } from 'node:child_process'
import { expect, type Browser, type Page } from '@playwright/test'
import { choose, done, open, shown, signedIn } from './support.ts'

/** Actions of the main job that occur more than once. */

/** Sends the form of a dialog and waits until it has closed. */
export async function saveDialog(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog
    .getByRole('button', { name: /保存|确定|新增/ })
    .last()
    .click()
  await expect(dialog).toBeHidden()
}

/** Adds a step to a stage of the flow editor. */
export async function addStep(
  page: Page,
  stage: string,
  name: string,
  checkerType: string,
  checker?: string,
): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`${stage}.*添加步骤|添加.*${stage}.*步骤`) }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('步骤名称').fill(name)
  await choose(page, drawer.getByLabel('审批人类型'), checkerType)
  if (checker) {
    await choose(page, drawer.getByLabel('审批角色'), checker)
    await page.keyboard.press('Escape')
  }
  await drawer.getByRole('button', { name: '确定' }).click()
  await expect(drawer).toBeHidden()
}

/** Opens the one waiting case of a queue and passes it. */
export async function passCase(browser: Browser, username: string, queue: string, course: string): Promise<void> {
  const page = await signedIn(browser, username)
  await open(page, `${queue}?bizName=${encodeURIComponent(course)}`)
  await page
    .getByRole('list')
    .getByRole('button', { name: course.slice(0, 6) })
    .click()
  await expect(page.getByRole('article', { name: course })).toBeVisible()
  await page.getByRole('article', { name: course }).getByRole('button', { name: '通过', exact: true }).click()
  // some passes are confirmed first: whichever comes, the dialog or the empty queue
  const confirm = page.getByRole('dialog').getByRole('button', { name: '通过', exact: true })
  const none = shown(page.getByText('没有符合条件的事项').or(page.getByText('暂无待审批事项')))
  await expect(confirm.or(none)).toBeVisible()
  if (await confirm.isVisible()) await confirm.click()
  await expect(none).toBeVisible()
  await done(page)
}

/** Opens the participants of a course on one page. */
export const participants = (page: Page, liId: string) =>
  open(page, `/courseManagement/CurriculumList/Participants?liId=${liId}&pageSize=50`)

/** Ticks every row of the list in sight. */
export const tickAll = (page: Page) => shown(page.getByRole('checkbox', { name: /全选|Select all/i })).check()

/** Presses a button of the batch bar and the one that confirms it. */
export async function batch(page: Page, name: string, fill?: () => Promise<void>): Promise<void> {
  await shown(page.locator('.batch-bar').getByRole('button', { name, exact: true })).click()
  const dialog = page.getByRole('dialog')
  if (fill) await fill()
  await dialog.getByRole('button', { name, exact: true }).click()
  await expect(dialog).toBeHidden()
}

/** Rates those of a list of participants who are not rated yet by who came. */
export async function rateByAttendance(page: Page): Promise<void> {
  await shown(page.getByRole('button', { name: /^更多/ })).click()
  await page.getByRole('menuitem', { name: '其余按出勤评定合格' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '其余按出勤评定合格' }).click()
}

/** Puts the course of a detail page into public notice, for as long as it promises. */
export async function publicise(page: Page): Promise<void> {
  await page.getByRole('button', { name: '公示', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: '开始公示' }).click()
  await expect(shown(page.getByText('公示中'))).toBeVisible()
}

/** The text of a PDF without white space, as `pdftotext` reads it back. */
export const textOf = (file: string): string =>
  execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' }).replace(/\s+/g, '')
/** These words in this order, whatever stands between. */
export const pattern = (...words: string[]): RegExp =>
  new RegExp(words.map((word) => word.replace(/\s+/g, '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[\\s\\S]*'))
