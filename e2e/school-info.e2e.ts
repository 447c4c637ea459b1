import { expect, test, type Page } from '@playwright/test'
import sharp from 'sharp'
import { lessonStatus } from '../contract/core/codes/programme.ts'
import { lessonApi } from '../contract/programme/lessons/lessons.calls.ts'
import { schoolApi } from '../contract/school/school/school.calls.ts'
import { schoolInfoApi } from '../contract/school/school/school-info.calls.ts'
import { signIn } from '../server/testing/client.ts'
import { saveDialog } from './actions.ts'
import { done, fillRange, newPage, open, shown, signedIn, travel } from './support.ts'

/** The school tells who it is, sets its calendar and its rules, and the rules are what happens. */
test.describe.configure({ mode: 'serial' })

const page = (tab: string) => `/basicConfig/schoolInfo?tab=${tab}`
const service = (username: string, baseURL: string | undefined) => signIn(baseURL!, 'demo', username, 'Demo-2026')
const picture = (background: string) =>
  sharp({ create: { width: 400, height: 300, channels: 3, background } })
    .png()
    .toBuffer()

/** Chooses a picture for a field, cuts it to shape and waits until it is kept. */
async function choosePicture(on: Page, label: string, background: string): Promise<void> {
  const field = on.locator('.ant-form-item').filter({ has: on.locator('label').getByText(label, { exact: true }) })
  await field
    .locator('input[type=file]')
    .setInputFiles({ name: `${label}.png`, mimeType: 'image/png', buffer: await picture(background) })
  const dialog = on.getByRole('dialog', { name: '裁剪图片' })
  await expect(dialog.getByRole('slider', { name: '缩放' })).toBeVisible()
  await dialog.getByRole('button', { name: '使用此图' }).click()
  await expect(dialog).toBeHidden()
  await expect(field.getByRole('img', { name: `${label}.png` })).toBeVisible()
}

test('the administrator sets motto, logo and seal; the shell and the sign-in page show them', async ({
  browser,
  baseURL,
}) => {
  const admin = await signedIn(browser, 'admin')
  await open(admin, page('profile'))
  await admin.getByLabel('学校代码').fill('109')
  await admin.getByLabel('校训').fill('明德至善')
  await admin.getByRole('button', { name: '保存', exact: true }).click()
  await expect(admin.getByText('学校代码须为教育部公布的 5 位数字')).toBeVisible()
  await admin.getByLabel('学校代码').fill('10999')
  await choosePicture(admin, '校标', '#1c449b')
  await choosePicture(admin, '公章', '#d00000')
  await admin.getByRole('button', { name: '保存', exact: true }).click()
  await expect(admin.getByText('学校资料已保存')).toBeVisible()
  await expect(admin.locator('.brand img')).toHaveAttribute('src', /^data:image\/png/)
  const { logoFileId, sealFileId } = await (await service('admin', baseURL)).send(schoolInfoApi.profile, {})
  expect(logoFileId).not.toBeNull()
  const reviewer = await service('reviewer', baseURL)
  expect(await reviewer.send(schoolInfoApi.profile, {})).toMatchObject({
    schMotto: '明德至善',
    sealFileId: null,
    hasSeal: true,
  })
  expect((await reviewer.ask(schoolInfoApi.seal)).status).toBe(403)
  expect(sealFileId).not.toBeNull()
  await done(admin)

  const nobody = await newPage(browser)
  await nobody.goto('/')
  await nobody.getByLabel('学校代码').fill('demo')
  await expect(nobody.locator('.public-school')).toContainText('华东示范大学')
  await expect(nobody.getByText('明德至善')).toBeVisible()
  await done(nobody)
})

test('adds a term, and is told when it lies over another', async ({ browser }) => {
  const admin = await signedIn(browser, 'admin')
  await open(admin, page('term'))
  const year = Number((await travel(0)).slice(0, 4)) + 3
  const fill = async (start: string, end: string) => {
    await admin.getByRole('button', { name: '新增学期' }).click()
    await admin.getByRole('dialog').getByLabel('学期名称').fill('夏季短学期')
    await fillRange(admin.getByRole('dialog'), '起止日期', start, end)
  }
  await fill(`${year - 2}-01-01`, `${year - 2}-01-20`)
  await admin.getByRole('dialog').getByRole('button', { name: '保存' }).click()
  await expect(admin.getByRole('dialog').getByText(/与学期“.+”.+的日期重叠/)).toBeVisible()
  await fillRange(admin.getByRole('dialog'), '起止日期', `${year}-07-01`, `${year}-07-28`)
  await saveDialog(admin)
  await expect(shown(admin.getByRole('row').filter({ hasText: '夏季短学期' }))).toContainText(`${year}-07-28`)
  await done(admin)
})

test('enters the holidays of a year at once, and a day more', async ({ browser, baseURL }) => {
  const admin = await signedIn(browser, 'admin')
  await open(admin, page('holiday'))
  const year = Number((await travel(0)).slice(0, 4)) + 1
  await admin.getByRole('button', { name: '下一年' }).click()
  await admin.getByRole('button', { name: '录入全年' }).click()
  await admin.getByRole('dialog').getByRole('button', { name: '保存全年' }).click()
  await expect(admin.getByRole('dialog')).toBeHidden()
  await expect(admin.getByText('放假 13 天')).toBeVisible()
  await admin.getByRole('button', { name: '添加日期' }).click()
  const dialog = admin.getByRole('dialog')
  await dialog.getByLabel('第 1 行名称').fill('校庆')
  for (const [at, day] of [`${year}-11-11`, `${year}-11-12`].entries()) {
    const input = dialog.locator('.ant-picker-range input').nth(at)
    await input.fill(day)
    await input.press('Enter')
  }
  await saveDialog(admin)
  await expect(shown(admin.getByRole('row').filter({ hasText: '校庆' }))).toContainText('11-11 至 11-12')
  expect(
    (await (await service('admin', baseURL)).send(schoolInfoApi.holidays, { year })).filter(
      ({ hdName }) => hdName === '校庆',
    ),
  ).toHaveLength(2)
  await done(admin)
})

test('a longer minimum of public notice refuses what the default accepts', async ({ browser, baseURL }) => {
  const admin = await signedIn(browser, 'admin')
  await open(admin, page('settings'))
  await admin.getByLabel('查找规则').fill('公示期')
  const field = (name: string) => admin.getByRole('textbox', { name, exact: true })
  await field('最短公示期').fill('5')
  await expect(admin.getByText('默认公示期须在最短与最长公示期之间')).toBeVisible()
  await field('默认公示期').fill('5')
  await admin.getByRole('button', { name: '保存规则' }).click()
  const dialog = admin.getByRole('dialog')
  await expect(dialog).toContainText('确认修改 2 项规则？')
  await expect(dialog.getByRole('row').filter({ hasText: '最短公示期' })).toContainText('3 个工作日5 个工作日')
  await dialog.getByLabel('变更说明').fill('校团委会议决定')
  await dialog.getByRole('button', { name: '确认修改' }).click()
  await expect(dialog).toBeHidden()
  await expect(admin.locator('#setting-publictyMin')).toContainText('已修改')

  const client = await service('admin', baseURL)
  const { liId } = (await client.send(lessonApi.view, { liStatus: lessonStatus.resultPassed })).records[0]!
  const from = (await travel(0)).slice(0, 10)
  const { to } = await client.send(schoolApi.workday, { from, days: 3 })
  const publicise = () =>
    client.ask(lessonApi.publicty, { liId, liPublictySdate: `${from} 00:00:00`, liPublictyEdate: `${to} 23:59:59` })
  expect(await publicise()).toMatchObject({ code: 300, msg: '公示期不得少于 5 个工作日' })

  await admin.getByRole('button', { name: '最短公示期恢复默认' }).click()
  await admin.getByRole('button', { name: '默认公示期恢复默认' }).click()
  await admin.getByRole('button', { name: '保存规则' }).click()
  await admin.getByRole('dialog').getByRole('button', { name: '确认修改' }).click()
  await expect(admin.getByRole('dialog')).toBeHidden()
  expect(await publicise()).toMatchObject({ code: 200 })

  await admin.getByRole('button', { name: '变更记录' }).click()
  const history = admin.getByRole('dialog', { name: '变更记录' })
  await expect(history.getByText('校团委会议决定')).toBeVisible()
  await expect(history.getByText('最短公示期5 个工作日→3 个工作日')).toBeVisible()
  await done(admin)
})

test('a rule that does not agree with another one leads there, also where that one was not looked for', async ({
  browser,
}) => {
  const admin = await signedIn(browser, 'admin')
  await open(admin, `${page('settings')}&word=${encodeURIComponent('最短公示期')}`)
  await admin.getByRole('textbox', { name: '最短公示期', exact: true }).fill('6')
  await admin.getByRole('button', { name: '保存规则' }).click()
  await expect(admin.getByRole('textbox', { name: '默认公示期', exact: true })).toBeVisible()
  await expect(admin.getByText('默认公示期须在最短与最长公示期之间')).toBeVisible()
  await expect(admin.getByRole('dialog')).toHaveCount(0)
  await shown(admin.getByRole('button', { name: '放弃修改' })).click()
  await done(admin)
})

test('a reviewer may look and change nothing; a teacher does not know the page', async ({ browser, baseURL }) => {
  const reviewer = await signedIn(browser, 'reviewer')
  await open(reviewer, page('profile'))
  await expect(reviewer.getByLabel('学校名称')).toBeDisabled()
  await expect(reviewer.getByText('已设置，仅有公章权限的人可查看')).toBeVisible()
  await expect(reviewer.getByRole('button', { name: '保存', exact: true })).toHaveCount(0)
  await open(reviewer, page('settings'))
  await expect(reviewer.getByRole('textbox', { name: '最短公示期', exact: true })).toBeDisabled()
  await done(reviewer)

  const teacher = await signedIn(browser, 'teacher')
  await open(teacher, '/home')
  await expect(teacher.getByRole('navigation', { name: '主菜单' }).getByText('学校信息')).toHaveCount(0)
  await teacher.goto(page('profile'))
  await expect(teacher.getByRole('heading', { name: '学校信息' })).toHaveCount(0)
  expect((await (await service('teacher', baseURL)).ask(schoolInfoApi.profile, {})).status).toBe(403)
  await done(teacher)
})
