import { expect, test } from '@playwright/test'
import { circleApi } from '../contract/programme/circles/circles.calls.ts'
import { circleAuthStatus, lessonStatus } from '../contract/core/codes/programme.ts'
import { lessonApi } from '../contract/programme/lessons/lessons.calls.ts'
import { evaluationApi } from '../contract/rules/evaluation/evaluation.calls.ts'
import { teacherApi } from '../contract/school/people/teachers.calls.ts'
import { signIn } from '../server/testing/client.ts'
import {
  choose,
  dayAfter,
  done,
  fillLogin,
  fillRange,
  holdBack,
  open,
  settled,
  shown,
  signedIn,
  travel,
} from './support.ts'

/**
 * What a person has typed stays until they send or drop it, whatever arrives meanwhile and whatever is looked at in
 * between.
 */

const service = (baseURL: string | undefined, username: string) => signIn(baseURL!, 'demo', username, 'Demo-2026')

test('a copied course keeps what was typed while its form was still asking', async ({ browser, baseURL }) => {
  const { records } = await (await service(baseURL, 'teacher')).send(lessonApi.view, { liScheme: 'standard' })
  const { liId, liName } = records[0]!
  const day = dayAfter(await travel(0), 25)
  const page = await signedIn(browser, 'teacher')
  const letGo = await holdBack(page, teacherApi.search)
  await page.goto(`/courseManagement/addCurriculumList?from=${liId}`)
  await expect(page.getByLabel('课程名称')).toHaveValue(`${liName}（副本）`)
  await page.getByLabel('活动地点').fill('图书馆报告厅')
  await fillRange(page, '活动时间', `${day} 15:00`, `${day} 17:00`)
  await letGo()
  await settled(page)
  await expect(page.getByLabel('活动地点')).toHaveValue('图书馆报告厅')
  await expect(
    shown(page.locator('.ant-form-item').filter({ hasText: '活动时间' }))
      .locator('input')
      .first(),
  ).toHaveValue(`${day} 15:00`)
  await done(page)
})

test('two copies are made side by side', async ({ browser, baseURL }) => {
  const { records } = await (
    await service(baseURL, 'teacher')
  ).send(lessonApi.view, { liScheme: 'standard', pageSize: 50 })
  const page = await signedIn(browser, 'teacher')
  const tabs = page.getByRole('navigation', { name: '已打开的页签' })
  const name = shown(page.getByLabel('课程名称'))
  const copy = async (liName: string) => {
    await shown(page.getByRole('button', { name: `${liName}的更多操作` })).click()
    await page.getByRole('menuitem', { name: '复制', exact: true }).click()
    await expect(name).toHaveValue(`${liName}（副本）`)
  }
  await open(page, '/courseManagement/CurriculumList')
  // the first page shows them as they come next, whichever those are today
  const act = page.getByRole('button', { name: /的更多操作$/ })
  await expect(shown(act)).toBeVisible()
  const listed = await act.evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label')))
  const [first, second] = records.map(({ liName }) => liName).filter((liName) => listed.includes(`${liName}的更多操作`))
  await copy(first!)
  await name.fill('先写的副本')
  await tabs.getByRole('link', { name: '课程列表' }).click()
  await copy(second!)
  await tabs.getByRole('link', { name: `复制 ${first}` }).click()
  await expect(name).toHaveValue('先写的副本')
  await done(page)
})

test('an edited circle keeps what was typed while another tab was in front', async ({ browser, baseURL }) => {
  const admin = await service(baseURL, 'admin')
  const { records } = await admin.send(circleApi.list, { ciAuthStatus: circleAuthStatus.passed })
  const { ciId, ciName } = records[0]!
  const page = await signedIn(browser, 'admin')
  await open(page, `/communityAdmin/communityList/edit?ciId=${ciId}`)
  await expect(shown(page.getByLabel('圈子名称'))).toHaveValue(ciName)
  await shown(page.getByLabel('圈子名称')).fill(`${ciName}改`)
  await choose(page, shown(page.getByLabel('圈子分类')), '其他')
  await page.getByRole('navigation', { name: '主菜单' }).getByRole('link', { name: '圈子分类' }).click()
  await page.waitForURL('**/communityCategory')
  await page.getByRole('navigation', { name: '已打开的页签' }).getByRole('link', { name: '编辑' }).click()
  await settled(page)
  await expect(shown(page.getByLabel('圈子名称'))).toHaveValue(`${ciName}改`)
  await done(page)
})

test('a draft of an edit is restored and saved after a colleague has saved the record', async ({
  browser,
  baseURL,
}) => {
  const admin = await service(baseURL, 'admin')
  const { records } = await admin.send(circleApi.list, { ciAuthStatus: circleAuthStatus.passed })
  const { ciId, ciName } = records[1]!
  const page = await signedIn(browser, 'admin')
  await open(page, `/communityAdmin/communityList/edit?ciId=${ciId}`)
  await expect(shown(page.getByLabel('圈子名称'))).toHaveValue(ciName)
  const desc = shown(page.getByLabel('圈子简介'))
  await desc.fill('每周五活动，欢迎报名')
  // kept once typing pauses
  await expect
    .poll(() => page.evaluate((id) => Object.keys(localStorage).some((key) => key.includes(`circle:${id}`)), ciId))
    .toBe(true)

  const colleague = await signedIn(browser, 'admin')
  await open(colleague, `/communityAdmin/communityList/edit?ciId=${ciId}`)
  await shown(colleague.getByLabel('人数上限')).fill('500')
  await shown(colleague.getByRole('button', { name: '保存', exact: true })).click()
  await expect(colleague.getByText('保存成功')).toBeVisible()
  await done(colleague)

  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await expect(shown(page.getByText('该记录此后已被他人修改，恢复后请逐项核对，再保存'))).toBeVisible()
  await shown(page.getByRole('button', { name: '恢复', exact: true })).click()
  await expect(desc).toHaveValue('每周五活动，欢迎报名')
  await shown(page.getByRole('button', { name: '保存', exact: true })).click()
  await expect(page.getByText('保存成功')).toBeVisible()
  // what the colleague changed stays: only what was typed is restored
  expect(await admin.send(circleApi.detail, { ciId })).toMatchObject({ ciDesc: '每周五活动，欢迎报名', memberMax: 500 })
  await done(page)
})

test('the reason of an action outlives its refusal, and is given up only when asked', async ({ browser, baseURL }) => {
  const teacher = await service(baseURL, 'teacher')
  const lesson = (await teacher.send(lessonApi.view, { liStatus: lessonStatus.published })).records.findLast(
    ({ can }) => can.includes('cancel'),
  )!
  const reason = '场地临时检修，无法按期举办'
  const page = await signedIn(browser, 'teacher')
  await open(
    page,
    `/courseManagement/detail${lesson.liScheme === 'industry' ? 'Industry' : ''}CurriculumList?liId=${lesson.liId}`,
  )
  await shown(page.getByRole('button', { name: /^更多/ })).click()
  await page.getByRole('menuitem', { name: '取消课程', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: '取消课程' })
  await dialog.getByRole('textbox').fill(reason)
  await teacher.send(lessonApi.cancel, { liId: lesson.liId, reason: '已由另一位老师取消' })
  await dialog.getByRole('button', { name: '取消课程', exact: true }).click()
  await settled(page)
  await expect(dialog.getByRole('textbox')).toHaveValue(reason)
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: '放弃未保存的内容？' })
  await question.getByRole('button', { name: '继续编辑' }).click()
  await expect(dialog.getByRole('textbox')).toHaveValue(reason)
  await dialog.getByRole('button', { name: '取消', exact: true }).click()
  await question.getByRole('button', { name: '放弃', exact: true }).click()
  await expect(dialog).toBeHidden()
  await done(page)
})

test('closing a tab says what becomes of the work in it', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  const tabs = page.getByRole('navigation', { name: '已打开的页签' })
  const question = page.getByRole('dialog', { name: '有未保存的内容' })
  const close = () => tabs.locator('.tab-active').getByRole('button', { name: /^关闭/ }).click()

  // a form of a page keeps a draft
  await open(page, '/communityAdmin/communityList/add')
  const name = shown(page.getByLabel('圈子名称'))
  await name.fill('流星观测社')
  await close()
  await expect(question).toContainText('有 1 个页签的内容尚未保存，本机留有草稿，再次打开时可以恢复。')
  await question.getByRole('button', { name: '不保存并关闭' }).click()
  await expect(question).toBeHidden()
  await open(page, '/communityAdmin/communityList/add')
  await page
    .getByRole('alert')
    .filter({ hasText: '未提交的内容' })
    .getByRole('button', { name: /恢\s*复/ })
    .click()
  await expect(name).toHaveValue('流星观测社')

  // who signs out leaves none behind
  await page.locator('.user-button').click()
  await page.getByRole('menuitem', { name: '退出登录' }).click()
  await expect(question).toContainText('有 1 个页签的内容尚未保存，离开后将丢失。')
  await question.getByRole('button', { name: '继续编辑' }).click()

  // papers are never kept on a machine
  await open(page, '/personnelAdmin/studentAdmin/add')
  await shown(page.getByLabel('姓名')).fill('欧阳流星')
  await close()
  await expect(question).toContainText('本机留有草稿（证件、电话等敏感内容除外），再次打开时可以恢复。')
  await question.getByRole('button', { name: '继续编辑' }).click()

  // other forms keep none
  await open(page, '/basicConfig/schoolInfo')
  await shown(page.getByLabel('校训')).fill('流星观测')
  await tabs.getByRole('link', { name: '新增圈子' }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: '关闭右侧' }).click()
  await expect(question).toContainText('有 1 个页签的内容尚未保存，关闭后将丢失。')
  await question.getByRole('button', { name: '继续编辑' }).click()
  await done(page)
})

test('what is typed in a dialog marks its tab until it is given up', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await open(page, '/communityAdmin/communityCategory')
  const mark = page.getByRole('navigation', { name: '已打开的页签' }).getByTitle('有未保存的内容')
  await shown(page.getByRole('button', { name: '新增分类' })).click()
  const dialog = page.getByRole('dialog', { name: '新增圈子分类' })
  await dialog.getByRole('textbox').first().fill('天文')
  await expect(mark).toHaveCount(1)
  await dialog.getByRole('button', { name: '取消', exact: true }).click()
  await page
    .getByRole('dialog', { name: '放弃未保存的内容？' })
    .getByRole('button', { name: '放弃', exact: true })
    .click()
  await expect(mark).toHaveCount(0)
  await done(page)
})

test('an opinion stays with its case while others are looked at', async ({ browser }) => {
  const page = await signedIn(browser, 'reviewer')
  await open(page, '/checkAdmin/supplementCheck')
  const cases = shown(page.getByRole('list', { name: '补录审批' })).getByRole('listitem')
  await expect(cases.nth(1)).toBeVisible()
  // several cases may have one name: the other is the next that is called differently
  const names = await cases.locator('b').allTextContents()
  const first = names[0]!
  const at = names.findIndex((name) => name !== first)
  const second = names[at]!
  const opinion = (name: string) => page.getByRole('article', { name, exact: true }).getByLabel('审批意见')
  await opinion(first).fill('证书已核对，尚待原件')
  await cases.nth(at).locator('b').click()
  await expect(opinion(second)).toHaveValue('')
  await page.getByRole('button', { name: '另有 1 项意见未提交，查看' }).click()
  await expect(opinion(first)).toHaveValue('证书已核对，尚待原件')
  await done(page)
})

test('whoever goes to the sign-in page after their session has ended is asked once what they would lose', async ({
  browser,
}) => {
  // the browser tells of every refused request
  const page = await signedIn(browser, 'admin', { expectErrors: /401/ })
  await open(page, '/communityAdmin/communityList/add')
  await shown(page.getByLabel('圈子名称')).fill('星空观测社')
  await travel(1900)
  await page.getByRole('navigation', { name: '主菜单' }).getByRole('link', { name: '圈子分类' }).click()
  await page.getByRole('button', { name: '去登录页' }).click()
  const question = page.getByRole('dialog', { name: '有未保存的内容' })
  await expect(question).toContainText('有 1 个页签的内容尚未保存')
  await question.getByRole('button', { name: '继续编辑' }).click()
  await page.getByRole('button', { name: '去登录页' }).click()
  await question.getByRole('button', { name: '仍要离开' }).click()
  await expect(page.getByRole('button', { name: '登录', exact: true })).toBeVisible()
  await expect(question).toBeHidden()

  // the session has merely ended: what they typed is offered when they are back, until they sign out themselves
  const offer = page.getByRole('alert').filter({ hasText: '未提交的内容' })
  const enter = async () => {
    await fillLogin(page, 'demo', 'admin', 'Demo-2026')
    await expect(page.locator('.user-button')).toBeVisible()
    await open(page, '/communityAdmin/communityList/add')
    await expect(shown(page.getByLabel('圈子名称'))).toHaveValue('')
  }
  await enter()
  await expect(offer).toBeVisible()
  await page.locator('.user-button').click()
  await page.getByRole('menuitem', { name: '退出登录' }).click()
  await expect(page.getByRole('button', { name: '登录', exact: true })).toBeVisible()
  await enter()
  await expect(offer).toHaveCount(0)
  await done(page)
})

test('what is given up when asked is not offered again', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await open(page, '/communityAdmin/communityList/add')
  const name = shown(page.getByLabel('圈子名称'))
  await name.fill('天文观测社')
  await expect
    .poll(() => page.evaluate(() => Object.keys(localStorage).some((key) => key.endsWith(':circle:new'))))
    .toBe(true)
  await page.getByRole('button', { name: '取消', exact: true }).click()
  await page
    .getByRole('dialog', { name: '放弃未保存的内容？' })
    .getByRole('button', { name: '放弃', exact: true })
    .click()
  await expect(shown(page.getByRole('heading', { level: 1, name: '圈子列表' }))).toBeVisible()
  await open(page, '/communityAdmin/communityList/add')
  await expect(name).toHaveValue('')
  await expect(page.getByText('未提交的内容')).toHaveCount(0)
  await done(page)
})

test('what was typed beside an offered draft is not dropped with it, and is kept together with it once it is taken up', async ({
  browser,
}) => {
  const page = await signedIn(browser, 'admin')
  page.on('dialog', (dialog) => void dialog.accept())
  const name = shown(page.getByLabel('圈子名称'))
  const desc = shown(page.getByLabel('圈子简介'))
  const offer = page.getByRole('alert').filter({ hasText: '未提交的内容' })
  const press = (label: string) => offer.getByRole('button', { name: label, exact: true }).click()
  const kept = () =>
    page.evaluate(() => {
      const key = Object.keys(localStorage).find((one) => one.endsWith(':circle:new'))
      return key && (JSON.parse(localStorage.getItem(key)!) as { content: object }).content
    })
  const begin = async () => {
    await open(page, '/communityAdmin/communityList/add')
    await name.fill('潮汐观测社')
    await expect.poll(kept).toEqual({ ciName: '潮汐观测社' })
    await page.reload()
    await expect(offer).toBeVisible()
    await desc.fill('每月一次')
    await expect.poll(kept).toEqual({ ciDesc: '每月一次' })
  }
  await begin()
  await press('丢弃')
  await expect(offer).toHaveCount(0)
  await page.reload()
  await press('恢复')
  await expect(desc).toHaveValue('每月一次')
  await expect(name).toHaveValue('')

  await page.evaluate(() =>
    Object.keys(localStorage).forEach((key) => key.endsWith(':circle:new') && localStorage.removeItem(key)),
  )
  await begin()
  await press('恢复')
  await expect.poll(kept).toEqual({ ciName: '潮汐观测社', ciDesc: '每月一次' })
  await done(page)
})

test('typed rules, base values and evaluation rules are taken up again after a reload, and forgotten when given up', async ({
  browser,
  baseURL,
}) => {
  const client = await service(baseURL, 'admin')
  const { records } = await client.send(evaluationApi.all, {})
  const page = await signedIn(browser, 'admin')
  page.on('dialog', (dialog) => void dialog.accept())
  const kept = (name: string) =>
    page.evaluate((part) => Object.keys(localStorage).some((key) => key.includes(part)), name)
  const restore = shown(page.getByRole('button', { name: '恢复', exact: true }))
  for (const [address, draft, label, value] of [
    ['/basicConfig/schoolInfo?tab=settings&word=最短公示期', 'school-settings', '最短公示期', '6'],
    ['/StatisticsAdmin/ThresholdStatistics?tab=bases', 'threshold-bases:', '第 1 行要求', '33'],
    [
      `/basicConfig/EvaluationSystem/EditEvaluationSystem?esId=${records[0]!.esId}`,
      `evaluation:${records[0]!.esId}`,
      '规则名称',
      '恢复的名称',
    ],
  ] as const) {
    await page.goto(address)
    const typed = shown(page.getByRole('textbox', { name: label, exact: true }))
    const before = await typed.inputValue()
    await typed.fill(value)
    await expect.poll(() => kept(draft), { message: draft }).toBe(true)
    await page.reload()
    await expect(typed).toHaveValue(before)
    await restore.click()
    await expect(typed).toHaveValue(value)
  }
  // given up when asked, it is not offered again
  await shown(page.getByRole('button', { name: '取消', exact: true })).click()
  await page.getByRole('dialog').getByRole('button', { name: '放弃' }).click()
  await page.goto('/StatisticsAdmin/ThresholdStatistics?tab=bases')
  await restore.click()
  await shown(page.getByRole('tab', { name: '提醒记录' })).click()
  await page.getByRole('dialog').getByRole('button', { name: '放弃' }).click()
  await page.goto('/basicConfig/schoolInfo?tab=settings&word=最短公示期')
  await restore.click()
  await shown(page.getByRole('button', { name: '放弃修改', exact: true })).click()
  await expect.poll(() => kept('draft:')).toBe(false)
  await done(page)
})
