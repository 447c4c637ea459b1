import { readFile } from 'node:fs/promises'
import { expect, test, type Page } from '@playwright/test'
import sharp from 'sharp'
import { politicalStatus } from '../contract/core/codes/school.ts'
import { studentApi } from '../contract/school/people/students.calls.ts'
import { signIn } from '../server/testing/client.ts'
import { batch } from './actions.ts'
import { fact, field, formItem, notice, row, tab } from './locators.ts'
import { choose, classOf, done, gradeOf, open, shown, signedIn } from './support.ts'

/**
 * Looking after students: adding, editing, finding, looking into them, and what may not be done. Steps build on each
 * other.
 */
test.describe.configure({ mode: 'serial' })

// made up, with the right check character: a man born on 1990-03-07
const idCard = '110105199003078510'
const [number, phone] = ['2026990001', '13812345678']
const students = '/personnelAdmin/studentAdmin'

/** Leaves a form in which something was typed, and says that it may go. */
async function giveUp(page: Page): Promise<void> {
  await page.getByRole('button', { name: '取消', exact: true }).click()
  await page
    .getByRole('dialog', { name: '放弃未保存的内容？' })
    .getByRole('button', { name: '放弃', exact: true })
    .click()
  await expect(shown(page.getByRole('heading', { level: 1, name: '学生管理' }))).toBeVisible()
}

test('a student is added with papers that fill in birth and sex, and a photo cut to shape', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await open(page, students)
  await page
    .getByRole('link', { name: '新增学生' })
    .or(page.getByRole('button', { name: '新增学生' }))
    .first()
    .click()
  // the list has a field whose label begins alike
  await expect(shown(page.getByRole('heading', { level: 1, name: '新增学生' }))).toBeVisible()
  await field(page, '姓名').fill('李雷测试')
  await field(page, '学号').fill(number)
  await field(page, '证件号码').fill(idCard)
  await expect(page.getByText('已按证件号码填写出生日期与性别')).toBeVisible()
  await expect(field(page, '出生日期')).toHaveValue('1990-03-07')
  await expect(page.getByRole('radio', { name: '男', exact: true })).toBeChecked()
  await page.getByRole('button', { name: '撤销', exact: true }).click()
  await expect(field(page, '出生日期')).toHaveValue('')
  await field(page, '证件号码').fill('')
  await field(page, '证件号码').fill(idCard)
  await expect(field(page, '出生日期')).toHaveValue('')
  await field(page, '出生日期').fill('1990-03-08')
  await field(page, '出生日期').press('Enter')
  await expect(page.getByText('证件号码表明出生日期 1990-03-07')).toBeVisible()
  await page.getByRole('button', { name: '按证件号码填写' }).click()
  await expect(field(page, '出生日期')).toHaveValue('1990-03-07')
  await choose(page, field(page, '政治面貌'), '共青团员')

  const picture = await sharp({ create: { width: 400, height: 400, channels: 3, background: '#3060c0' } })
    .png()
    .toBuffer()
  await page
    .locator('.uploads-image input[type=file]')
    .setInputFiles({ name: '证件照.png', mimeType: 'image/png', buffer: picture })
  await page.getByRole('button', { name: '使用此图' }).click()
  await expect(page.locator('.uploads-image img.stored-image')).toBeVisible()

  await choose(page, field(page, '学院'), '计算机科学与技术学院')
  await choose(page, field(page, '专业'), '软件工程')
  await choose(page, field(page, '年级'), `${gradeOf(2)}级`)
  await choose(page, field(page, '班级'), classOf('软工', 2))
  await field(page, '手机号').fill(phone)
  await field(page, '邮箱').fill('lilei@example.com')
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await expect(shown(page.getByRole('heading', { level: 1, name: /李雷测试/ }))).toBeVisible()
  await expect(page.getByRole('img', { name: '李雷测试的照片' })).toBeVisible()
  await done(page)
})

test('the same person a second time is hinted at, and the number is refused at its field', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await open(page, `${students}/add`)
  await field(page, '姓名').fill('李雷测试')
  await field(page, '学号').fill(number)
  await field(page, '出生日期').fill('1990-03-07')
  await field(page, '出生日期').press('Enter')
  const hint = page.getByRole('alert').filter({ hasText: '已有同名且出生日期相同的人员' })
  await expect(hint.getByRole('link', { name: '李雷测试' })).toBeVisible()
  await choose(page, field(page, '学院'), '计算机科学与技术学院')
  await choose(page, field(page, '专业'), '软件工程')
  await choose(page, field(page, '年级'), `${gradeOf(2)}级`)
  await choose(page, field(page, '班级'), classOf('软工', 2))
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await expect(formItem(page, '学号').getByText(`学号“${number}”已存在`)).toBeVisible()
  // leaving what was typed asks
  await giveUp(page)
  await done(page)
})

test('what is taken up again after a reload says that papers and phones were not kept, and is gone once given up', async ({
  browser,
}) => {
  const page = await signedIn(browser, 'admin')
  page.on('dialog', (dialog) => void dialog.accept())
  await open(page, `${students}/add`)
  await field(page, '姓名').fill('韩梅测试')
  await field(page, '手机号').fill('13812340000')
  await expect
    .poll(() => page.evaluate(() => Object.keys(localStorage).some((key) => key.endsWith(':student:new'))))
    .toBe(true)
  await page.reload()
  const offer = page.getByRole('alert').filter({ hasText: '未提交的内容' })
  await expect(offer).toContainText('证件、电话等敏感内容未保存在本机，恢复后请重新填写')
  await offer.getByRole('button', { name: '恢复', exact: true }).click()
  await expect(field(page, '姓名')).toHaveValue('韩梅测试')
  await expect(field(page, '手机号')).toHaveValue('')
  await giveUp(page)
  await open(page, `${students}/add`)
  await expect(field(page, '姓名')).toHaveValue('')
  await expect(offer).toHaveCount(0)
  await done(page)
})

test('an edit keeps what is masked unless it is filled in anew', async ({ browser, baseURL }) => {
  const page = await signedIn(browser, 'admin')
  await open(page, `${students}?search=${number}`)
  await row(page, number).getByRole('link', { name: '编辑', exact: true }).click()
  await expect(field(page, '证件号码')).toHaveValue('110***********8510')
  await expect(field(page, '出生日期')).toHaveValue('****-**-**')
  const [phoneItem, mailItem] = [formItem(page, '手机号'), formItem(page, '邮箱')]
  await phoneItem.getByRole('button', { name: '修改' }).click()
  await field(page, '手机号').fill('13900001111')
  await mailItem.getByRole('button', { name: '修改' }).click()
  // its own: that of the phone is already there
  await mailItem.getByRole('button', { name: '保留原内容' }).click()
  await field(page, '特长').fill('篮球')
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await expect(fact(page, '手机号')).toContainText('139****1111')
  await expect(fact(page, '邮箱')).toContainText('l***@example.com')
  await expect(fact(page, '特长')).toHaveText('篮球')
  const admin = await signIn(baseURL!, 'demo', 'admin', 'Demo-2026')
  const { records } = await admin.send(studentApi.list, { search: number })
  expect(await admin.send(studentApi.detail, { id: records[0]!.suId })).toMatchObject({
    suiIdCard: '110***********8510',
    birth: '****-**-**',
    suiPolitical: politicalStatus.leagueMember,
  })
  await done(page)
})

test('sensitive facts are opened with a reason, hidden when the tab is left, and on record', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await open(page, `${students}?search=${number}`)
  await row(page, number).getByRole('link', { name: '李雷测试' }).click()
  await page.getByRole('button', { name: '查看证件号码' }).click()
  const dialog = page.getByRole('dialog', { name: '查看敏感信息' })
  await dialog.getByRole('checkbox', { name: '出生日期' }).check()
  await dialog.getByLabel('查看原因').fill('看看')
  await dialog.getByRole('button', { name: '查看', exact: true }).click()
  await expect(dialog.getByText('查看原因不能少于 5 个字')).toBeVisible()
  await dialog.getByLabel('查看原因').fill('核对奖学金名单')
  await dialog.getByRole('button', { name: '查看', exact: true }).click()
  await expect(fact(page, '证件号码')).toContainText(idCard)
  await expect(fact(page, '出生日期')).toContainText('1990-03-07')
  await expect(fact(page, '手机号')).toContainText('139****1111')
  await page.getByRole('button', { name: '隐藏出生日期' }).click()
  await expect(fact(page, '出生日期')).toContainText('****-**-**')

  await tab(page, '动态').click()
  const entry = shown(page.locator('.timeline li').filter({ hasText: '查看敏感信息' }))
  await expect(entry).toContainText('核对奖学金名单')
  await expect(entry).toContainText('证件号码、出生日期')
  await tab(page, '基本信息').click()

  await page.getByRole('button', { name: '查看证件号码' }).click()
  await dialog.getByLabel('查看原因').fill('核对奖学金名单')
  await dialog.getByRole('button', { name: '查看', exact: true }).click()
  await expect(fact(page, '证件号码')).toContainText(idCard)
  const tabs = page.getByRole('tablist', { name: /标签/ }).or(page.locator('.tab-bar'))
  await tabs.getByText('学生管理', { exact: true }).first().click()
  await expect(shown(page.getByRole('heading', { level: 1, name: '学生管理' }))).toBeVisible()
  await tabs.getByText('李雷测试').first().click()
  await expect(fact(page, '证件号码')).toContainText('110***********8510')
  await done(page)
})

test('a student is found by the whole phone number, and by filters that hold only what lists show', async ({
  browser,
}) => {
  const page = await signedIn(browser, 'admin')
  await open(page, students)
  await page.getByRole('button', { name: '按号码查找' }).click()
  const dialog = page.getByRole('dialog', { name: '按号码查找人员' })
  await dialog.getByLabel('号码', { exact: false }).last().fill('13900002222')
  await dialog.getByRole('button', { name: '查找', exact: true }).click()
  await expect(dialog.getByText('没有找到符合的人员')).toBeVisible()
  await dialog.getByLabel('号码', { exact: false }).last().fill('13900001111')
  await dialog.getByRole('button', { name: '查找', exact: true }).click()
  await expect(dialog.getByRole('link', { name: '李雷测试' })).toBeVisible()
  await dialog.getByRole('button', { name: '关闭', exact: true }).last().click()
  expect(page.url()).not.toContain('13900001111')

  await field(page, '姓名或学号').fill(phone)
  await field(page, '姓名或学号').press('Enter')
  await expect(shown(page.getByText('没有符合条件的数据'))).toBeVisible()
  await page.getByRole('button', { name: '重置', exact: true }).click()
  await choose(page, field(page, '学院', true), '计算机科学与技术学院')
  await choose(page, field(page, '专业', true), '软件工程')
  await choose(page, field(page, '班级', true), classOf('软工', 2))
  await page.getByRole('button', { name: '更多筛选' }).click()
  await choose(page, field(page, '政治面貌', true), '共青团员')
  await field(page, '诚信分最低').fill('100')
  await field(page, '诚信分最低').press('Enter')
  await field(page, '姓名或学号').fill('李雷')
  await field(page, '姓名或学号').press('Enter')
  await expect(row(page, number)).toBeVisible()
  await expect(page).toHaveURL(/credibilityMin=100/)
  await page.reload()
  await expect(row(page, number)).toBeVisible()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    shown(page.getByRole('button', { name: /导出$/ })).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^学生_\d{4}-\d\d-\d\d\.xlsx$/)
  await shown(page.getByRole('button', { name: '文件格式' })).click()
  const [plain] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'CSV 文本（.csv）' }).click(),
  ])
  expect(plain.suggestedFilename()).toMatch(/^学生_\d{4}-\d\d-\d\d_admin\.csv$/)
  expect(await readFile((await plain.path())!, 'utf8')).toContain(number)
  await done(page)
})

test('accounts are switched off and on again in a batch', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await open(page, `${students}?search=${number}`)
  await shown(page.getByRole('checkbox', { name: '选择李雷测试' })).check()
  await page.locator('.batch-bar').getByRole('button', { name: '停用账号' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '停用账号', exact: true }).click()
  await expect(row(page, number)).toContainText('停用')
  await notice(page, '已停用 1 个账号').getByRole('button', { name: '撤销' }).click()
  await expect(notice(page, '已撤销')).toBeVisible()
  await expect(row(page, number)).not.toContainText('停用')
  await shown(page.getByRole('checkbox', { name: '选择李雷测试' })).check()
  await batch(page, '停用账号')
  await expect(notice(page, '已停用 1 个账号')).toBeVisible()
  await expect(row(page, number)).toContainText('停用')
  await shown(page.getByRole('checkbox', { name: '选择李雷测试' })).check()
  await page.locator('.batch-bar').getByRole('button', { name: '启用账号' }).click()
  await expect(notice(page, '已启用 1 个账号')).toBeVisible()
  await expect(row(page, number)).not.toContainText('停用')
  await done(page)
})

test('the tabs of a student show courses, supplement records, the ledger with its calculation, and roles', async ({
  browser,
  baseURL,
}) => {
  const admin = await signIn(baseURL!, 'demo', 'admin', 'Demo-2026')
  const { records } = await admin.send(studentApi.list, { pageSize: 200 })
  const details = await Promise.all(records.slice(0, 40).map(({ suId }) => admin.send(studentApi.detail, { id: suId })))
  const busy = details.find(({ totalHours }) => Number(totalHours) > 0)!
  const page = await signedIn(browser, 'admin')
  await open(page, `${students}/detail?suId=${busy.suId}`)
  await tab(page, '学分台账').click()
  const entry = shown(page.getByRole('row').filter({ hasText: '有效' }))
  await entry.getByRole('button', { name: /展开|Expand/ }).click()
  await expect(shown(page.locator('.ledger-explain'))).toContainText(/学时/)
  await tab(page, '课程').click()
  await expect(shown(page.getByLabel('报名状态'))).toBeVisible()
  await tab(page, '补录').click()
  await expect(shown(page.getByRole('columnheader', { name: '获得日期' }))).toBeVisible()
  // what an entry of the ledger was granted for is a click away
  await tab(page, '学分台账').click()
  const name = shown(page.getByRole('row').filter({ hasText: '有效' }))
    .first()
    .getByRole('link')
    .first()
  const granted = (await name.textContent())!
  await name.click()
  await expect(shown(page.getByRole('heading', { level: 1 }))).toContainText(granted)
  await page.goBack()
  await tab(page, '角色').click()
  await expect(page).toHaveURL(/tab=roles/)
  await expect(shown(page.getByRole('columnheader', { name: '管理范围' }).or(page.getByText('没有角色')))).toBeVisible()
  await done(page)
})

test('whoever has business records is not removed: the refusal says why and offers to stop the account', async ({
  browser,
  baseURL,
}) => {
  const admin = await signIn(baseURL!, 'demo', 'admin', 'Demo-2026')
  const { records } = await admin.send(studentApi.list, { pageSize: 200 })
  const details = await Promise.all(records.slice(0, 40).map(({ suId }) => admin.send(studentApi.detail, { id: suId })))
  const busy = details.findLast(({ totalHours }) => Number(totalHours) > 0)!
  const page = await signedIn(browser, 'admin')
  await open(page, `${students}?suiNumber=${busy.suiNumber}`)
  await shown(page.getByRole('checkbox', { name: `选择${busy.suiName}` })).check()
  await page.locator('.batch-bar').getByRole('button', { name: '删除', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: '删除', exact: true }).click()
  await expect(
    notice(page, new RegExp(`${busy.suiName} 已有.*学分记录 \\d+ 条，不能删除；可改为停用账号`)),
  ).toBeVisible()
  await notice(page, `“${busy.suiName}”可改为停用账号`).getByRole('button', { name: '停用账号' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '停用账号', exact: true }).click()
  await expect(notice(page, '已停用 1 个账号')).toBeVisible()

  await open(page, `${students}?search=${number}`)
  await shown(page.getByRole('checkbox', { name: '选择李雷测试' })).check()
  await batch(page, '删除')
  await expect(shown(page.getByText('没有符合条件的数据'))).toBeVisible()
  await done(page)
})
