import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expect, test, type Locator, type Page } from '@playwright/test'
import { approvalApi } from '../contract/programme/approvals/approvals.calls.ts'
import { yesNo } from '../contract/core/codes/platform.ts'
import { applyStatus, applyWay, lessonStatus, resultStatus, signStatus } from '../contract/core/codes/programme.ts'
import { curriculumType } from '../contract/core/codes/rules.ts'
import { studentStatus } from '../contract/core/codes/school.ts'
import { curriculumApi } from '../contract/rules/curriculum/curriculum.calls.ts'
import { admissionApi } from '../contract/programme/lessons/admission.calls.ts'
import { lessonApi } from '../contract/programme/lessons/lessons.calls.ts'
import { registrationApi } from '../contract/programme/lessons/registration.calls.ts'
import { studentApi } from '../contract/school/people/students.calls.ts'
import { teacherApi } from '../contract/school/people/teachers.calls.ts'
import { signIn } from '../server/testing/client.ts'
import { participants } from './actions.ts'
import { dayAfter, done, open, shown, signedIn, travel, travelTo } from './support.ts'

/**
 * The people of a course that draws lots: from the settings to the screen in front of the hall and the question where
 * the credit went.
 */
test.describe.configure({ mode: 'serial' })

let course: string
let liId: string
let day: string
let entrants: { suId: string; suiName: string; suiNumber: string }[]
const service = (username: string, baseURL: string | undefined) => signIn(baseURL!, 'demo', username, 'Demo-2026')

/** Presses an action of a row, whether it stands open or behind 更多. */
async function rowAction(page: Page, row: Locator, name: string): Promise<void> {
  const button = row.getByRole('button', { name, exact: true })
  await expect(row).toBeVisible()
  if (await button.isVisible()) return button.click()
  await row.getByRole('button', { name: /的更多操作$/ }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}

test.beforeAll(async ({ baseURL }) => {
  const teacher = await service('teacher', baseURL)
  const now = await travel(0)
  course = `校史馆志愿讲解体验 ${now.slice(5, 16)}`
  day = dayAfter(now, 3)
  const leader = (await teacher.send(teacherApi.search, { search: '王老师' }))[0]!
  const tree = await teacher.send(curriculumApi.all, { lsType: curriculumType.lessons })
  const form = {
    liName: course,
    lsId: tree[0]!.children[0]!.lsId,
    liLevel: '6',
    liIntro: '参观校史馆并体验讲解。',
    liPrincipalId: leader.suId,
    placeText: '校史馆',
    applyWay: applyWay.draw,
    quota: 4,
    waitlistOn: yesNo.yes,
    signOutOn: yesNo.yes,
    applyStart: `${dayAfter(day, -4)} 08:00:00`,
    applyEnd: `${dayAfter(day, -1)} 12:00:00`,
    startTime: `${day} 14:00:00`,
    endTime: `${day} 15:00:00`,
    submit: '1',
  }
  liId = (await teacher.send(lessonApi.save, form)).liId
  for (
    let round = 0;
    round < 5 && (await teacher.send(lessonApi.details, { liId })).liStatus === lessonStatus.publishInReview;
    round++
  ) {
    for (const username of ['college', 'reviewer', 'admin']) {
      const checker = await service(username, baseURL)
      const { records } = await checker.send(approvalApi.publishQueue, { bizName: course })
      if (records.length > 0)
        await checker.send(approvalApi.publishPass, { taskIds: records.map(({ taskId }) => taskId) })
    }
  }
  await teacher.send(lessonApi.publish, { liId })
  const admin = await service('admin', baseURL)
  entrants = []
  // students who are free at that hour
  for (const { suId, suiName, suiNumber } of (
    await admin.send(studentApi.list, { pageSize: 50, suiStatus: studentStatus.enrolled })
  ).records) {
    if (entrants.length === 9) break
    const reply = await teacher.ask(registrationApi.add, { liId, suIds: [suId] })
    if (reply.code === 200) entrants.push({ suId, suiName, suiNumber })
  }
})

test('places of a college are set; before the deadline nobody is admitted and the promise can be read', async ({
  browser,
}) => {
  const page = await signedIn(browser, 'teacher')
  await participants(page, liId)
  await shown(page.getByRole('button', { name: '更多' })).click()
  await page.getByRole('menuitem', { name: '报名与签到设置' }).click()
  const dialog = page.getByRole('dialog', { name: /报名与签到设置/ })
  await dialog.getByRole('button', { name: '添加学院' }).click()
  await dialog.getByLabel('第 1 行学院').click()
  await shown(page.locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden) .ant-select-item-option')).click()
  await dialog.getByLabel('第 1 行名额').fill('4')
  await dialog.getByRole('button', { name: '保存' }).click()
  await expect(dialog).toBeHidden()
  const row = shown(page.getByRole('row').filter({ hasText: entrants[0]!.suiNumber }))
  await expect(row.getByText('待审核')).toBeVisible()
  await expect(row.getByRole('button', { name: '通过', exact: true })).toHaveCount(0)
  await page.getByRole('button', { name: '抽签', exact: true }).click()
  const drawer = page.getByRole('dialog', { name: /^抽签/ })
  await expect(drawer.getByText(/^[0-9a-f]{64}$/)).toBeVisible()
  await expect(drawer.getByRole('button', { name: '开始抽签' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  await done(page)
})

test('after it lots are drawn on screen, and the record lets anybody draw them again', async ({ browser, baseURL }) => {
  await travelTo(`${dayAfter(day, -1)} 13:00:00`)
  const page = await signedIn(browser, 'teacher')
  await participants(page, liId)
  await page.getByRole('button', { name: '抽签', exact: true }).click()
  const drawer = page.getByRole('dialog', { name: /^抽签/ })
  const digest = (await drawer.getByText(/^[0-9a-f]{64}$/).textContent())!
  await drawer.getByRole('button', { name: '开始抽签' }).click()
  await page.getByRole('button', { name: '抽签', exact: true }).last().click()
  await expect(shown(page.getByText(/已抽签：录取 4 人，候补 \d 人/))).toBeVisible()
  await expect(drawer.getByRole('row')).toHaveCount(entrants.length + 1)
  const saved = page.waitForEvent('download')
  await drawer.getByRole('button', { name: '下载抽签记录' }).click()
  const sheet = await readFile(await (await saved).path(), 'utf8')
  const { seed, ranked } = (await (await service('teacher', baseURL)).send(admissionApi.drawInfo, { liId }))!
  const sha = (text: string) => createHash('sha256').update(text).digest('hex')
  expect(sha(seed!)).toBe(digest)
  expect(sheet).toContain(seed!)
  const again = ranked.map(({ laId }) => laId).toSorted((a, b) => (sha(`${seed}:${a}`) < sha(`${seed}:${b}`) ? -1 : 1))
  expect(ranked.map(({ laId }) => laId)).toEqual(again)
  await done(page)
})

test('a winner takes leave and the first who waits moves up', async ({ browser, baseURL }) => {
  const { ranked } = (await (await service('teacher', baseURL)).send(admissionApi.drawInfo, { liId }))!
  const [winner, next] = [
    ranked.find(({ laStatus }) => laStatus === applyStatus.accepted)!,
    ranked.find(({ laStatus }) => laStatus === applyStatus.waitlisted)!,
  ]
  const page = await signedIn(browser, 'teacher')
  await participants(page, liId)
  const row = (number: string) => shown(page.getByRole('row').filter({ hasText: number }))
  await rowAction(page, row(winner.suiNumber), '请假')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('家中有事需要返乡')
  await dialog.getByRole('button', { name: '请假', exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect(row(winner.suiNumber).getByText('已请假')).toBeVisible()
  await expect(row(next.suiNumber).getByText('已通过')).toBeVisible()
  await done(page)
})

test('on the day the screen shows a changing code and takes numbers from a reader, on a phone as well', async ({
  browser,
  baseURL,
}) => {
  await travelTo(`${day} 13:50:00`)
  const admitted = (
    await (
      await service('teacher', baseURL)
    ).send(registrationApi.view, { liId, laStatus: applyStatus.accepted, pageSize: 50 })
  ).records
  // a list that lies open beside it, and whose reading fails for once
  const beside = await signedIn(browser, 'teacher', { expectErrors: /ERR_FAILED/ })
  await participants(beside, liId)
  const first = shown(beside.getByRole('row').filter({ hasText: admitted[0]!.suiNumber }))
  await expect(first).toContainText('未签到')
  const reading = `**${registrationApi.view.path}*`
  const hasFailed = beside.waitForEvent('requestfailed', (request) => request.url().includes(registrationApi.view.path))
  await beside.route(reading, (route) => route.abort())
  await hasFailed
  await beside.unroute(reading)
  await expect(first).toBeVisible()

  const page = await signedIn(browser, 'teacher', { viewport: { width: 390, height: 844 }, expectErrors: /./ })
  await open(page, `/courseManagement/CurriculumList/SignBoard?liId=${liId}`)
  await expect(page.getByRole('img', { name: /签到二维码/ })).toBeVisible()
  for (const { suiNumber } of admitted.slice(0, 3)) {
    await page.getByLabel('代学生签到').fill(suiNumber)
    await page.getByLabel('代学生签到').press('Enter')
    await expect(page.getByLabel('代学生签到')).toHaveValue('')
  }
  await expect(page.getByRole('status').filter({ hasText: '人已扫码签到' })).toContainText('3 / 4')
  await page.getByLabel('代学生签到').fill(admitted[0]!.suiNumber)
  await page.getByLabel('代学生签到').press('Enter')
  await expect(shown(page.getByText(`${admitted[0]!.suiName} 本场已签到，请勿重复扫码`))).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await done(page)
  await expect(first.getByText('已签到')).toBeVisible({ timeout: 20_000 })
  await done(beside)
})

test('afterwards everybody’s way to credit says where it stands', async ({ browser, baseURL }) => {
  await travelTo(`${day} 16:30:00`)
  const teacher = await service('teacher', baseURL)
  const admitted = (
    await teacher.send(registrationApi.view, {
      liId,
      laStatus: applyStatus.accepted,
      pageSize: 50,
      sort: 'laSignStatus',
      order: 'desc',
    })
  ).records
  const [stayed, absent] = [
    admitted.find(({ laSignStatus }) => laSignStatus !== signStatus.notSigned)!,
    admitted.find(({ laSignStatus }) => laSignStatus === signStatus.notSigned)!,
  ]
  await teacher.send(registrationApi.sign, { laIds: [stayed.laId], laSignStatus: signStatus.signedOut })
  await teacher.send(registrationApi.setAward, { laIds: [stayed.laId], laResult: resultStatus.passed })
  const page = await signedIn(browser, 'admin')
  await participants(page, liId)
  const trace = async (number: string) => {
    await rowAction(page, shown(page.getByRole('row').filter({ hasText: number })), '学时去哪了')
    return page.getByRole('dialog', { name: /学时去哪了/ })
  }
  const first = await trace(stayed.suiNumber)
  await expect(first.getByText('结果审批（进行到这里）')).toBeVisible()
  await expect(first.getByText('请负责人提交结果')).toBeVisible()
  await expect(first.getByRole('heading', { name: '预计入账' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(first).toBeHidden()
  const second = await trace(absent.suiNumber)
  await expect(second.getByText('签到（在此中止）')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(second).toBeHidden()
  await open(page, `/personnelAdmin/studentAdmin/detail?suId=${stayed.suId}&tab=lessons`)
  await rowAction(page, shown(page.getByRole('row').filter({ hasText: course })), '学时去哪了')
  await expect(page.getByRole('dialog', { name: /学时去哪了/ }).getByText('结果审批（进行到这里）')).toBeVisible()
  await done(page)
})
