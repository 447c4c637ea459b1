import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test, type Page } from '@playwright/test'
import { fileOf } from '../server/core/sheets/fixtures/craft.ts'
import { readSheet } from '../server/core/sheets/read-sheet.ts'
import { faultyCases, rowOfCase } from '../server/school/people/fixtures/faulty-students.ts'
import { choose, done, importFile, open, shown, signedIn } from './support.ts'

/**
 * A college and everything about it, from files that LibreOffice saved: each kind of import once through the wizard.
 * Steps build on each other; in the end all of it is taken back.
 */
test.describe.configure({ mode: 'serial' })

const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url))
const wizard = (page: Page) => page.getByRole('dialog', { name: /^批量导入/ })
const begin = async (page: Page, path: string, button = '批量导入') => {
  await open(page, path)
  await shown(page.getByRole('button', { name: button })).click()
  await expect(wizard(page).getByText('点击或拖入文件')).toBeVisible()
}
const verdict = (page: Page, name: string) =>
  wizard(page)
    .getByRole('group', { name: '结论' })
    .getByRole('button', { name: new RegExp(`^${name}`) })

const kinds = [
  { name: 'colleges', path: '/personnelAdmin/academyAdmin', file: 'colleges.xlsx', rows: 2, finds: '数智学院' },
  { name: 'majors', path: '/personnelAdmin/professionalAdmin', file: 'majors.xlsx', rows: 3, finds: '数据科学' },
  {
    name: 'departments, one below another of the file',
    path: '/personnelAdmin/departmentForm',
    button: '导入部门',
    file: 'departments.xlsx',
    rows: 2,
    finds: '数智中心',
  },
  { name: 'teachers', path: '/personnelAdmin/teacherAdmin', file: 'teachers.xlsx', rows: 2, finds: '陈思齐' },
  {
    name: 'classes with their counselor',
    path: '/personnelAdmin/classAdmin',
    file: 'classes.xlsx',
    rows: 4,
    finds: '智科2401',
  },
  {
    name: 'members of departments',
    path: '/personnelAdmin/departmentForm',
    button: '导入成员',
    file: 'department-users.xlsx',
    rows: 2,
  },
  { name: 'members of roles', path: '/personnelAdmin/memberAdmin', file: 'role-users.xlsx', rows: 2 },
]

test('a college and everything around it is imported, kind by kind', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  for (const { name, path, button, file, rows, finds } of kinds) {
    await test.step(name, async () => {
      await begin(page, path, button)
      await importFile(page, fixture(file), rows)
      await expect(wizard(page)).toBeHidden()
      if (finds) await expect(shown(page.getByText(finds))).toBeVisible()
    })
  }
  await done(page)
})

test('students from a list that another program exported in GB18030: columns are matched once, then known', async ({
  browser,
}) => {
  const page = await signedIn(browser, 'admin')
  await begin(page, '/personnelAdmin/studentAdmin')
  await page.getByLabel('选择文件').setInputFiles(fixture('students-exported.csv'))
  await expect(wizard(page).getByText('的表头与模板不同')).toBeVisible()
  await expect(wizard(page).getByText('学生编号')).toBeVisible()
  await expect(wizard(page).getByText('2024700001、2024700002、2024700003')).toBeVisible()
  // what could not be guessed is chosen; the room is not imported
  for (const [column, field] of [
    ['A 列“学生编号”', '学号 *'],
    ['B 列“中文姓名”', '姓名 *'],
    ['C 列“性别代码名称”', '性别 *'],
    ['D 列“院（系）”', '学院 *'],
    ['E 列“专业全称”', '专业 *'],
    ['F 列“行政班级”', '班级 *'],
    ['G 列“入学年份”', '年级 *'],
    ['I 列“联系方式”', '手机'],
  ] as const) {
    const select = page.getByLabel(`${column}对应字段`)
    if (!(await select.locator('xpath=ancestor::*[contains(@class,"ant-select")][1]').innerText()).includes(field))
      await choose(page, select, field)
  }
  await wizard(page).getByRole('button', { name: '开始检查' }).click()
  await expect(verdict(page, '新增')).toContainText('12')
  await wizard(page).getByRole('button', { name: '导入 12 行' }).click()
  await expect(wizard(page).getByRole('heading', { name: '已导入 12 行' })).toBeVisible()
  await wizard(page).getByRole('button', { name: '继续导入' }).click()
  await page.getByLabel('选择文件').setInputFiles(fixture('students-exported.csv'))
  await expect(wizard(page).getByText('已按指定的列读取。')).toBeVisible()
  await expect(verdict(page, '未变')).toContainText('12')
  await wizard(page).getByRole('button', { name: '退出' }).click()
  await page.getByRole('button', { name: '放弃导入' }).click()
  await expect(wizard(page)).toBeHidden()
  await done(page)
})

test('a file with every kind of fault is mended in place, downloaded, imported in part and found again', async ({
  browser,
}) => {
  const page = await signedIn(browser, 'admin')
  await begin(page, '/personnelAdmin/studentAdmin')
  await page.getByLabel('选择文件').setInputFiles(fixture('students-faults.xlsx'))
  await expect(verdict(page, '错误')).toHaveAttribute('aria-pressed', 'true')
  const faults = Number((await verdict(page, '错误').innerText()).replace(/\D/g, ''))

  // a cell is mended with the keyboard alone
  await wizard(page).getByTitle('2', { exact: true }).click()
  const nation = wizard(page).getByRole('button', { name: /民族：火星，没有名为“火星”的民族，点击修改/ })
  await nation.focus()
  await page.keyboard.press('Enter')
  const row = rowOfCase(faultyCases.findIndex(({ what }) => what === 'unknown nation'))
  await page.getByLabel(`第 ${row} 行民族`).fill('汉族')
  await page.keyboard.press('Enter')
  await expect(verdict(page, '错误')).toContainText(String(faults - 1))

  await wizard(page).getByTitle('1', { exact: true }).click()
  await wizard(page).getByRole('button', { name: '跳过第 3 行' }).click()
  await expect(verdict(page, '跳过')).toContainText('1')
  await expect(verdict(page, '错误')).toContainText(String(faults - 2))

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    wizard(page).getByRole('button', { name: '下载错误明细' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('学生错误明细.xlsx')
  const { lines } = await readSheet(fileOf(readFileSync((await download.path())!)))
  expect(lines[0]!.cells.slice(-1)).toEqual(['错误原因'])
  expect(
    lines.some(
      ({ cells }) => cells.includes('没有名为“考古学”的专业') || cells.at(-1)?.includes('没有名为“考古学”的专业'),
    ),
  ).toBe(true)

  await wizard(page)
    .getByRole('button', { name: /^跳过 \d+ 行，导入 \d+ 行$/ })
    .click()
  await expect(wizard(page).getByRole('heading', { name: /^已导入 \d+ 行$/ })).toBeVisible()
  await wizard(page).getByRole('button', { name: '导入记录' }).click()
  await expect(wizard(page).getByRole('listitem').first()).toContainText('students-faults.xlsx')
  await expect(wizard(page).getByRole('listitem').first()).toContainText('已导入')
  await done(page)

  const list = await signedIn(browser, 'admin')
  await open(list, '/personnelAdmin/studentAdmin?suiNumber=0024600042')
  await expect(shown(list.getByRole('cell', { name: '0024600042' }))).toBeVisible()
  await done(list)
})

test('an import is taken back from the list of imports; what stands in the way is told', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await begin(page, '/personnelAdmin/academyAdmin')
  await wizard(page).getByRole('button', { name: '导入记录' }).click()
  await wizard(page).getByRole('listitem').first().getByRole('button', { name: '撤销' }).click()
  await page
    .getByRole('button', { name: /^撤\s?销$/ })
    .last()
    .click()
  await expect(wizard(page).getByText(/不能撤销：学院“.*”已在使用/)).toBeVisible()
  await done(page)

  const students = await signedIn(browser, 'admin')
  await begin(students, '/personnelAdmin/studentAdmin')
  await wizard(students).getByRole('button', { name: '导入记录' }).click()
  for (const file of ['students-faults.xlsx', 'students-exported.csv']) {
    const item = wizard(students).getByRole('listitem').filter({ hasText: file }).filter({ hasText: '已导入' }).first()
    await item.getByRole('button', { name: '撤销' }).click()
    await students
      .getByRole('button', { name: /^撤\s?销$/ })
      .last()
      .click()
    await expect(
      wizard(students).getByRole('listitem').filter({ hasText: file }).filter({ hasText: '已撤销' }).first(),
    ).toBeVisible()
  }
  await done(students)
})

test('a long check shows how far it is, goes on when the window is closed, and is found again', async ({
  browser,
}, info) => {
  const rows = Array.from(
    { length: 50_000 },
    (_, at) => `2024${String(800_000 + at)},同学${at},男,不存在的学院,智能科学,智科2401,2024`,
  )
  const file = info.outputPath('五万人.csv')
  writeFileSync(file, `\ufeff${['学号,姓名,性别,学院,专业,班级,年级', ...rows].join('\r\n')}`)
  const page = await signedIn(browser, 'admin')
  await begin(page, '/personnelAdmin/studentAdmin')
  await page.getByLabel('选择文件').setInputFiles(file)
  await expect(wizard(page).getByText(/正在读取并检查“五万人.csv”.*已完成 \d+ %/)).toBeVisible()
  await wizard(page).getByRole('button', { name: '后台继续' }).click()
  await expect(wizard(page)).toBeHidden()
  await shown(page.getByRole('button', { name: '批量导入' })).click()
  await wizard(page).getByRole('button', { name: '导入记录' }).click()
  const item = wizard(page).getByRole('listitem').filter({ hasText: '五万人.csv' })
  await expect(item.getByText('待导入')).toBeVisible({ timeout: 100_000 })
  await expect(item).toContainText('共 50,000 行：错误 50,000 行')
  await item.getByRole('button', { name: '继续' }).click()
  await expect(verdict(page, '错误')).toContainText('50,000')
  await expect(wizard(page).getByRole('button', { name: /导入 0 行/ })).toBeDisabled()
  await wizard(page).getByRole('button', { name: '退出' }).click()
  await page.getByRole('button', { name: '放弃导入' }).click()
  await expect(wizard(page)).toBeHidden()
  await done(page)
})

test('works on a phone, and a begun import is offered again', async ({ browser }) => {
  const page = await signedIn(browser, 'admin', { viewport: { width: 390, height: 844 } })
  await begin(page, '/personnelAdmin/studentAdmin')
  await page.getByLabel('选择文件').setInputFiles(fixture('students-faults.xlsx'))
  await wizard(page).getByTitle('2', { exact: true }).click()
  const card = wizard(page).getByRole('listitem').filter({ hasText: '没有名为“火星”的民族' })
  await card.getByRole('button', { name: /民族：火星/ }).click()
  await page.getByLabel(/^第 \d+ 行民族$/).fill('汉族')
  await page.keyboard.press('Enter')
  await expect(card).toBeHidden()
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
  await wizard(page).getByRole('button', { name: '退出' }).click()
  await page.getByRole('button', { name: '保留并关闭' }).click()
  await expect(wizard(page)).toBeHidden()
  await shown(page.getByRole('button', { name: '批量导入' })).click()
  await expect(wizard(page).getByText('有一次导入尚未结束：students-faults.xlsx（待导入）')).toBeVisible()
  await wizard(page).getByRole('button', { name: '继续', exact: true }).click()
  await expect(verdict(page, '错误')).toBeVisible()
  await done(page)
})
