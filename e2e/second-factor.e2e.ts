import { expect, test, type Page } from '@playwright/test'
import { generateSync } from 'otplib'
import { dataScope } from '../contract/core/codes/school.ts'
import { collegeApi } from '../contract/school/organisation/colleges.calls.ts'
import { passwordApi } from '../contract/school/people/passwords.calls.ts'
import { teacherApi } from '../contract/school/people/teachers.calls.ts'
import { memberApi } from '../contract/school/roles/members.calls.ts'
import { roleApi } from '../contract/school/roles/roles.calls.ts'
import { sessionApi } from '../contract/school/session/session.calls.ts'
import { epochOf } from '../server/core/base/clock.ts'
import { signIn } from '../server/testing/client.ts'
import { fact, notice } from './locators.ts'
import { choose, done, fillLogin, newPage, open, settled, shown, signedIn, travel } from './support.ts'

/**
 * A second factor that the school demands of a role: set up at the first sign-in, used, spared on a remembered device,
 * asked for again before data leave, replaced by a recovery code, and reset by somebody else. Steps build on each
 * other.
 */
test.describe.configure({ mode: 'serial' })

const [number, roleName, password] = ['JG990001', '教务安全员', 'Eigenes-Passwort-9']
const rules = '/basicConfig/schoolInfo?tab=settings'
const service = (baseURL: string | undefined) => signIn(baseURL!, 'demo', 'admin', 'Demo-2026')
let suId = ''
let secret = ''
let recoveryCode = ''

/** A code that has not been used: time goes on to the next one. */
async function nextCode(): Promise<string> {
  const now = await travel(31)
  return generateSync({ secret, epoch: epochOf(now) / 1000 })
}

/** The sign-in page of a browser of its own, with name and password sent. */
async function signingIn(page: Page): Promise<void> {
  await page.goto('/')
  await fillLogin(page, 'demo', number, password)
}
const codeForm = (page: Page) => page.getByRole('form', { name: '动态口令' })

test.beforeAll(async ({ baseURL }) => {
  const admin = await service(baseURL)
  const { permissions } = await admin.send(sessionApi.landLoad, {})
  const { srId } = await admin.send(roleApi.save, {
    srName: roleName,
    srCode: 'SECURITY_OFFICE',
    dataScope: dataScope.school,
    // what the operator of the installation may is no role's to give
    permits: permissions.filter((permit) => !permit.startsWith('operator:')),
  })
  const { records } = await admin.send(collegeApi.list, {})
  const suiCollegeId = records[0]!.scId
  ;({ suId } = await admin.send(teacherApi.save, { suiName: '安管员', suiNumber: number, suiCollegeId }))
  await admin.send(memberApi.add, { srId, suIds: [suId] })
  const given = await admin.send(passwordApi.resetTeacher, { suId })
  const own = await signIn(baseURL!, 'demo', number, given.password)
  await own.send(sessionApi.editPassword, { oldPassword: given.password, newPassword: password })
})

test('the administrator names a role that must use it', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await open(page, rules)
  await page.getByLabel('查找规则').fill('动态口令')
  const setting = page.locator('#setting-totpRoles')
  await choose(page, setting.getByRole('combobox'), roleName)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '保存规则' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(roleName)
  await dialog.getByRole('button', { name: '确认修改' }).click()
  await expect(notice(page, '规则已保存')).toBeVisible()
  await expect(setting).toContainText('已修改')
  await done(page)
})

test('a member of the role sets it up before anything else', async ({ browser }) => {
  const page = await newPage(browser)
  await signingIn(page)
  await page.waitForURL('**/personalCenter/secondFactor')
  await expect(page.getByText('您的角色须启用动态口令')).toBeVisible()
  await page.goto('/personnelAdmin/studentAdmin')
  await page.waitForURL('**/personalCenter/secondFactor')
  await page.getByRole('button', { name: '启用动态口令' }).click()
  await page.getByLabel('登录密码').fill('Wrong-2026')
  await page.getByRole('button', { name: '下一步' }).click()
  await expect(page.getByRole('alert').filter({ hasText: '原密码错误' })).toBeVisible()
  await page.getByLabel('登录密码').fill(password)
  await page.getByRole('button', { name: '下一步' }).click()
  await expect(page.getByRole('img', { name: '添加账号的二维码' })).toBeVisible()
  secret = (await page.getByLabel('密钥', { exact: true }).innerText()).replaceAll(' ', '')
  await page.getByRole('textbox', { name: '动态口令' }).fill('000000')
  await page.getByRole('button', { name: '启用', exact: true }).click()
  await expect(page.getByRole('alert').filter({ hasText: '动态口令不正确' })).toBeVisible()
  await page.getByRole('textbox', { name: '动态口令' }).fill(await nextCode())
  await page.getByRole('button', { name: '启用', exact: true }).click()
  const codes = page.getByRole('region', { name: '恢复码' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  recoveryCode = (await codes.first().innerText()).trim()
  await expect(page.getByRole('button', { name: '完成', exact: true })).toBeDisabled()
  await page.getByRole('checkbox', { name: '我已妥善保存' }).check()
  await page.getByRole('button', { name: '完成', exact: true }).click()
  await page.waitForURL('**/home')
  await expect(shown(page.getByRole('heading', { level: 1 }))).toBeVisible()
  await settled(page)
  await done(page)
})

test('signs in with a code, is spared on a remembered device, and proves anew before data leave', async ({
  browser,
}) => {
  const page = await newPage(browser, { expectErrors: /401/ })
  await signingIn(page)
  await codeForm(page).getByLabel('动态口令').fill('123456')
  await codeForm(page).getByRole('button', { name: '继续' }).click()
  await expect(codeForm(page).getByRole('alert')).toContainText('动态口令不正确')
  await codeForm(page)
    .getByLabel('动态口令')
    .fill(await nextCode())
  await codeForm(page).getByRole('checkbox', { name: '30 天内此设备不再询问' }).check()
  await codeForm(page).getByRole('button', { name: '继续' }).click()
  await page.waitForURL('**/home')
  await settled(page)
  await page.getByRole('button', { name: '安管员' }).click()
  await page.getByRole('menuitem', { name: '退出登录' }).click()
  await expect(page.getByRole('button', { name: '登录', exact: true })).toBeEnabled()
  await signingIn(page)
  await page.waitForURL('**/home')

  await open(page, '/personnelAdmin/teacherAdmin')
  await page.getByRole('button', { name: '导出', exact: true }).click()
  const file = page.waitForEvent('download')
  const again = page.getByRole('dialog', { name: '请再次验证身份' })
  await again.getByLabel('动态口令').fill('000000')
  await again.getByRole('button', { name: '验证并继续' }).click()
  await expect(again.getByRole('alert')).toContainText('动态口令不正确')
  await again.getByLabel('动态口令').fill(await nextCode())
  await again.getByRole('button', { name: '验证并继续' }).click()
  await expect(again).toBeHidden()
  expect((await file).suggestedFilename()).toContain('.xlsx')
  await settled(page)
  await done(page)
})

test('a recovery code stands in for the phone, and the device is no longer remembered', async ({ browser }) => {
  const page = await newPage(browser)
  await signingIn(page)
  await codeForm(page).getByLabel('动态口令').fill(recoveryCode)
  await codeForm(page).getByRole('button', { name: '继续' }).click()
  await page.waitForURL('**/home')
  await open(page, '/personalCenter/account')
  const part = page.getByRole('region', { name: '动态口令' })
  await expect(part).toContainText('恢复码还剩 9 个')
  await part.getByRole('button', { name: /^不再记住/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: '取消记住' }).click()
  await expect(notice(page, '已取消记住该设备')).toBeVisible()
  await expect(part.getByRole('listitem')).toHaveCount(0)
  await settled(page)
  await done(page)
})

test('another administrator resets it, and it is set up anew at the next sign-in', async ({ browser }) => {
  const admin = await signedIn(browser, 'admin')
  await open(admin, `/personnelAdmin/teacherAdmin/detail?suId=${suId}`)
  await expect(fact(admin, '动态口令')).toContainText('起启用')
  await admin.getByRole('button', { name: '重置动态口令' }).click()
  const dialog = admin.getByRole('dialog')
  await dialog.getByLabel('原因').fill('手机遗失，已当面核实')
  await dialog.getByRole('button', { name: '重置动态口令' }).click()
  await expect(notice(admin, '已重置动态口令')).toBeVisible()
  await expect(fact(admin, '动态口令')).toHaveText('未启用')

  const page = await newPage(browser)
  await signingIn(page)
  await page.waitForURL('**/personalCenter/secondFactor')
  await expect(page.getByText('您的角色须启用动态口令')).toBeVisible()
  await settled(page)
  await done(page)

  await open(admin, rules)
  await admin.getByLabel('查找规则').fill('动态口令')
  await admin.getByRole('button', { name: '须使用动态口令的角色恢复默认' }).click()
  await admin.getByRole('button', { name: '保存规则' }).click()
  await saveOf(admin)
  await expect(notice(admin, '规则已保存')).toBeVisible()
  await done(admin)
})

const saveOf = (page: Page) => page.getByRole('dialog').getByRole('button', { name: '确认修改' }).click()
