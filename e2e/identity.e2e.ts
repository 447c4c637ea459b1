import { expect, test } from '@playwright/test'
import { teacherApi } from '../contract/school/people/teachers.calls.ts'
import { identityApi } from '../contract/school/identity/identity.calls.ts'
import { casServer } from '../server/testing/cas-server.ts'
import { signIn } from '../server/testing/client.ts'
import { endFile } from '../server/testing/file-end.ts'
import { dialog, toast } from './configuration-actions.ts'
import { done, newPage, open, shown, signedIn } from './support.ts'

test.afterAll(endFile)

test('an administrator sets up the sign-in of the campus, and a teacher comes in by it', async ({
  browser,
  baseURL,
}) => {
  const cas = await casServer()
  const admin = await signIn(baseURL!, 'demo', 'admin', 'Demo-2026')
  const { records } = await admin.send(teacherApi.list, { pageSize: 50 })
  const person = records.find(({ suiName }) => !suiName.includes('管理员'))!
  cas.state.person = { user: person.suiNumber }

  const page = await signedIn(browser, 'admin')
  await open(page, '/integration/identity')
  await shown(page.getByRole('button', { name: '新增登录方式' })).click()
  await dialog(page).getByLabel('按钮名称').fill('校园统一认证')
  await dialog(page).getByLabel('服务地址').fill(cas.address)
  await dialog(page).getByRole('switch').click()
  await dialog(page).getByRole('button', { name: '保存' }).click()
  await toast(page, /保存成功/)
  const row = shown(page.getByRole('row').filter({ hasText: '校园统一认证' }))
  await row.getByRole('button', { name: '测试' }).click()
  await expect(dialog(page)).toContainText('是 CAS 服务')
  await done(page)

  const other = await newPage(browser)
  await other.goto('/')
  await other.getByLabel('学校代码').fill('demo')
  await other.getByRole('button', { name: '校园统一认证' }).click()
  await other.waitForURL('**/home')
  await expect(shown(other.getByText(person.suiName))).toBeVisible()
  await done(other)
  const { providerId } = (await admin.send(identityApi.list, {})).records[0]!
  await admin.send(identityApi.remove, { providerId })
})
