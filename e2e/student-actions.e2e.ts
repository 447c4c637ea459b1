import { readFile } from 'node:fs/promises'
import { expect, test, type Locator, type Page } from '@playwright/test'
import { dataScope, studentStatus } from '../contract/core/codes/school.ts'
import { personErasureApi } from '../contract/outcomes/graduation/person-erasure.calls.ts'
import { passwordApi } from '../contract/school/people/passwords.calls.ts'
import { studentApi } from '../contract/school/people/students.calls.ts'
import { teacherApi } from '../contract/school/people/teachers.calls.ts'
import { memberApi } from '../contract/school/roles/members.calls.ts'
import { roleApi } from '../contract/school/roles/roles.calls.ts'
import { fileOf } from '../server/core/sheets/fixtures/craft.ts'
import { readSheet } from '../server/core/sheets/read-sheet.ts'
import { signIn } from '../server/testing/client.ts'
import { choose, dayAfter, done, fillLogin, newPage, open, shown, signedIn, travel, travelTo } from './support.ts'

/**
 * What happens to students beside their courses: credibility lost and given back, broken promises, scores taken away on
 * paper, graduation and its undoing.
 */

const list = '/personnelAdmin/studentAdmin'
const dialogOf = (page: Page) => page.getByRole('dialog').filter({ visible: true })

/** Asks the service as the signed-in person: where a journey needs to know whom it meets. */
const ask = <T>(page: Page, path: string, body?: object): Promise<T> =>
  page.evaluate(
    async ([to, json]) => {
      const { content } = JSON.parse(localStorage.getItem('accessToken') ?? '{}') as { content: string }
      const answer = await fetch(`/api/schoolbase${to}`, {
        method: json ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${content}`, 'content-type': 'application/json' },
        ...(json && { body: json }),
      })
      return ((await answer.json()) as { data: unknown }).data as never
    },
    [path, body && JSON.stringify(body)] as const,
  )

interface Student {
  suId: string
  suiName: string
  suiNumber: string
}

/** Opens a row's acts behind 更多 and takes one. */
async function rowAction(page: Page, { suiNumber, suiName }: Student, name: string): Promise<void> {
  await open(page, `${list}?search=${suiNumber}`)
  await shown(page.getByRole('button', { name: `${suiName}的更多操作` })).click()
  await page.getByRole('menuitem', { name }).click()
}

const detail = (page: Page, suId: string, tab: string) => open(page, `${list}/detail?suId=${suId}&tab=${tab}`)
const row = (page: Page, text: string): Locator => shown(page.getByRole('row').filter({ hasText: text }))

/** A workbook that a button gives, as records by head. */
async function sheetOf(page: Page, press: () => Promise<void>): Promise<Record<string, string>[]> {
  const [file] = await Promise.all([page.waitForEvent('download'), press()])
  const {
    lines: [headers, ...lines],
  } = await readSheet(fileOf(await readFile(await file.path())))
  return lines.map(({ cells }) =>
    Object.fromEntries(headers!.cells.map((header, at) => [String(header), String(cells[at] ?? '')])),
  )
}

test('credibility is taken with a reason, told, and given back once', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  const {
    records: [student],
  } = await ask<{ records: Student[] }>(page, '/sysUserInfo/studentUserInfoList', {
    pageSize: 1,
    suiStatus: studentStatus.enrolled,
    sort: 'suiNumber',
    order: 'desc',
  })
  await rowAction(page, student!, '调整诚信分')
  const dialog = dialogOf(page)
  await dialog.getByRole('textbox', { name: '分值' }).fill('5')
  await choose(page, dialog.getByRole('combobox', { name: '原因类别' }), '虚假参与')
  await dialog.getByRole('textbox', { name: '原因' }).fill('代签')
  await dialog.getByRole('button', { name: '调整诚信分' }).click()
  await expect(dialog.getByText('原因不能少于 5 个字')).toBeVisible()
  await dialog.getByRole('textbox', { name: '原因' }).fill('讲座中为他人代签到')
  await dialog.getByRole('button', { name: '调整诚信分' }).click()
  await expect(page.getByText('诚信分已调整')).toBeVisible()

  await detail(page, student!.suId, 'credibility')
  await expect(shown(page.getByText('当前诚信分 95 / 100'))).toBeVisible()
  await expect(row(page, '讲座中为他人代签到')).toContainText('虚假参与')
  await row(page, '讲座中为他人代签到').getByRole('button', { name: '恢复' }).click()
  await dialogOf(page).getByRole('textbox').fill('经查证系同名误记')
  await dialogOf(page).getByRole('button', { name: '恢复', exact: true }).click()
  await expect(page.getByText('已恢复 5 分')).toBeVisible()
  await expect(shown(page.getByText('当前诚信分 100 / 100'))).toBeVisible()
  await expect(row(page, '讲座中为他人代签到')).toContainText('已恢复')
  await expect(row(page, '讲座中为他人代签到').getByRole('button', { name: '恢复' })).toHaveCount(0)
  await done(page)
})

test('an absence costs a point when its course is completed, and the whole course is forgiven', async ({ browser }) => {
  const before = await signedIn(browser, 'admin')
  const { records: courses } = await ask<{ records: { liId: string; liName: string; liPublictyEdate: string }[] }>(
    before,
    '/lessonsInfoAC/view?liStatus=60&pageSize=50',
  )
  let course: (typeof courses)[number] | undefined
  let absent: Student | undefined
  for (const one of courses) {
    const { records } = await ask<{ records: Student[] }>(
      before,
      `/lessonsApplyInfo/view?liId=${one.liId}&laStatus=1&laSignStatus=5&pageSize=1`,
    )
    if (records[0]) [course, absent] = [one, records[0]]
    if (absent) break
  }
  expect(absent, 'a course in public notice with an absentee').toBeDefined()
  // a course waits for the end of what is asked about it
  const { records: questions } = await ask<{ records: { qId: string }[] }>(
    before,
    `/lessonsQuestion/list?liId=${course!.liId}&qStatus=0,5`,
  )
  if (questions.length > 0)
    await ask(before, '/lessonsQuestion/decline', {
      qIds: questions.map(({ qId }) => qId),
      opinion: '所述内容与记录不符',
    })
  await before.context().close()
  await travelTo(`${dayAfter(course!.liPublictyEdate, 1)} 08:00:00`)

  const page = await signedIn(browser, 'admin')
  await expect
    .poll(
      () =>
        ask<{ liStatus: string }>(page, `/lessonsInfoAC/queryLessonsDetails?liId=${course!.liId}`).then(
          ({ liStatus }) => liStatus,
        ),
      { timeout: 90_000 },
    )
    .toBe('70')
  await rowAction(page, absent!, '爽约记录')
  const drawer = dialogOf(page)
  await expect(drawer.getByText(`${absent!.suiName}（${absent!.suiNumber}）的爽约记录`)).toBeVisible()
  await expect(
    drawer.getByRole('row').filter({ hasText: course!.liName }).getByText('-1', { exact: true }),
  ).toBeVisible()

  await open(page, `/courseManagement/detailCurriculumList?liId=${course!.liId}`)
  await shown(page.getByRole('button', { name: '恢复诚信分' })).click()
  await expect(dialogOf(page).getByText(absent!.suiName)).toBeVisible()
  await dialogOf(page).getByRole('textbox', { name: '恢复原因' }).fill('活动时间临时提前，通知未送达')
  await dialogOf(page).getByRole('button', { name: '恢复', exact: true }).click()
  await expect(page.getByText('诚信分已恢复')).toBeVisible()

  await detail(page, absent!.suId, 'breakLessons')
  await expect(row(page, course!.liName)).toContainText('已恢复')
  await open(page, list)
  await shown(page.locator('.page-tools').getByRole('button', { name: '更多' })).click()
  await page.getByRole('menuitem', { name: '按课程恢复诚信分' }).click()
  await dialogOf(page).getByRole('combobox').fill(course!.liName.slice(0, 6))
  await shown(page.locator('.ant-select-item-option').filter({ hasText: course!.liName })).click()
  await expect(dialogOf(page).getByText('该课程没有可恢复的扣分')).toBeVisible()
  await page.context().close()
})

test('the scores of a class leave as a workbook that says what the transcripts say', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  const {
    records: [first],
  } = await ask<{ records: { scClassId: string; suiCollegeId: string; majorId: string }[] }>(
    page,
    '/sysUserInfo/studentUserInfoList',
    { pageSize: 1 },
  )
  const answer = await ask<{ total: number; records: (Student & { totalHours: string; totalCredit: string })[] }>(
    page,
    '/transcript/getTranscriptList',
    { classId: first!.scClassId, pageSize: 200 },
  )
  await open(
    page,
    `${list}?suiCollegeId=${first!.suiCollegeId}&majorId=${first!.majorId}&scClassId=${first!.scClassId}`,
  )
  await shown(page.locator('.page-tools').getByRole('button', { name: '更多' })).click()
  await page.getByRole('menuitem', { name: '导出学生成绩' }).click()
  await expect(dialogOf(page).getByText(`符合当前条件的 ${answer.total} 名学生`)).toBeVisible()
  const rows = await sheetOf(page, () => dialogOf(page).getByRole('button', { name: '导出', exact: true }).click())
  expect(rows.map((one) => [one['学号'], one['合计学时'], one['合计学分']])).toEqual(
    answer.records.map(({ suiNumber, totalHours, totalCredit }) => [suiNumber, totalHours, totalCredit]),
  )
  expect(rows.some((one) => Number(one['合计学时']) > 0)).toBe(true)

  // the same from the ticks, for all that the filters find: nothing that is offered for a page is missing for all
  await open(page, `${list}?scClassId=${first!.scClassId}&pageSize=10`)
  const bar = page.locator('.batch-bar').filter({ visible: true })
  await shown(page.getByRole('checkbox', { name: '全选本页' })).check()
  await bar.getByRole('button', { name: `选择全部 ${answer.total} 条` }).click()
  await expect(bar).toContainText(`已选符合条件的全部 ${answer.total} 条`)
  for (const name of ['调整诚信分', '导出学生成绩', '重置密码', '打印账号激活单', '保留信息'])
    await expect(bar.getByRole('button', { name })).toBeVisible()
  await bar.getByRole('button', { name: '导出学生成绩' }).click()
  await expect(dialogOf(page).getByText(`符合条件的全部 ${answer.total} 名学生`)).toBeVisible()
  await page.keyboard.press('Escape')
  await bar.getByRole('button', { name: '重置密码' }).click()
  await expect(dialogOf(page).getByText(`确认重置所选 ${answer.total} 名学生的密码？`)).toBeVisible()
  await page.keyboard.press('Escape')
  await bar.getByRole('button', { name: '保留信息' }).click()
  await expect(dialogOf(page).getByText(`全部 ${answer.total} 名学生`)).toBeVisible()
  await page.keyboard.press('Escape')

  await open(page, `/transcript/transcriptList?search=${answer.records[0]!.suiNumber}`)
  await shown(page.getByRole('button', { name: '导出学生成绩' })).click()
  await dialogOf(page).getByPlaceholder('开始时间').click()
  await shown(page.locator('.ant-picker-presets').getByText('本年')).click()
  const [one, ...others] = await sheetOf(page, () =>
    dialogOf(page).getByRole('button', { name: '导出', exact: true }).click(),
  )
  expect(others).toEqual([])
  expect(one!['姓名']).toBe(answer.records[0]!.suiName)
  await done(page)
})

test('passwords of several students are handed out once, as a workbook', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await open(page, `${list}?sort=suiNumber&order=desc`)
  const boxes = page.getByRole('checkbox', { name: /^选择/ }).filter({ visible: true })
  await boxes.nth(0).check()
  await boxes.nth(1).check()
  await expect(page.getByText('已选 2 项')).toBeVisible()
  await shown(page.locator('.batch-bar').getByRole('button', { name: '重置密码' })).click()
  await dialogOf(page).getByRole('textbox').fill('新生集中发放账号')
  const rows = await sheetOf(page, () => dialogOf(page).getByRole('button', { name: '重置并下载' }).click())
  expect(rows).toHaveLength(2)
  await done(page)
  const student = await newPage(browser, { expectErrors: /40[13]/ })
  await student.goto('/')
  await fillLogin(student, 'demo', rows[0]!['登录账号']!, rows[0]!['一次性密码']!)
  await expect(student.getByRole('heading', { name: '修改密码' })).toBeVisible()
  await student.context().close()
})

test('who may see more students than they may reset the passwords of is told how many are left out', async ({
  browser,
  baseURL,
}) => {
  const admin = await signIn(baseURL!, 'demo', 'admin', 'Demo-2026')
  const [viewer] = await admin.send(teacherApi.search, { search: '吴卫东' })
  const { records } = await admin.send(studentApi.list, { pageSize: 1, sort: 'suiNumber', order: 'asc' })
  const scClassId = records[0]!.scClassId!
  const of = async (filter: object) => (await admin.send(studentApi.list, { ...filter, pageSize: 1 })).total
  const filter = { suiCollegeId: records[0]!.suiCollegeId!, suiGrade: records[0]!.suiGrade! }
  const [all, own] = [await of(filter), await of({ scClassId })]
  expect(all).toBeGreaterThan(own)
  const { srId } = await admin.send(roleApi.save, {
    srName: '密码办理',
    dataScope: dataScope.schoolClass,
    permits: [passwordApi.resetMany.permit],
  })
  await admin.send(memberApi.add, { srId, suIds: [viewer!.suId], scClassIds: [scClassId] })
  const page = await signedIn(browser, 'viewer')
  await open(page, `${list}?${new URLSearchParams({ ...filter, pageSize: '10' })}`)
  await shown(page.getByRole('checkbox', { name: '全选本页' })).check()
  const bar = page.locator('.batch-bar').filter({ visible: true })
  await bar.getByRole('button', { name: `选择全部 ${all} 条` }).click()
  await bar.getByRole('button', { name: '重置密码' }).click()
  await expect(dialogOf(page)).toContainText(`确认重置所选 ${own} 名学生的密码？`)
  await expect(dialogOf(page)).toContainText(`另有 ${all - own} 名不在您可重置密码的范围内，不处理`)
  await done(page)
  await admin.send(memberApi.remove, { srId, suIds: [viewer!.suId] })
  await admin.send(roleApi.remove, { ids: [srId] })
})

test('a student is held back from what is erased of graduates, and let go again', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await open(page, `${list}?sort=suiNumber&order=desc`)
  const first = page.getByRole('row').filter({ has: page.getByRole('checkbox', { name: /^选择/ }) })
  const box = first.first().getByRole('checkbox', { name: /^选择/ })
  const name = (await box.getAttribute('aria-label'))!.replace(/^选择\s*/, '')
  await box.check()
  const bar = page.locator('.batch-bar').filter({ visible: true })
  await bar.getByRole('button', { name: '保留信息' }).click()
  await dialogOf(page).getByRole('textbox').fill('校友会仍需联系')
  await dialogOf(page).getByRole('button', { name: '保留信息', exact: true }).click()
  await expect(page.getByText('已保留 1 名学生的信息')).toBeVisible()
  await open(page, `${list}/graduation?tab=keep`)
  const panel = page.locator('.graduate-erasures')
  await expect(panel).toContainText('毕业满 1 年后删除')
  await expect(panel).toContainText('长期保留。')
  const held = page.getByRole('listitem').filter({ hasText: name })
  await expect(held).toContainText('校友会仍需联系')
  await held.getByRole('button', { name: '取消保留' }).click()
  await dialogOf(page).getByRole('textbox').fill('已经不再需要')
  await dialogOf(page).getByRole('button', { name: '取消保留', exact: true }).click()
  await expect(page.getByText('没有要保留的人员')).toBeVisible()
  await done(page)
})

test('a student who left and asks for it is erased by the number typed, and is listed with when, by whom and why', async ({
  browser,
  baseURL,
}) => {
  const admin = await signIn(baseURL!, 'demo', 'admin', 'Demo-2026')
  const { records: enrolled } = await admin.send(studentApi.list, { suiStatus: studentStatus.enrolled, pageSize: 1 })
  const { suiCollegeId, majorId, scClassId, suiGrade } = enrolled[0]!
  const { suId } = await admin.send(studentApi.save, {
    suiNumber: '2026990017',
    suiName: '易去留',
    suiStatus: studentStatus.withdrawn,
    suiCollegeId: suiCollegeId!,
    majorId: majorId!,
    scClassId: scClassId!,
    suiGrade: suiGrade!,
  })
  const student = await admin.send(personErasureApi.preview, { suId })
  const page = await signedIn(browser, 'admin')
  const ask = async (suId: string) => {
    await detail(page, suId, 'info')
    await shown(page.getByRole('button', { name: /^更多/ })).click()
    await page.getByRole('menuitem', { name: '删除个人信息' }).click()
  }
  const send = dialogOf(page).getByRole('button', { name: '删除个人信息', exact: true })

  await ask(enrolled[0]!.suId)
  await expect(dialogOf(page)).toContainText('学籍状态须先改为毕业或退学')
  await expect(send).toBeDisabled()
  await dialogOf(page).getByRole('button', { name: '取消' }).click()

  await ask(suId)
  await expect(dialogOf(page)).toContainText(`今后显示为“${student.pseudonym}”`)
  await expect(dialogOf(page)).toContainText('姓名和学号：改为化名')
  await expect(dialogOf(page).locator('section').filter({ hasText: '保留原样' })).toContainText(
    '操作日志：依法留存，不可更改，其中的姓名不替换',
  )
  await dialogOf(page).getByRole('textbox', { name: '确认学工号' }).fill('20260000')
  await dialogOf(page).getByRole('textbox', { name: '删除原因' }).fill('本人书面申请，经学校核准')
  await send.click()
  await expect(dialogOf(page)).toContainText('与该人员的学工号不一致')
  await dialogOf(page).getByRole('textbox', { name: '确认学工号' }).fill(student.suiNumber)
  await expect(send).toBeEnabled()
  await send.click()
  await expect(page.getByText(`个人信息已删除，今后显示为“${student.pseudonym}”`)).toBeVisible()
  await expect(shown(page.getByRole('heading', { level: 1, name: student.pseudonym }))).toBeVisible()
  await open(page, `${list}/graduation?tab=keep`)
  await expect(row(page, student.pseudonym)).toContainText('本人书面申请，经学校核准')
  await done(page)
})

test('a year graduates after a preview, and is taken back', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await open(page, list)
  await shown(page.locator('.page-tools').getByRole('button', { name: '更多' })).click()
  await page.getByRole('menuitem', { name: '毕业办理' }).click()
  await expect(shown(page.getByRole('heading', { level: 1, name: '毕业办理' }))).toBeVisible()
  const year = String(Number((await travel(0)).slice(0, 4)) - 3)
  await page.getByRole('checkbox', { name: `${year}级` }).check()
  await page.getByRole('button', { name: '预览毕业名单' }).click()
  const {
    total,
    records: [student],
  } = await ask<{ total: number; records: Student[] }>(page, '/sysUserInfo/studentUserInfoList', {
    suiGrade: year,
    suiStatus: studentStatus.enrolled,
    pageSize: 1,
  })
  await expect(page.locator('.graduation-figures').getByText(`${total} 人`).first()).toBeVisible()
  await expect(row(page, student!.suiNumber)).toContainText('未达标')
  const named = await sheetOf(page, () => page.getByRole('button', { name: '导出名单' }).click())
  expect(named.find((one) => one['学号'] === student!.suiNumber)).toMatchObject({ 是否达标: '未达标', 办理后状态: '' })

  await page.getByRole('button', { name: '下一步' }).click()
  await page.getByRole('radio', { name: /一并毕业/ }).check()
  await page.getByRole('button', { name: '办理毕业', exact: true }).click()
  await expect(page.getByText('请填写确认文字')).toBeVisible()
  await page.getByRole('textbox', { name: '确认文字' }).fill('毕业')
  await expect(page.getByRole('button', { name: '办理毕业', exact: true })).toBeEnabled()
  await page.getByRole('button', { name: '办理毕业', exact: true }).click()
  await expect(page.getByText('未达标学生一并毕业，请输入“全部毕业”确认').first()).toBeVisible()
  await page.getByRole('textbox', { name: '确认文字' }).fill('全部毕业')
  await expect(page.getByRole('button', { name: '办理毕业', exact: true })).toBeEnabled()
  await page.getByRole('button', { name: '办理毕业', exact: true }).click()
  await expect(page.getByRole('heading', { name: `已办理 ${total} 名学生毕业` })).toBeVisible()

  await detail(page, student!.suId, 'info')
  await expect(shown(page.getByText('毕业', { exact: true }))).toBeVisible()
  await open(page, `${list}/graduation?tab=batches`)
  const batch = row(page, `${total} 人`)
  await expect(batch).toContainText('已办理')
  await batch.getByRole('button', { name: '撤销' }).click()
  await dialogOf(page).getByRole('textbox').fill('演练结束，恢复原状')
  await dialogOf(page).getByRole('button', { name: '撤销', exact: true }).click()
  await expect(page.getByText(`已撤销，恢复 ${total} 名学生`)).toBeVisible()
  await expect(batch).toContainText(`已撤销 ${total} 人`)
  const after = await ask<{ total: number }>(page, '/sysUserInfo/studentUserInfoList', {
    suiGrade: year,
    suiStatus: studentStatus.enrolled,
    pageSize: 1,
  })
  expect(after.total).toBe(total)
  await done(page)
})
