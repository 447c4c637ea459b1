import { expect, test, type Page } from '@playwright/test'
import sharp from 'sharp'
import type { Input } from '../contract/core/call.ts'
import { supplementType } from '../contract/core/codes/programme.ts'
import { fileApi } from '../contract/platform/files/files.calls.ts'
import { curriculumApi } from '../contract/rules/curriculum/curriculum.calls.ts'
import { ownSupplementApi } from '../contract/student/supplements.calls.ts'
import { signIn } from '../server/testing/client.ts'
import { clockAhead, dayAfter, done, holdBack, newPage, setClock, travel } from './support.ts'

/**
 * What a student has typed on the phone is not lost: by a session that ends, by others, by a tap, by a slow network.
 */
const password = 'Demo-2026'
const asStudent = (baseURL: string | undefined) => signIn(baseURL!, 'demo', 'student', password)

/** A supplement that is no more than a draft. */
async function draftOf(baseURL: string | undefined, lisName: string, more: object = {}) {
  const client = await asStudent(baseURL)
  const [places, levels] = await Promise.all([
    client.send(ownSupplementApi.places, {}),
    client.send(curriculumApi.levels, {}),
  ])
  const { lsId } = places.find(({ fullName }) => fullName.includes('语言证书'))!
  const { lisId } = await client.send(ownSupplementApi.save, {
    lsId,
    lisType: supplementType.certificate,
    lisLevel: levels.find(({ llName }) => llName === '省（部）级')!.llId,
    lisName,
    lisObtainDate: dayAfter(await travel(0), -30),
    lisProofs: [],
    submit: '0',
    ...more,
  } as unknown as Input<typeof ownSupplementApi.save>)
  return lisId
}

const field = (page: Page) => page.getByLabel('名称', { exact: true })

test('a session that ends while somebody types asks for the password, and what was typed goes on', async ({
  browser,
  baseURL,
}) => {
  const { token } = await asStudent(baseURL)
  const page = await newPage(browser, { isPhone: true, token: token!, expectErrors: /status of 4/ })
  await page.goto('/m/notices/ask?liId=0&name=x')
  await page.getByLabel('质疑内容').fill('请核对签到人数是否属实')
  await page.getByLabel('类型').selectOption({ label: '其他' })
  await travel(2400)
  await page.getByRole('button', { name: '提交' }).click()
  const dialog = page.getByRole('dialog', { name: '登录已过期' })
  await dialog.getByLabel('密码').fill('wrong')
  await dialog.getByRole('button', { name: '继续' }).click()
  await expect(dialog.getByText(/密码/).last()).toBeVisible()
  await dialog.getByLabel('密码').fill(password)
  await dialog.getByRole('button', { name: '继续' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByLabel('质疑内容')).toHaveValue('请核对签到人数是否属实')
  // whoever would rather go to the sign-in page comes back to the same page
  await travel(2400)
  await page.getByRole('button', { name: '提交' }).click()
  await dialog.getByRole('button', { name: '去登录页' }).click()
  await page.getByLabel('学校代码').fill('demo')
  await page.getByLabel('学号').fill('student')
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.getByRole('button', { name: '登录' }).click()
  await expect(page.getByRole('heading', { level: 1, name: '质疑或举报' })).toBeVisible()
  expect(page.url()).toContain('/m/notices/ask?liId=0&name=x')
  await done(page)
})

test('nothing is handed in while a photo is on its way, and of too many the student is told', async ({
  browser,
  baseURL,
}) => {
  const { token } = await asStudent(baseURL)
  const page = await newPage(browser, { isPhone: true, token: token! })
  await page.goto('/m/supplements/new')
  const buffer = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#8af' } })
    .png()
    .toBuffer()
  const photos = Array.from({ length: 11 }, (_, at) => ({ name: `P${at}.png`, mimeType: 'image/png', buffer }))
  const letGo = await holdBack(page, fileApi.upload)
  await page.getByLabel('拍照或选择文件').setInputFiles(photos)
  await expect(page.getByRole('button', { name: '照片上传中…' })).toBeDisabled()
  await expect(page.getByRole('button', { name: '存为草稿' })).toBeDisabled()
  await expect(page.getByText('最多 10 个，后面的 1 个没有上传')).toBeVisible()
  await letGo()
  await expect(page.getByRole('button', { name: '提交审批' })).toBeEnabled({ timeout: 30_000 })
  await expect(page.getByRole('button', { name: /^移除/ })).toHaveCount(10)
  await done(page)
})

test('a record is edited as it is now, and a draft of another one stays', async ({ browser, baseURL }) => {
  const [name, newer] = ['手机修改的证书', '电脑上改过的证书']
  const lisId = await draftOf(baseURL, name)
  const client = await asStudent(baseURL)
  const page = await newPage(browser, { isPhone: true, token: client.token! })
  await page.goto('/m/supplements/new')
  await field(page).fill('还没写完的证书')
  await expect
    .poll(() => page.evaluate(() => Object.keys(localStorage).some((key) => key.endsWith(':own-sup'))))
    .toBe(true)
  await page.goto(`/m/supplements/${lisId}`)
  await expect(page.getByRole('heading', { name })).toBeVisible()
  const { version } = await client.send(ownSupplementApi.detail, { lisId })
  await draftOf(baseURL, newer, { lisId, version })
  // what the page has read is not fresh any more
  await setClock(page, Date.now() + (await clockAhead()) + 60_000)
  await page.getByRole('link', { name: '修改并提交' }).click()
  await expect(field(page)).toHaveValue(newer)
  await page.getByRole('button', { name: '存为草稿' }).click()
  await expect(page.getByText('已存为草稿')).toBeVisible()
  expect((await client.send(ownSupplementApi.detail, { lisId })).lisName).toBe(newer)
  await page.goto('/m/supplements/new')
  await expect(field(page)).toHaveValue('还没写完的证书')
  await done(page)
})

test('one tap deletes nothing', async ({ browser, baseURL }) => {
  const name = '手机删除的证书'
  const lisId = await draftOf(baseURL, name)
  const client = await asStudent(baseURL)
  const page = await newPage(browser, { isPhone: true, token: client.token! })
  await page.goto(`/m/supplements/${lisId}`)
  await page.getByRole('button', { name: '删除' }).click()
  const question = page.getByRole('group', { name: '删除' })
  await question.getByRole('button', { name: '返回' }).click()
  expect((await client.send(ownSupplementApi.detail, { lisId })).lisName).toBe(name)
  await page.getByRole('button', { name: '删除' }).click()
  await question.getByRole('button', { name: '确认' }).click()
  await expect(page.getByRole('heading', { level: 1, name: '我的补录' })).toBeVisible()
  expect((await client.ask(ownSupplementApi.detail, { lisId })).code).not.toBe(200)
  await done(page)
})

test('what a record would give follows the team, and is asked when the hand rests', async ({ browser, baseURL }) => {
  const { token } = await asStudent(baseURL)
  const page = await newPage(browser, { isPhone: true, token: token! })
  const asked = { hints: 0, previews: 0 }
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.endsWith(ownSupplementApi.dupHints.path)) asked.hints++
    if (pathname.endsWith(ownSupplementApi.preview.path)) asked.previews++
  })
  await page.goto('/m/supplements/new')
  const choose = async (label: string, text: RegExp) => {
    const select = page.getByLabel(label, { exact: true })
    await select.selectOption((await select.locator('option', { hasText: text }).first().getAttribute('value'))!)
  }
  await choose('模块', /学科竞赛/)
  await choose('类型', /竞赛/)
  await choose('级别', /省/)
  const hours = page.locator('.s-card', { hasText: '预计' }).locator('li', { hasText: '学时' }).first()
  await expect(hours).toBeVisible()
  const alone = await hours.innerText()
  const before = asked.previews
  await page.getByLabel('团队人数').pressSequentially('4')
  await page.getByLabel('本人排位').pressSequentially('2')
  await expect(hours).not.toHaveText(alone)
  expect(asked.previews - before).toBeLessThanOrEqual(2)
  await field(page).pressSequentially('挑战杯课外学术科技作品竞赛')
  await expect.poll(() => asked.hints).toBeGreaterThan(0)
  expect(asked.hints).toBeLessThan(6)
  await done(page)
})
