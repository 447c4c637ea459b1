import { expect, test, type Locator, type Page } from '@playwright/test'
import { applyStatus, applyWay } from '../contract/core/codes/programme.ts'
import { flowCheckerType, flowStepType } from '../contract/core/codes/rules.ts'
import { studentStatus } from '../contract/core/codes/school.ts'
import { lessonApi } from '../contract/programme/lessons/lessons.calls.ts'
import { registrationApi } from '../contract/programme/lessons/registration.calls.ts'
import { studentApi } from '../contract/school/people/students.calls.ts'
import { signIn } from '../server/testing/client.ts'
import { participants } from './actions.ts'
import { ownFlow } from './demo-flow.ts'
import { dayAfter, done, open, shown, signedIn, travel } from './support.ts'

/** A flow names who decides on registrations: they find them, decide, and those it does not name cannot. */
test.describe.configure({ mode: 'serial' })

const service = (username: string, baseURL: string | undefined) => signIn(baseURL!, 'demo', username, 'Demo-2026')
let liId: string
let course: string
let entrants: { suId: string; suiName: string; suiNumber: string }[]
let flow: Awaited<ReturnType<typeof ownFlow>>

test.beforeAll(async ({ baseURL }) => {
  const [admin, teacher] = [await service('admin', baseURL), await service('teacher', baseURL)]
  flow = await ownFlow(admin, '辅导员审核报名', -2, async (suId) => [
    {
      wfsNodeName: 'SIGNUP',
      wfsStepName: '辅导员审核',
      wfsStepType: flowStepType.anyOne,
      wfsCheckerType: flowCheckerType.people,
      checkers: [await suId('刘思敏')],
    },
  ])
  const now = await travel(0)
  course = `校友访谈 ${now.slice(5, 16)}`
  liId = await flow.submit(teacher, course, {
    applyWay: applyWay.review,
    applyStart: `${dayAfter(now, -1)} 08:00:00`,
    applyEnd: `${dayAfter(now, 19)} 12:00:00`,
  })
  await teacher.send(lessonApi.publish, { liId })
  entrants = []
  const { records } = await admin.send(studentApi.list, { pageSize: 50, suiStatus: studentStatus.enrolled })
  for (const { suId, suiName, suiNumber } of records) {
    if (entrants.length === 2) break
    const reply = await teacher.ask(registrationApi.add, { liId, suIds: [suId] })
    if (reply.code === 200) entrants.push({ suId, suiName, suiNumber })
  }
})
test.afterAll(() => flow.end())

const row = (page: Page, { suiNumber }: { suiNumber: string }) =>
  shown(page.getByRole('row').filter({ hasText: suiNumber }))

/** Presses an action of a row, whether it stands open or behind 更多. */
async function rowAction(page: Page, at: Locator, name: string): Promise<void> {
  const button = at.getByRole('button', { name, exact: true })
  await expect(at).toBeVisible()
  if (await button.isVisible()) return button.click()
  await at.getByRole('button', { name: /的更多操作$/ }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}

test('who is named finds what waits on their first screen and decides on it', async ({ browser, baseURL }) => {
  const teacher = await service('teacher', baseURL)
  expect((await teacher.send(registrationApi.view, { liId })).records.map(({ laStatus }) => laStatus)).toEqual([
    applyStatus.pending,
    applyStatus.pending,
  ])
  const page = await signedIn(browser, 'counselor')
  await open(page, '/home')
  await shown(page.getByRole('link', { name: /报名待审核/ })).click()
  await expect(page).toHaveURL(/pending=1&sort=pendingCount&order=desc/)
  await expect(shown(page.getByLabel('有待审核的报名'))).toBeChecked()
  await expect(shown(page.getByRole('row').filter({ hasText: course }))).toBeVisible()
  await participants(page, liId)
  await rowAction(page, row(page, entrants[0]!), '通过')
  await expect(row(page, entrants[0]!).getByText('已通过')).toBeVisible()
  await rowAction(page, row(page, entrants[1]!), '拒绝')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('与必修课时间冲突')
  await dialog.getByRole('button', { name: '拒绝', exact: true }).click()
  await expect(row(page, entrants[1]!).getByText('已拒绝')).toBeVisible()
  await done(page)
})

test('whom the flow does not name sees the course and cannot decide', async ({ browser, baseURL }) => {
  const teacher = await service('teacher', baseURL)
  const { records } = await teacher.send(registrationApi.view, { liId })
  const refused = records.find(({ suId }) => suId === entrants[1]!.suId)!
  const reviewer = await service('reviewer', baseURL)
  expect((await reviewer.ask(registrationApi.pass, { laId: refused.laId })).code).not.toBe(200)
  const page = await signedIn(browser, 'reviewer')
  await participants(page, liId)
  await expect(row(page, entrants[1]!)).toBeVisible()
  for (const name of ['通过', '拒绝'])
    await expect(row(page, entrants[1]!).getByRole('button', { name, exact: true })).toHaveCount(0)
  await done(page)
})
