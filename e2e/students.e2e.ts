import { expect, test, type Browser, type Page } from '@playwright/test'
import sharp from 'sharp'
import { yesNo } from '../contract/core/codes/platform.ts'
import { applyStatus, partakeMode, supplementStatus } from '../contract/core/codes/programme.ts'
import { approvalApi } from '../contract/programme/approvals/approvals.calls.ts'
import { curriculumApi } from '../contract/rules/curriculum/curriculum.calls.ts'
import { supplementApi } from '../contract/programme/supplements/supplements.calls.ts'
import { ownActivityApi } from '../contract/student/activities.calls.ts'
import { studentApi } from '../contract/school/people/students.calls.ts'
import { signIn } from '../server/testing/client.ts'
import { passCase } from './actions.ts'
import { oneTimePassword } from './phone-actions.ts'
import { axe, beyond, violations } from './visit.ts'
import { dayAfter, done, newPage, travel, travelTo } from './support.ts'

/**
 * A student on their phone: the first sign-in, a certificate with a photo, what becomes of it, and the record; a
 * classmate asks about it while it is in public notice. Steps build on each other.
 */
test.describe.configure({ mode: 'serial' })

const name = '普通话水平测试（手机端到端）'
const password = 'Phone-2026!x'
const service = (username: string, baseURL: string | undefined) => signIn(baseURL!, 'demo', username, 'Demo-2026')
let student: { suId: string; suiNumber: string }
let lisId: string

/** The student as a program would act for them, after their first sign-in. */
const asStudent = async (baseURL: string | undefined) => ({
  client: await signIn(baseURL!, 'demo', student.suiNumber, password),
})

/** A page on which a student signs in by hand. */
async function onPhone(browser: Browser, username: string, secret: string): Promise<Page> {
  const page = await newPage(browser, { isPhone: true })
  await page.goto('/m')
  await page.getByLabel('学校代码').fill('demo')
  await page.getByLabel('学号').fill(username)
  await page.getByLabel('密码', { exact: true }).fill(secret)
  await page.getByRole('button', { name: '登录' }).click()
  return page
}

test('a student signs in for the first time and hands in a certificate with a photo', async ({ browser, baseURL }) => {
  const admin = await service('admin', baseURL)
  const secretary = await service('secretary', baseURL)
  // students of the demo's cards sign in by names of their own
  student = (await secretary.send(studentApi.list, { activated: yesNo.no, pageSize: 50 })).records.at(-1)!
  const given = await oneTimePassword(baseURL, student)
  const page = await onPhone(browser, given.suLoginName, given.password)
  await page.getByLabel('原密码').fill(given.password)
  await page.getByLabel('新密码', { exact: true }).fill(password)
  await page.getByLabel('再输一次新密码').fill(password)
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText('密码已修改')).toBeVisible()

  await page.getByRole('link', { name: '补录' }).click()
  await page.getByRole('link', { name: '新增补录' }).click()
  const place = page.getByRole('option', { name: /语言证书/ }).first()
  await expect(place).toBeAttached()
  await page.getByLabel('模块').selectOption((await place.getAttribute('value'))!)
  await page.getByLabel('类型').selectOption({ label: '证书认证' })
  await page.getByLabel('级别').selectOption({ label: '省（部）级' })
  await page.getByLabel('名称').fill(name)
  await page.getByLabel('获得日期').fill(dayAfter(await travel(0), -20))
  await page.getByLabel('证书编号').fill('PSC-0001')
  const photo = await sharp({ create: { width: 3000, height: 2000, channels: 3, background: '#8af' } })
    .jpeg()
    .withExif({ IFD3: { GPSLatitude: '31/1 12/1 0/1' } })
    .toBuffer()
  await page.getByLabel('拍照或选择文件').setInputFiles({ name: 'IMG_1.jpg', mimeType: 'image/jpeg', buffer: photo })
  await expect(page.getByRole('img', { name: 'IMG_1.jpg' })).toBeVisible()
  await expect(page.getByRole('heading', { name: '预计' })).toBeVisible()
  await page.getByRole('button', { name: '提交审批' }).click()
  await expect(page.getByText('已提交，等待审批')).toBeVisible()
  await expect(page.getByText('审批中', { exact: true }).first()).toBeVisible()
  lisId = /supplements\/([\w-]{36})/.exec(page.url())![1]!
  const { proofs } = await admin.send(supplementApi.detail, { lisId })
  const stored = await sharp((await admin.download(supplementApi.proof, { id: proofs[0]!.id })).bytes).metadata()
  expect([stored.width, stored.exif]).toEqual([2000, undefined])
  await done(page)
})

test('they find an activity that is open, register by a touch, and give the place back', async ({
  browser,
  baseURL,
}) => {
  const { client } = await asStudent(baseURL)
  const { records } = await client.send(ownActivityApi.list, { open: '1', pageSize: 50 })
  const details = await Promise.all(records.map(({ liId }) => client.send(ownActivityApi.detail, { liId })))
  const open = details.find(({ can }) => can.includes('join'))!
  const page = await onPhone(browser, student.suiNumber, password)
  await page.getByRole('link', { name: '活动', exact: true }).click()
  await page.getByLabel('按名称查找').fill(open.liName)
  await page.getByRole('link', { name: open.liName }).first().tap()
  await expect(page.getByRole('heading', { level: 1, name: open.liName })).toBeVisible()
  await page.getByRole('button', { name: '报名', exact: true }).tap()
  await expect(page.getByRole('heading', { name: '我的报名' })).toBeVisible()
  const { laStatus } = await client.send(ownActivityApi.detail, { liId: open.liId })
  expect([applyStatus.accepted, applyStatus.pending, applyStatus.waitlisted]).toContain(laStatus)
  await page.getByRole('button', { name: '取消报名' }).tap()
  await page.getByRole('button', { name: '确认取消' }).tap()
  await expect(page.getByRole('button', { name: '重新报名' }).or(page.getByRole('status'))).toBeVisible()
  await done(page)
})

test('staff approve it in the console and publicise it, and a classmate asks about it unnamed', async ({
  browser,
  baseURL,
}) => {
  await passCase(browser, 'secretary', '/checkAdmin/supplementCheck', name)
  for (const username of ['college', 'reviewer']) {
    const client = await service(username, baseURL)
    const { records } = await client.send(approvalApi.supQueue, { pageSize: 200 })
    await client.send(approvalApi.supPass, { taskIds: [records.find(({ bizId }) => bizId === lisId)!.taskId] })
  }
  const admin = await service('admin', baseURL)
  const today = (await travel(0)).slice(0, 10)
  await admin.send(supplementApi.publicise, {
    lisId: [lisId],
    lisPublictySdate: today,
    lisPublictyEdate: dayAfter(today, 7),
  })
  const page = await onPhone(browser, 'secretary', 'Demo-2026')
  await page.getByRole('link', { name: '我的记录' }).click()
  await page.getByRole('link', { name: '公示与质疑' }).click()
  await page.getByRole('button', { name: '补录' }).click()
  await page.getByLabel('按学号查找').fill(student.suiNumber)
  await page.getByRole('link', { name: `质疑 ${name}` }).click()
  await page.getByLabel('类型').selectOption({ label: '其他' })
  await page.getByLabel('质疑内容').fill('请核对证书编号是否属实')
  await page.getByRole('button', { name: '提交' }).click()
  await expect(page.getByText('已提交，答复会出现在')).toBeVisible()
  await page.getByRole('button', { name: '我的质疑' }).click()
  await expect(page.getByRole('heading', { name })).toBeVisible()
  await page.getByRole('button', { name: '撤回' }).click()
  await page.getByRole('group', { name: '撤回质疑' }).getByRole('button', { name: '确认' }).click()
  await expect(page.getByText('已撤回', { exact: true }).first()).toBeVisible()
  await done(page)
})

test('once the notice is over it is credited, and stands on the record of the student', async ({
  browser,
  baseURL,
}) => {
  await travelTo(`${dayAfter(await travel(0), 12)} 09:00:00`)
  const statusNow = async () =>
    (await (await service('admin', baseURL)).send(supplementApi.detail, { lisId })).lisStatus
  await expect.poll(statusNow, { timeout: 90_000 }).toBe(supplementStatus.credited)
  const page = await onPhone(browser, student.suiNumber, password)
  await page.getByRole('link', { name: '我的记录' }).click()
  await page.getByRole('link', { name: '学时明细' }).click()
  await page.getByText(name).click()
  await expect(page.getByText('补录', { exact: true }).first()).toBeVisible()
  await done(page)
})

test('what staff correct of it afterwards is told on the phone: what it was, and why', async ({ browser, baseURL }) => {
  const admin = await service('admin', baseURL)
  const { version } = await admin.send(supplementApi.detail, { lisId })
  const levels = await admin.send(curriculumApi.levels, {})
  await admin.send(supplementApi.correct, {
    lisId,
    version,
    lisLevel: levels.find(({ llName }) => llName === '校级')!.llId,
    lisPartakeMode: partakeMode.participant,
    reason: '核对原件后更正',
  })
  const page = await onPhone(browser, student.suiNumber, password)
  await page.setViewportSize({ width: 360, height: 740 })
  await page.getByRole('link', { name: '我的记录' }).click()
  await page.getByRole('link', { name: '学时明细' }).click()
  const entry = page.locator('details').filter({ hasText: name })
  await expect(entry.getByText('已更正', { exact: true })).toBeVisible()
  await entry.locator('summary').click()
  await expect(entry.getByRole('heading', { name: '更正记录' })).toBeVisible()
  await expect(entry.getByText(/^学时由 [\d.]+ 改为 [\d.]+/)).toBeVisible()
  await expect(entry.getByText(/，更正：核对原件后更正$/)).toBeVisible()
  await page.evaluate(axe)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await violations(page)).toEqual([])
  }
  await page.screenshot({ path: `${process.env['SHOTS'] ?? 'test-results'}/corrected.png`, fullPage: true })
  await page.evaluate(() => (document.documentElement.style.fontSize = '200%'))
  expect(await beyond(page)).toBeLessThanOrEqual(0)
  await done(page)
})
