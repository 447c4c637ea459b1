import { expect, test, type Page } from '@playwright/test'
import { approvalApi } from '../contract/programme/approvals/approvals.calls.ts'
import { lessonStatus } from '../contract/core/codes/programme.ts'
import { lessonApi } from '../contract/programme/lessons/lessons.calls.ts'
import { signIn } from '../server/testing/client.ts'
import { batch, tickAll } from './actions.ts'
import { choose, dayAfter, done, fillRange, open, shown, signedIn, travel } from './support.ts'
import { goTo } from './visit.ts'

/**
 * Courses as their organisers handle them: industry form, kept draft, copy, conflicts, series, acts on several, change
 * after publication, views of one's own.
 */
test.describe.configure({ mode: 'serial' })

// of its own, so that a server can be used more than once while the journey is written
const course = `智能制造企业研学${Date.now() % 100_000}`
const partner = '华东精密仪器有限公司'
let day: string
test.beforeAll(async () => {
  day = dayAfter(await travel(0), 20)
})

const service = (username: string, baseURL: string | undefined) => signIn(baseURL!, 'demo', username, 'Demo-2026')
const found = async (baseURL: string | undefined, liName = course) =>
  (await (await service('teacher', baseURL)).send(lessonApi.view, { liName, sort: 'startTime', order: 'asc' })).records
const detailOf = ({ liId, liScheme }: { liId: string; liScheme: string }) =>
  `/courseManagement/detail${liScheme === 'industry' ? 'Industry' : ''}CurriculumList?liId=${liId}`
const more = async (page: Page, name: string) => {
  await shown(page.getByRole('button', { name: /^更多/ })).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}

/** Passes every publication that waits under this name, whoever has to. */
async function passAll(baseURL: string | undefined) {
  for (const username of ['college', 'reviewer', 'college', 'reviewer']) {
    const client = await service(username, baseURL)
    const { records } = await client.send(approvalApi.publishQueue, { bizName: course })
    if (records.length > 0) await client.send(approvalApi.publishPass, { taskIds: records.map(({ taskId }) => taskId) })
  }
}

test('a teacher plans an industry course; what was typed outlives a reload, and the partner must be named', async ({
  browser,
}) => {
  const page = await signedIn(browser, 'teacher')
  page.on('dialog', (dialog) => void dialog.accept())
  await open(page, '/courseManagement/addIndustryCurriculumList')
  await page.getByLabel('课程名称').fill(course)
  await expect
    .poll(() => page.evaluate(() => Object.keys(localStorage).some((key) => key.includes('lesson:new-industry'))))
    .toBe(true)
  await page.reload()
  await shown(page.getByRole('button', { name: '恢复', exact: true })).click()
  await expect(page.getByLabel('课程名称')).toHaveValue(course)

  // what is missing is named beside the buttons, each a way to its field
  await page.getByRole('button', { name: '提交审批' }).click()
  const missing = page.getByRole('status').filter({ hasText: '处待填写或修改' })
  await expect(missing).toContainText('课程体系')
  // the first of them has the cursor
  await expect(page.getByLabel('课程体系')).toBeFocused()
  await missing.getByRole('button', { name: '课程级别' }).click()
  await expect(page.getByLabel('课程级别')).toBeFocused()
  await page.keyboard.press('Escape')

  await page.getByLabel('课程体系').click()
  await page.getByRole('menuitemcheckbox', { name: '实践实习' }).click()
  await page.getByRole('menuitemcheckbox').filter({ hasNotText: '实践实习' }).last().click()
  await choose(page, page.getByLabel('课程级别'), '院（系）级')
  await expect(shown(page.locator('output.worth'))).toHaveText(/学分/)
  // what nobody has to fill in is folded
  await expect(page.getByLabel('限定性别')).toBeHidden()
  await page.locator('summary').filter({ hasText: '报名范围与名额分配' }).click()
  await choose(page, page.getByLabel('限定性别'), '女')
  await page.keyboard.press('Escape')
  const intro = page.getByLabel('课程简介')
  await intro.fill('走进企业车间，了解数字化生产线，')
  await page.keyboard.press('Control+B')
  await page.keyboard.type('请穿平底鞋')
  await page.keyboard.press('Control+B')
  await page.keyboard.type('。')
  await expect(intro.locator('strong')).toHaveText('请穿平底鞋')
  await fillRange(page, '活动时间', `${day} 14:00`, `${day} 16:00`)
  await page.getByLabel('活动地点').fill('企业培训中心')
  await page.getByText('无需报名').click()
  await page.getByRole('textbox', { name: '名额' }).fill('20')
  await page.getByRole('button', { name: '存为草稿' }).click()
  await expect(page.getByText('请填写合作企业')).toBeVisible()
  await choose(page, page.getByLabel('行业门类'), '制造业')
  await choose(page, page.getByLabel('合作方式'), '参观')
  await page.getByLabel('合作企业').fill(partner)
  await page.getByLabel('统一社会信用代码').fill('123')
  await page.getByLabel('实践基地').fill('一号车间')
  await expect(page.getByText('统一社会信用代码不正确，请核对 18 位代码')).toBeVisible()
  await page.getByLabel('统一社会信用代码').fill('91350100M000100Y43')
  await page.getByRole('button', { name: '存为草稿' }).click()
  await page.waitForURL(/detailIndustryCurriculumList/)
  await expect(shown(page.getByRole('heading', { name: '产教融合' }))).toBeVisible()
  await expect(shown(page.getByText(partner))).toBeVisible()
  await expect(shown(page.getByText('女', { exact: true }))).toBeVisible()
  await expect(shown(page.locator('.rich-text'))).toHaveText('走进企业车间，了解数字化生产线，请穿平底鞋。')
  await expect(shown(page.locator('.rich-text strong'))).toHaveText('请穿平底鞋')
  await done(page)
})

test('copies it, and is told of what stands in the way', async ({ browser, baseURL }) => {
  const page = await signedIn(browser, 'teacher')
  const [original] = await found(baseURL)
  // a link that knows only the course's id leads to the screen of its kind, and the way back does not end there
  await open(page, `/courseManagement/CurriculumList?liName=${encodeURIComponent(course)}`)
  await goTo(page, detailOf({ ...original!, liScheme: 'standard' }))
  await page.waitForURL(/detailIndustryCurriculumList/)
  await page.goBack()
  await page.waitForURL(/CurriculumList\?liName=/)
  await open(page, detailOf(original!))
  await more(page, '复制')
  await expect(page.getByLabel('课程名称')).toHaveValue(`${course}（副本）`)
  await expect(page.getByLabel('合作企业')).toHaveValue(partner)
  await expect(page.getByLabel('课程简介').locator('strong')).toHaveText('请穿平底鞋')
  await fillRange(page, '活动时间', `${day} 15:00`, `${day} 17:00`)
  await expect(page.getByRole('status').filter({ hasText: '同一时间该地点已有其他课程' })).toContainText(course)
  await page.getByRole('button', { name: '存为草稿' }).click()
  await page.waitForURL(/detailIndustryCurriculumList/)
  expect((await found(baseURL)).map(({ liName }) => liName)).toEqual([course, `${course}（副本）`])
  await open(page, `/courseManagement/CurriculumList?liName=${encodeURIComponent(`${course}（副本）`)}`)
  await shown(page.getByRole('button', { name: `${course}（副本）的更多操作` })).click()
  await page.getByRole('menuitem', { name: '删除', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: '删除', exact: true }).click()
  await expect.poll(async () => (await found(baseURL)).length).toBe(1)
  await done(page)
})

test('makes it a series of three and sends all of them into approval at once', async ({ browser, baseURL }) => {
  const page = await signedIn(browser, 'teacher')
  const [first] = await found(baseURL)
  await open(page, detailOf(first!))
  await shown(page.getByRole('button', { name: '生成系列', exact: true })).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('再办几期').fill('2')
  await expect(dialog.getByRole('list', { name: '各期时间' }).getByRole('listitem')).toHaveCount(3)
  await dialog.getByRole('button', { name: '生成', exact: true }).click()
  await shown(page.getByRole('tab', { name: '系列 3' })).click()
  await expect(shown(page.getByRole('link', { name: `${course}（第 3 期）` }))).toBeVisible()
  await shown(page.getByRole('button', { name: '在列表中批量处理' })).click()
  await page.waitForURL(/parentLiId=/)
  await tickAll(page)
  await batch(page, '提交审批')
  await expect(page.getByText('已提交 3 门课程')).toBeVisible()
  expect((await found(baseURL)).map(({ liStatus }) => liStatus)).toEqual([
    lessonStatus.publishInReview,
    lessonStatus.publishInReview,
    lessonStatus.publishInReview,
  ])
  await done(page)
})

test('publishes what was approved, and is told what could not be', async ({ browser, baseURL }) => {
  await passAll(baseURL)
  const teacher = await service('teacher', baseURL)
  const [, , last] = await found(baseURL)
  await teacher.send(lessonApi.cancel, { liId: last!.liId, reason: '企业检修，第三期不办了' })
  const page = await signedIn(browser, 'teacher')
  await open(
    page,
    `/courseManagement/CurriculumList?parentLiId=${(await found(baseURL))[0]!.liId}&sort=startTime&order=asc`,
  )
  await tickAll(page)
  await shown(page.locator('.batch-bar').getByRole('button', { name: '发布', exact: true })).click()
  await expect(page.getByRole('dialog').getByText('另有 1 项当前状态不能发布')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: '发布', exact: true }).click()
  await expect(page.getByText('已发布 2 门课程')).toBeVisible()
  await done(page)
})

test('changes a published course: it stays as approved until the change is approved', async ({ browser, baseURL }) => {
  const page = await signedIn(browser, 'teacher')
  const [first] = await found(baseURL)
  await open(page, `/courseManagement/editIndustryCurriculumList?liId=${first!.liId}`)
  await page.getByRole('textbox', { name: '名额' }).fill('15')
  await page.getByLabel('活动地点').fill('企业展厅')
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await expect(page.getByText('变更已提交审批，批准后生效')).toBeVisible()
  const note = shown(page.getByRole('region', { name: '变更审批中' }))
  await expect(note.getByRole('row', { name: /名额 20 人 15 人/ })).toBeVisible()
  await expect(shown(page.getByText('企业培训中心', { exact: false }))).toBeVisible()
  await open(page, `/courseManagement/CurriculumList?liName=${encodeURIComponent(course)}`)
  await expect(shown(page.getByText('变更审批中'))).toBeVisible()
  await passAll(baseURL)
  expect(await (await service('teacher', baseURL)).send(lessonApi.details, { liId: first!.liId })).toMatchObject({
    quota: 15,
    placeText: '企业展厅',
    isChanging: false,
  })
  await open(page, detailOf(first!))
  await expect(shown(page.getByText('企业展厅', { exact: false }))).toBeVisible()
  await expect(page.getByRole('region', { name: '变更审批中' })).toBeHidden()
  await done(page)
})

test('keeps a view of the list, which follows to another browser', async ({ browser }) => {
  const page = await signedIn(browser, 'teacher')
  await open(page, '/courseManagement/CurriculumList?liStatus=30&sort=startTime&order=desc')
  await page.getByRole('button', { name: '存为视图' }).click()
  await page.getByLabel('视图名称').fill('我的已发布')
  await page.getByRole('dialog').getByRole('button', { name: '保存', exact: true }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(shown(page.getByRole('button', { name: '我的已发布', exact: true }))).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await done(page)

  const other = await signedIn(browser, 'teacher')
  await open(other, '/courseManagement/CurriculumList')
  await shown(other.getByRole('button', { name: '我的已发布', exact: true })).click()
  await other.waitForURL(/liStatus=30.*sort=startTime/)
  await shown(other.getByRole('button', { name: '视图“我的已发布”的操作' })).click()
  await other.getByRole('menuitem', { name: '重命名' }).click()
  await other.getByLabel('视图名称').fill('已发布（新到旧）')
  await other.getByRole('dialog').getByRole('button', { name: '保存', exact: true }).click()
  await shown(other.getByRole('button', { name: '视图“已发布（新到旧）”的操作' })).click()
  await other.getByRole('menuitem', { name: '删除' }).click()
  await other.getByRole('dialog').getByRole('button', { name: '删除视图' }).click()
  await expect(other.getByRole('button', { name: '已发布（新到旧）', exact: true })).toBeHidden()
  await done(other)

  const stranger = await signedIn(browser, 'college')
  await open(stranger, '/courseManagement/CurriculumList?liStatus=30')
  await expect(stranger.getByRole('button', { name: '存为视图' })).toBeVisible()
  await expect(stranger.getByRole('button', { name: '我的已发布' })).toBeHidden()
  await done(stranger)
})

test('the place of a sign-in is taken from a map, turned into what phones tell, or from this device', async ({
  browser,
}) => {
  const page = await signedIn(browser, 'teacher')
  await page.context().grantPermissions(['geolocation'])
  await page.context().setGeolocation({ longitude: 117.2272, latitude: 31.8206, accuracy: 5 })
  await open(page, '/courseManagement/addCurriculumList')
  await page.locator('summary').filter({ hasText: '签到' }).click()
  const [longitude, latitude] = [page.getByLabel('签到地点经度'), page.getByLabel('签到地点纬度')]
  const pasted = page.getByLabel('从地图复制的坐标')
  await pasted.fill('合肥')
  await pasted.press('Enter')
  await expect(page.getByText('请粘贴“经度,纬度”')).toBeVisible()
  await expect(longitude).toHaveValue('')
  // what 高德 calls so lies half a kilometre from where a phone is
  await pasted.fill('117.227239,31.820587')
  await page.getByRole('button', { name: '填入', exact: true }).click()
  await expect(longitude).toHaveValue('117.221753')
  await expect(latitude).toHaveValue('31.822582')
  await choose(page, page.getByLabel('坐标来源'), 'GPS')
  await pasted.fill('117.227239,31.820587')
  await pasted.press('Enter')
  await expect(longitude).toHaveValue('117.227239')
  await page.getByRole('button', { name: '用本机位置' }).click()
  await expect(longitude).toHaveValue('117.227200')
  await expect(latitude).toHaveValue('31.820600')
  await done(page)
})
