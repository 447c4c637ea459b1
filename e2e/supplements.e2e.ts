import { expect, test, type Browser, type Page } from '@playwright/test'
import { supplementStatus, supplementTab } from '../contract/core/codes/programme.ts'
import type { Input } from '../contract/core/call.ts'
import { yesNo } from '../contract/core/codes/platform.ts'
import { studentStatus } from '../contract/core/codes/school.ts'
import { memberApi } from '../contract/school/roles/members.calls.ts'
import { roleApi } from '../contract/school/roles/roles.calls.ts'
import { classApi } from '../contract/school/organisation/classes.calls.ts'
import { studentApi } from '../contract/school/people/students.calls.ts'
import { supplementApi } from '../contract/programme/supplements/supplements.calls.ts'
import { transcriptApi } from '../contract/outcomes/transcripts/transcripts.calls.ts'
import { signIn } from '../server/testing/client.ts'
import { batch, passCase, tickAll } from './actions.ts'
import { notice } from './locators.ts'
import { choose, dayAfter, done, open, shown, signedIn, travel, travelTo } from './support.ts'

/**
 * A certificate from outside the system, from the office that enters it to the student's transcript, and lists of such
 * records from sheets. Steps build on each other; the clock is moved where a school would wait.
 */
test.describe.configure({ mode: 'serial' })

const name = '全国英语演讲比赛证书（端到端）'
const pdf = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
)
const service = (username: string, baseURL: string | undefined) => signIn(baseURL!, 'demo', username, 'Demo-2026')
const wizard = (page: Page) => page.getByRole('dialog', { name: /^批量导入/ })
const verdict = (page: Page, word: string) =>
  wizard(page)
    .getByRole('group', { name: '结论' })
    .getByRole('button', { name: new RegExp(`^${word}`) })
let today: string
let hours: string
let students: { suId: string; suiName: string; suiNumber: string }[]

/** Classmates of the secretary, who checks what is entered for them, and the day. */
test.beforeAll(async ({ baseURL }) => {
  today = (await travel(0)).slice(0, 10)
  const client = await service('secretary', baseURL)
  students = (await client.send(studentApi.list, { pageSize: 50 })).records
    .filter(({ suId }) => suId !== client.suId)
    .slice(-4)
})

const recordId = async (baseURL: string | undefined): Promise<string> =>
  (await (await service('admin', baseURL)).send(supplementApi.list, { lisName: name })).records[0]!.lisId
const statusOf = async (baseURL: string | undefined) =>
  (await (await service('admin', baseURL)).send(supplementApi.detail, { lisId: await recordId(baseURL) })).lisStatus

test('the office enters a certificate for a student, with its proof, and sees who will decide and what it gives', async ({
  browser,
  baseURL,
}) => {
  const page = await signedIn(browser, 'admin')
  await open(page, '/courseManagement/RecordingCourse/add')
  await page.getByRole('combobox', { name: '学生' }).fill(students[0]!.suiNumber)
  await shown(
    page
      .locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden) .ant-select-item-option')
      .filter({ hasText: students[0]!.suiNumber }),
  ).click()
  await page.getByLabel('补录名称').fill(name)
  await choose(page, page.getByRole('combobox', { name: '补录类型' }), '证书认证')
  const date = page.getByRole('textbox', { name: '获得日期' })
  await date.fill(dayAfter(today, -25))
  await date.press('Enter')
  await page.getByLabel('证书编号').fill('E2E-0001')
  await page.getByRole('combobox', { name: '模块' }).click()
  await page.getByRole('menuitemcheckbox', { name: '技能特长' }).click()
  await page.getByRole('menuitemcheckbox', { name: '语言证书' }).click()
  await choose(page, page.getByRole('combobox', { name: '级别' }), '省（部）级')
  await expect(shown(page.locator('.flow-preview'))).toBeVisible()
  // nothing is asked by half of what is chosen, which would be refused
  await expect(page.getByText('内容格式不正确')).toHaveCount(0)
  await page.getByLabel('选择文件').last().setInputFiles({ name: '证书.pdf', mimeType: 'application/pdf', buffer: pdf })
  await expect(shown(page.getByText('证书.pdf', { exact: true }))).toBeVisible()
  await expect(shown(page.getByText('补录标准流程'))).toBeVisible()
  // what the school's rule gives for such a certificate
  hours = (await shown(page.getByText(/^[\d.]+ 学时$/)).innerText()).replace(' 学时', '')
  await expect(shown(page.getByText(new RegExp(`基础 ${hours} 学时 ＝ ${hours} 学时`)))).toBeVisible()
  await page.getByRole('button', { name: '提交审批' }).click()
  await page.waitForURL(/RecordingCourse\/detail/)
  await expect(shown(page.getByRole('heading', { level: 1, name }))).toBeVisible()
  expect(await statusOf(baseURL)).toBe('1')
  await done(page)
})

test('proofs beyond what a record takes are told and not left out in silence', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await open(page, '/courseManagement/RecordingCourse/add')
  await page
    .getByLabel('选择文件')
    .last()
    .setInputFiles(
      Array.from({ length: 6 }, (_, at) => ({ name: `证明${at + 1}.pdf`, mimeType: 'application/pdf', buffer: pdf })),
    )
  await expect(page.getByText('最多 4 个，其余 2 个未上传')).toBeVisible()
  await expect(shown(page.getByText('证明4.pdf', { exact: true }))).toBeVisible()
  await expect(page.getByText('证明5.pdf', { exact: true })).toHaveCount(0)
  await page.getByRole('button', { name: '取消', exact: true }).click()
  await page
    .getByRole('dialog', { name: '放弃未保存的内容？' })
    .getByRole('button', { name: '放弃', exact: true })
    .click()
  await done(page)
})

test('the only administrator, who may not approve what they entered, is led to the class without a secretary', async ({
  browser,
  baseURL,
}) => {
  const client = await service('admin', baseURL)
  // a class whose secretary has just left; nobody of it is named elsewhere in this journey
  const { records: classes } = await client.send(classApi.list, { pageSize: 50 })
  const own = students[0]!.suiNumber
  const { records: ofOwn } = await client.send(studentApi.list, { search: own })
  const bare = classes.find(({ scClassId, studentCount }) => studentCount > 0 && scClassId !== ofOwn[0]!.scClassId)!
  const role = (await client.send(roleApi.options, {})).find(({ srCode }) => srCode === 'LEAGUE_SEC')!
  if (bare.leagueSecretaryId)
    await client.send(memberApi.dismissSecretary, { srId: role.srId, scClassId: bare.scClassId })
  const { records } = await client.send(studentApi.list, {
    scClassId: bare.scClassId,
    suiStatus: studentStatus.enrolled,
  })
  const { lsId, lisType, lisLevel, lisObtainDate, certNo } = await client.send(supplementApi.detail, {
    lisId: await recordId(baseURL),
  })
  const { lisId } = await client.send(supplementApi.save, {
    lsId,
    lisType,
    lisLevel,
    lisObtainDate,
    certNo,
    suId: records[0]!.suId,
    lisName: '无团支书班级的证书（端到端）',
    lisProofs: [],
  } as Input<typeof supplementApi.save>)
  const page = await signedIn(browser, 'admin')
  await open(page, `/courseManagement/RecordingCourse/detail?lisId=${lisId}`)
  await shown(page.getByRole('button', { name: '提交审批' })).click()
  await page.getByRole('dialog').getByRole('button', { name: '提交审批' }).click()
  const notice = page.locator('.notice-warning')
  await expect(notice).toContainText(`${bare.scClassName}的团支书目前空缺`)
  await notice.getByRole('button', { name: '去任命该班团支书' }).click()
  await page.waitForURL(/classAdmin\?scClassName=/)
  await expect(shown(page.getByRole('row').filter({ hasText: bare.scClassName }))).toBeVisible()
  await client.send(supplementApi.remove, { lisId: [lisId], delFlag: yesNo.yes })
  await done(page)
})

test('the secretary of the class sends it back', async ({ browser, baseURL }) => {
  const page = await signedIn(browser, 'secretary')
  await open(page, `/checkAdmin/supplementCheck?bizName=${encodeURIComponent(name)}`)
  const matter = page.getByRole('article', { name })
  await expect(matter.getByText('证书.pdf')).toBeVisible()
  await matter.getByRole('button', { name: '驳回' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('请写明比赛的组别与名次')
  await dialog.getByRole('button', { name: '驳回', exact: true }).click()
  await expect(shown(page.getByText('没有符合条件的事项'))).toBeVisible()
  expect(await statusOf(baseURL)).toBe('3')
  await done(page)
})

test('the office mends it and submits it again', async ({ browser, baseURL }) => {
  const page = await signedIn(browser, 'admin')
  await open(page, `/courseManagement/RecordingCourse/detail?lisId=${await recordId(baseURL)}`)
  await expect(shown(page.getByRole('note').filter({ hasText: '请写明比赛的组别与名次' }))).toBeVisible()
  await shown(page.getByRole('button', { name: '编辑', exact: true })).click()
  await page.getByRole('textbox', { name: '说明' }).fill('大学组，决赛第 12 名')
  await page.getByRole('button', { name: '修改并重新提交' }).click()
  await page.waitForURL(/RecordingCourse\/detail/)
  await expect.poll(() => statusOf(baseURL)).toBe('1')
  await done(page)
})

for (const [username, who] of [
  ['secretary', 'the class'],
  ['college', 'the college'],
  ['reviewer', 'the school'],
] as const) {
  test(`${who} approves it`, async ({ browser }) => passCase(browser, username, '/checkAdmin/supplementCheck', name))
}

test('it is put into public notice, and when that is over it is credited and stands on the transcript', async ({
  browser,
  baseURL,
}) => {
  const page = await signedIn(browser, 'admin')
  const lisId = await recordId(baseURL)
  await open(page, `/courseManagement/RecordingCourse?flagType=1&lisName=${encodeURIComponent(name)}`)
  await tickAll(page)
  await shown(page.locator('.batch-bar').getByRole('button', { name: '公示', exact: true })).click()
  await page.getByRole('dialog').getByRole('button', { name: '开始公示' }).click()
  await expect.poll(() => statusOf(baseURL)).toBe('5')
  await open(page, `/courseManagement/RecordingCourse?flagType=2&lisName=${encodeURIComponent(name)}`)
  await expect(shown(page.getByText('公示中', { exact: true }))).toBeVisible()
  await done(page)
  await travelTo(`${dayAfter(today, 12)} 09:00:00`)
  await expect.poll(() => statusOf(baseURL), { timeout: 90_000 }).toBe('6')
  const client = await service('admin', baseURL)
  const rows = (await client.send(transcriptApi.rows, { suId: students[0]!.suId })).records.filter(
    (row) => row.name === name,
  )
  expect(rows).toMatchObject([{ hours, source: 'SUP', lisId }])
  const after = await signedIn(browser, 'admin')
  await open(after, `/courseManagement/RecordingCourse/detail?lisId=${lisId}&tab=credit`)
  await expect(shown(after.getByRole('cell', { name: '入账', exact: true }))).toBeVisible()
  await open(after, `/transcript/transcriptDetail?suId=${students[0]!.suId}`)
  await expect(shown(after.getByText(name))).toBeVisible()
  await done(after)
})

test('a mistake is corrected by the difference, and what was credited in error is deleted with its reversal', async ({
  browser,
  baseURL,
}) => {
  const page = await signedIn(browser, 'admin')
  const lisId = await recordId(baseURL)
  await open(page, `/courseManagement/RecordingCourse/detail?lisId=${lisId}&tab=credit`)
  await shown(page.getByRole('button', { name: '更正', exact: true })).click()
  const dialog = page.getByRole('dialog')
  await choose(page, dialog.getByRole('combobox', { name: '级别' }), '校级')
  await dialog.getByLabel('更正原因').fill('核对原件后应为校级')
  await dialog.getByRole('button', { name: '更正', exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect(shown(page.getByRole('cell', { name: '更正后入账' }))).toBeVisible()
  await page.getByRole('button', { name: /^更多/ }).last().click()
  await page.getByRole('menuitem', { name: '冲正' }).click()
  await dialog.getByLabel('冲正原因').fill('证书经核实无效')
  await dialog.getByRole('button', { name: '冲正', exact: true }).click()
  await expect.poll(() => statusOf(baseURL).catch(() => '9')).toBe('9')
  const client = await service('admin', baseURL)
  expect(
    (await client.send(supplementApi.list, { flagType: supplementTab.deleted, lisName: name })).records,
  ).toMatchObject([{ lisId, lisStatus: supplementStatus.deleted }])
  await done(page)
})

/** Imports rows by a sheet through the wizard: so many are faulty, so many go in. */
async function importRows(
  browser: Browser,
  menu: string,
  header: string,
  rows: string[],
  wanted: { faults: number; fresh: number; fault: string },
): Promise<void> {
  const page = await signedIn(browser, 'admin')
  await open(page, '/courseManagement/RecordingCourse')
  await shown(page.getByRole('button', { name: /^更多/ })).click()
  await page.getByRole('menuitem', { name: menu, exact: true }).click()
  await page
    .getByLabel('选择文件')
    .setInputFiles({ name: '补录.csv', mimeType: 'text/csv', buffer: Buffer.from([header, ...rows].join('\n')) })
  await expect(verdict(page, '错误')).toContainText(String(wanted.faults))
  await expect(shown(wizard(page).getByText(wanted.fault))).toBeVisible()
  await wizard(page)
    .getByRole('button', { name: new RegExp(`导入 ${wanted.fresh} 行$`) })
    .click()
  await expect(wizard(page).getByRole('heading', { name: `已导入 ${wanted.fresh} 行` })).toBeVisible()
  await wizard(page).getByRole('button', { name: '完成', exact: true }).click()
  await done(page)
}

test('records come from both sheets, faults and all, and are submitted together', async ({ browser, baseURL }) => {
  const day = dayAfter(today, -20)
  const [, a, b, c] = students
  const line = (who: { suiNumber: string; suiName: string }, title: string, level = '校级') =>
    `${who.suiNumber},${who.suiName},${title},技能特长 / 语言证书,证书认证,${level},参与者,,语委,${day},,,,,,`
  await importRows(
    browser,
    '批量导入补录',
    '学号,姓名,名称,模块,类型,级别,参与方式,奖项,主办单位,获得日期,证书编号,团队排位/人数,申请学时,公示开始,公示结束,说明',
    [
      line(a!, '批量证书甲'),
      line(b!, '批量证书乙'),
      line({ suiNumber: '0000', suiName: '无' }, '批量证书丙'),
      line(c!, '批量证书丁', '宇宙级'),
    ],
    { faults: 2, fresh: 2, fault: '学号 0000 不存在' },
  )
  const award = (who: { suiNumber: string; suiName: string }, prize: string) =>
    `${who.suiNumber},${who.suiName},批量竞赛,创新创业 / 学科竞赛,竞赛获奖,校级,参赛者,等级奖,${prize},学会,${day},,1/3,,,,`
  await importRows(
    browser,
    '批量导入获奖补录',
    '学号,姓名,名称,模块,类型,级别,参与方式,奖励模板,奖项,主办单位,获得日期,证书编号,团队排位/人数,申请学时,公示开始,公示结束,说明',
    [award(a!, '一等奖'), award(b!, '冠军')],
    { faults: 1, fresh: 1, fault: '奖励模板“等级奖”没有奖项“冠军”' },
  )
  const page = await signedIn(browser, 'admin')
  await open(page, `/courseManagement/RecordingCourse?lisStatus=0&lisName=${encodeURIComponent('批量')}`)
  await tickAll(page)
  await batch(page, '提交审批')
  const client = await service('admin', baseURL)
  await expect
    .poll(
      async () =>
        (await client.send(supplementApi.list, { lisName: '批量', lisStatus: supplementStatus.inReview })).total,
    )
    .toBe(3)
  await done(page)
})

test('what ends by a removal is told of all rows, and taking it back says what has to be done again', async ({
  browser,
  baseURL,
}) => {
  const client = await service('admin', baseURL)
  // the first row alone is before no reviewer
  const [first] = (await client.send(supplementApi.list, { lisName: '批量' })).records
  await client.send(supplementApi.withdraw, { lisId: first!.lisId, version: first!.version })
  const page = await signedIn(browser, 'admin')
  await open(page, `/courseManagement/RecordingCourse?lisName=${encodeURIComponent('批量')}`)
  await tickAll(page)
  await shown(page.locator('.batch-bar').getByRole('button', { name: '删除', exact: true })).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('其中的审批与公示随之终止')
  await dialog.getByRole('button', { name: '删除', exact: true }).click()
  await notice(page, '已删除 3 条').getByRole('button', { name: '撤销' }).click()
  await expect(notice(page, '已恢复，其中原在审批的须重新提交审批')).toBeVisible()
  const { records } = await client.send(supplementApi.list, { lisName: '批量' })
  expect(records.map(({ lisStatus }) => lisStatus)).toEqual(Array(3).fill(supplementStatus.withdrawn))
  await done(page)
})
